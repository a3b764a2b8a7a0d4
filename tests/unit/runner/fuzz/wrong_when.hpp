// SPDX-License-Identifier: Apache-2.0
// Engines that are wrong for a part of the calls.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::fuzz {

inline void spoil(spec::Outcome& outcome) {
  auto* produced = std::get_if<spec::Produced>(&outcome.what);
  if (!produced || produced->tensors.front().numel() == 0) return;
  spec::Tensor wrong = produced->tensors.front().contiguous();
  wrong.set_at_position(0, spec::Scalar::of_int(wrong.at_position(0).real() == 1 ? 2 : 1));
  produced->tensors.front() = wrong;
}

using Spoil = void (*)(spec::Outcome&);

/// The reference, wrong where it is told.
class WrongWhen : public engines::Engine {
 public:
  WrongWhen(std::function<bool(const engines::CallRequest&)> wrong, Spoil how)
      : wrong_(std::move(wrong)),
        spoil_(how),
        reference_(engines::make_reference(shipped_specs())),
        info_(reference_->info()) {
    info_.threads = true;
  }
  const engines::EngineInfo& info() const override { return info_; }
  void call_itself(std::string name, std::string framework, std::string version) {
    info_.name = std::move(name), info_.framework = std::move(framework), info_.version = std::move(version);
  }
  engines::Support supports(const spec::Call& call) const override { return reference_->supports(call); }

 private:
  std::vector<spec::Outcome> do_run(std::span<const engines::CallRequest> requests) override {
    std::vector<spec::Outcome> outcomes = reference_->run(requests);
    for (std::size_t i = 0; i < requests.size(); ++i)
      if (wrong_(requests[i])) spoil_(outcomes[i]);
    return outcomes;
  }

  std::function<bool(const engines::CallRequest&)> wrong_;
  Spoil spoil_;
  std::unique_ptr<engines::Engine> reference_;
  engines::EngineInfo info_;
};

inline bool breaks_a_rule(const spec::Call& call) {
  const auto kinds = spec::rule_kinds(*shipped_specs().find(call.api), call);
  return std::ranges::count(kinds, spec::RuleState::Kind::broken) > 0;
}

}  // namespace scatterproof::runner::fuzz
