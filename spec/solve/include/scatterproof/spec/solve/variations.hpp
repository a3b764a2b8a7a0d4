// SPDX-License-Identifier: Apache-2.0
// Forms made from a solved one without the solver: the solver finds sizes that fit together, and rules rarely
// depend on their actual values. Evaluation finds which sizes change together, and checks every form.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "scatterproof/spec/core/random.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"
#include "scatterproof/spec/solve/solve.hpp"

namespace scatterproof::spec {

/// Elements of a call's largest tensor; `max_numel` where they cannot be counted.
std::int64_t largest_numel(const Call& call);

/// The forms that differ from one in sizes, dtypes and attributes, and obey and break the same rules. If the
/// form breaks a rule next to a valid call (CallForm::inside), that call is varied and broken again in the
/// same way, or in a way that is easier to overlook. Thread-safe.
class Variations {
 public:
  /// `spec` must outlive it. Evaluates the rules some hundred times.
  Variations(const OpSpec& spec, CallForm base);
  ~Variations();
  Variations(Variations&&) noexcept;

  const CallForm& base() const;

  /// Two draws of the same sizes have the same, unless their dtypes and attributes do not allow that.
  struct Sizes {
    /// Elements of the largest tensor: about this many, at most twice as many; 0: a few.
    std::int64_t numel = 0;
    bool empty = false;      ///< some may be 0
    std::uint64_t seed = 0;  ///< what else decides them
  };
  /// A form of these sizes; its dtypes and attributes come from `dice`. Empty when the drawn call breaks
  /// other rules than the base. `accepted`, if given, accepts calls with few dtypes and attributes: these are
  /// drawn until it accepts the call, before the call is broken; empty when it never does.
  std::optional<CallForm> draw(const Sizes& sizes, Dice& dice,
                               const std::function<bool(const Call&)>& accepted = {}) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scatterproof::spec
