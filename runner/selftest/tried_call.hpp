// SPDX-License-Identifier: Apache-2.0
// What a call asks of engines with faults: its result, or its gradients and the result that comes with them.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/trial/gradients.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::selftest {

/// The spec and the call must outlive it.
class TriedCall {
 public:
  /// Empty: the call has no gradients to judge.
  static std::optional<TriedCall> make(const spec::OpSpec& spec, const spec::Call& call,
                                       engines::Engine& reference, bool gradients);

  engines::CallRequest request() const { return {.call = call_, .gradient = gradient()}; }
  const spec::GradientQuestion* gradient() const { return of_ ? &of_->task.reverse : nullptr; }
  /// As failure() of verdicts.hpp.
  std::string failure(const spec::Outcome& outcome) const;

 private:
  struct OfGradients {
    engines::EngineInfo reference;
    GradientTask task;
    spec::Outcome plain;  ///< of a correct engine, without gradients
  };
  TriedCall(const spec::OpSpec& spec, const spec::Call& call) : spec_(&spec), call_(&call) {}

  const spec::OpSpec* spec_;
  const spec::Call* call_;
  std::optional<spec::Result<spec::Expectation>> expectation_;  ///< empty where gradients are asked for
  std::optional<OfGradients> of_;
};

}  // namespace scatterproof::runner::selftest
