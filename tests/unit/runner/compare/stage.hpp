// SPDX-License-Identifier: Apache-2.0
// Members of a family whose engines do as their documents say, or not.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/compare/compare.hpp"
#include "scatterproof/runner/compare/documents.hpp"
#include "shared.hpp"

namespace scatterproof::runner::compare {

inline const spec::SpecLibrary& specs() { return shipped().catalogue.specs; }

/// Members of one family on the engine of the documents, which answers as they say.
struct Stage {
  explicit Stage(const std::string& family, const std::vector<std::string>& apis)
      : comparison(comparison_of(family)) {
    engines.push_back(document_engine(specs()));
    for (const std::string& api : apis) plan.members.push_back({specs().find(api), engines.back().get()});
    plan.wishes.calls = 2000;
    plan.shrink_seconds = 20;
  }

  spec::FamilyComparison comparison;
  std::vector<std::unique_ptr<engines::Engine>> engines;
  Plan plan{.comparison = comparison, .members = {}};
};

inline const Divergence* find(const ComparisonResult& compared, const std::string& name) {
  const auto found =
      std::ranges::find_if(compared.differences, [&](const Divergence& one) { return one.name() == name; });
  return found != compared.differences.end() ? &*found : nullptr;
}

inline std::string names(const ComparisonResult& compared) {
  std::string all;
  for (const Divergence& one : compared.differences) all += one.name() + "\n";
  return all;
}

/// An engine of documents that refuses some calls.
class Refusing final : public engines::InProcessEngine {
 public:
  explicit Refusing(std::function<bool(const spec::Call&)> refuses)
      : refuses_(std::move(refuses)), documents_(document_engine(specs())) {
    info_.name = "refusing";
  }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const spec::Call& call) const override { return documents_->supports(call); }

 private:
  spec::Outcome do_call(const spec::Call& call, int) override {
    if (refuses_(call)) return {.what = spec::Refused{.error_classes = {"Refused"}, .message = {}}};
    const engines::CallRequest request{&call, std::chrono::seconds(10)};
    return documents_->run({&request, 1}).front();
  }
  engines::EngineInfo info_;
  std::function<bool(const spec::Call&)> refuses_;
  std::unique_ptr<engines::Engine> documents_;
};

inline const spec::Tensor& tensor_of(const spec::Call& call, const std::string& name) {
  return std::get<spec::Tensor>(*call.find(name));
}

}  // namespace scatterproof::runner::compare
