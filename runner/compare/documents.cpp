// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/compare/documents.hpp"

#include "scatterproof/spec/judge/resolve.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::compare {
namespace {

class DocumentEngine final : public engines::Engine {
 public:
  explicit DocumentEngine(const spec::SpecLibrary& specs) : specs_(specs) {
    info_.name = "document";
    info_.version = "";
    info_.device = "cpu";
    for (const spec::OpSpec& one : specs.all()) info_.apis.push_back(one.api);
  }

  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const spec::Call&) const override { return {}; }

 private:
  std::vector<spec::Outcome> do_run(std::span<const engines::CallRequest> requests) override {
    std::vector<spec::Outcome> outcomes;
    for (const engines::CallRequest& request : requests) outcomes.push_back(answer(*request.call));
    return outcomes;
  }

  spec::Outcome answer(const spec::Call& call) const {
    const auto expectation = spec::expect(*specs_.find(call.api), call);
    if (!expectation) return {.what = spec::Unsupported{expectation.errors().front().what}};
    if (const auto* refusal = std::get_if<spec::RefusalExpected>(&expectation->what))
      return {.what = spec::Refused{.error_classes = refusal->classes, .message = refusal->because.text()}};
    if (const auto* free = std::get_if<spec::Free>(&expectation->what))
      return {.what = spec::Unsupported{free->undefined ? "the document promises nothing"
                                                        : "the document is silent"}};
    if (auto result = spec::only_result(std::get<spec::Bag>(expectation->what)))
      return {.what = spec::Produced{.tensors = {*std::move(result)}, .inputs_written = {}}};
    return {.what = spec::Unsupported{"the document allows several results"}};
  }

  const spec::SpecLibrary& specs_;
  engines::EngineInfo info_;
};

}  // namespace

std::unique_ptr<engines::Engine> document_engine(const spec::SpecLibrary& specs) {
  return std::make_unique<DocumentEngine>(specs);
}

}  // namespace scatterproof::runner::compare
