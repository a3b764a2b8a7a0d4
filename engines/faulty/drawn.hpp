// SPDX-License-Identifier: Apache-2.0
// What the parts of drawn faults share: the earlier calls, what a condition asks about a call, what can go
// wrong.
#pragma once

#include "fault.hpp"
#include "gradient_fault.hpp"
#include "scatterproof/engines/faulty/drawn.hpp"
#include "scatterproof/spec/core/random.hpp"

namespace scatterproof::engines::faulty {

/// What a kernel with static data remembers.
struct Memory {
  std::int64_t calls = 0;
  std::optional<KernelCall> previous;
  std::optional<Tensor> result;  ///< of the previous call, if it had one
  bool refused = false;          ///< the previous call
  // Of a previous call whose gradients were asked for.
  std::optional<KernelGradients> gradients;
  std::optional<Tensor> cotangent;

  void remember(const KernelCall& call, const Outcome& outcome);
  void remember(const KernelCall& call, const Tensor& asked, KernelGradients made);
};

/// What conditions ask about one call, each found when it is first asked for.
class Facts {
 public:
  Facts(const KernelCall& call, const Memory& memory) : call_(call), memory_(memory) {}
  bool hold(const FaultCondition& condition);

 private:
  bool holds(const SizeCondition& condition);
  bool holds(const RankCondition& condition) const;
  bool holds(const DTypeCondition& condition) const;
  bool holds(const LayoutCondition& condition) const;
  bool holds(const ValueCondition& condition);
  bool holds(const NumberCondition& condition) const;
  bool holds(const PreviousCondition& condition) const;
  std::int64_t size(Quantity of);
  unsigned values();

  const KernelCall& call_;
  const Memory& memory_;
  std::optional<std::int64_t> duplicates_;
  std::optional<unsigned> values_;  ///< a bit for each
};

FaultCondition draw_condition(spec::Dice& dice);

/// Something that goes wrong at one place in the life of a call, whenever it can.
struct Effect {
  std::string_view place;
  std::string_view name;  ///< of a fault of the library, or of those of state
  /// Without it nothing shows: then no other condition is drawn.
  std::optional<FaultCondition> needs = std::nullopt;
};
const std::vector<Effect>& effects();
/// Whether a call can meet the condition and show the effect, as far as their kinds tell.
bool can_meet(const Effect& effect, const FaultCondition& condition);

/// The same for gradients. A call whose gradients are judged obeys every rule, is not large, and has no NaN
/// or infinity among values that are multiplied or compared.
const std::vector<Effect>& gradient_effects();
bool gradient_can_meet(const Effect& effect, const FaultCondition& condition);

/// What goes wrong across calls.
struct StateFault {
  std::string_view name;
  std::string_view says;
  Stages (*stages)(const Memory& memory);  ///< after at least one call
};
const StateFault* find_state_fault(std::string_view name);
struct GradientStateFault {
  std::string_view name;
  std::string_view says;
  GradientStages (*stages)(const Memory& memory);  ///< after at least one call
};
const GradientStateFault* find_gradient_state_fault(std::string_view name);

/// The size of the dimension that the index addresses, the first one for a tuple; 0 if there is none. An axis
/// that is out of range counts modulo the rank, so that conditions on this size can hold for calls that must
/// be refused.
std::int64_t axis_size(const KernelCall& call);

}  // namespace scatterproof::engines::faulty
