// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/selftest/showing_call.hpp"

#include <algorithm>

#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/solve/variations.hpp"
#include "sketch.hpp"
#include "tried_call.hpp"

namespace scatterproof::runner::selftest {
namespace {

using engines::Previous;
using spec::Dice;
using spec::Outcome;

/// Of sizes that take long, fewer.
std::int64_t rounds(const engines::DrawnFault& fault) {
  constexpr std::int64_t most = 150, elements = 500'000;
  const auto* size = std::get_if<engines::SizeCondition>(&fault.condition);
  return size ? std::min(most, elements / size->at_least) : most;
}

bool same(const Outcome& a, const Outcome& b) {
  if (a.what.index() != b.what.index()) return false;
  if (const auto* refused = std::get_if<spec::Refused>(&a.what))
    return refused->error_classes == std::get<spec::Refused>(b.what).error_classes;
  const auto* produced = std::get_if<spec::Produced>(&a.what);
  if (!produced) return false;
  const auto& other = std::get<spec::Produced>(b.what);
  return produced->inputs_written == other.inputs_written &&
         std::equal(produced->tensors.begin(), produced->tensors.end(), other.tensors.begin(),
                    other.tensors.end(),
                    [](const spec::Tensor& x, const spec::Tensor& y) { return identical(x, y); });
}

/// A condition on one size may, together with another size, give a result of billions of cells.
bool is_huge(const spec::OpSpec& op, const spec::Call& call) {
  constexpr std::int64_t most = std::int64_t{1} << 21;
  return spec::largest_numel(call) > most || spec::count_writes(op, call).value_or(0) > most;
}

/// One attempt: a sketch, and the calls that must come before.
class Attempt {
 public:
  Attempt(const engines::DrawnFault& fault, const spec::OpSpec& op, std::int64_t round)
      : fault_(fault), dice_(0, static_cast<std::uint64_t>(round)) {
    sketch_ = draw_sketch(op, fault.condition, round / 16, dice_);
    const bool about_refusals = fault.place == "checks" || fault.place == "refusal";
    sketch_.breaks = dice_.below(4) < (about_refusals ? 3 : 1) && !of_gradients();
    if (of_gradients()) make_differentiable(sketch_, dice_);
    call_ = make_call(sketch_, dice_);
    if (const auto* calls = std::get_if<engines::NumberCondition>(&fault.condition))
      while (before_ < calls->at_least || before_ % calls->modulus != calls->remainder) ++before_;
    else if (const auto* previous = std::get_if<engines::PreviousCondition>(&fault.condition))
      before_ = previous->previous == Previous::none ? 0 : 1;
    else if (is_state())
      before_ = 1;
  }

  /// `faulty` has this one fault.
  std::optional<TellingCall> show(engines::DrawnEngines& faulty, engines::Engine& reference) {
    if (is_huge(*sketch_.op, call_)) return std::nullopt;
    std::optional<TriedCall> question = of_gradients() ? ask(call_, reference) : std::nullopt;
    if (of_gradients() && !question) return std::nullopt;
    faulty.restart();
    if (before_ > 0 && !run_before(faulty, reference)) return std::nullopt;
    std::optional<Outcome> outcome;
    const std::size_t fault = 0;
    faulty.run(
        call_, {&fault, 1}, [&](std::size_t, const Outcome& came) { outcome = came; },
        question ? question->gradient() : nullptr);
    if (!outcome) return std::nullopt;
    if (!question) {  // what a result should be takes longest to find
      if (same(*outcome, reference.run_one({&call_}))) return std::nullopt;
      question = ask(call_, reference);
    }
    if (question->failure(*outcome).empty()) return std::nullopt;
    if (!question->failure(reference.run_one(question->request())).empty()) return std::nullopt;
    return TellingCall{call_, before_};
  }

 private:
  bool of_gradients() const { return engines::is_of_gradients(fault_); }
  std::optional<TriedCall> ask(const spec::Call& call, engines::Engine& reference) const {
    return TriedCall::make(*sketch_.op, call, reference, of_gradients());
  }
  /// Whether there is such a call before: one that has gradients, if they are asked for.
  bool run_before(engines::DrawnEngines& faulty, engines::Engine& reference) {
    const spec::Call other = other_call(reference);
    if (is_huge(*sketch_.op, other)) return false;
    const std::optional<TriedCall> question = of_gradients() ? ask(other, reference) : std::nullopt;
    if (of_gradients() && !question) return false;
    for (std::int64_t n = 0; n < before_; ++n)
      faulty.run(other, {}, {}, question ? question->gradient() : nullptr);
    return true;
  }

  bool is_state() const { return fault_.place == "state across calls"; }

  /// The call before: as a condition on it says, or like this one except for one thing.
  spec::Call other_call(engines::Engine& reference) {
    Previous how = static_cast<Previous>(dice_.below(static_cast<std::int64_t>(Previous::none)));
    if (const auto* previous = std::get_if<engines::PreviousCondition>(&fault_.condition))
      how = previous->previous;
    Sketch other = sketch_;
    other.breaks = false;
    switch (how) {
      case Previous::same_sizes:
      case Previous::none:
        break;
      case Previous::refused:
        return refused_call(other, reference);
      case Previous::other_axis:
        other.axis = (other.axis + 1) % static_cast<std::int64_t>(other.data.size());
        other.axis_size = *std::min_element(other.data.begin(), other.data.end());
        break;
      case Previous::fewer_elements:
        shrink_to_one(other);
        break;
      case Previous::more_elements:
        other = draw_sketch(
            *sketch_.op,
            engines::SizeCondition{.of = engines::Quantity::elements,
                                   .at_least = spec::numel(sketch_.updates) + spec::numel(sketch_.index) + 1},
            0, dice_);
        // The result is larger as well.
        other.dtype = sketch_.dtype;
        other.data[static_cast<std::size_t>(other.axis)] += spec::numel(sketch_.data);
        break;
      case Previous::other_dtype:
        other.dtype = other_dtype(other.dtype);
        break;
    }
    return make_call(other, dice_);
  }

  /// A sketch that breaks a rule may still give a call that obeys.
  spec::Call refused_call(Sketch sketch, engines::Engine& reference) {
    constexpr int tries = 8;
    sketch.breaks = true;
    spec::Call call = make_call(sketch, dice_);
    for (int i = 0; i < tries; ++i) {
      if (std::holds_alternative<spec::Refused>(reference.run_one({&call}).what)) break;
      call = make_call(sketch, dice_);
    }
    return call;
  }

  spec::DType other_dtype(spec::DType dtype) const {
    const spec::DType one = of_gradients() ? spec::DType::f64 : spec::DType::i64;
    return dtype == one ? spec::DType::f32 : one;
  }

  static void shrink_to_one(Sketch& sketch) {
    for (spec::Shape* shape : {&sketch.data, &sketch.index, &sketch.updates})
      std::fill(shape->begin(), shape->end(), 1);
    sketch.axis_size = 1;
  }

  const engines::DrawnFault& fault_;
  Dice dice_;
  Sketch sketch_;
  spec::Call call_;
  std::int64_t before_ = 0;
};

}  // namespace

std::optional<TellingCall> find_showing_call(const engines::DrawnFault& fault, const spec::OpSpec& op,
                                             const spec::SpecLibrary& specs) {
  const auto reference = engines::make_reference(specs);
  engines::DrawnEngines faulty({fault}, specs);
  const std::int64_t last = rounds(fault);
  for (std::int64_t round = 0; round < last; ++round)
    if (auto shown = Attempt(fault, op, round).show(faulty, *reference)) return shown;
  return std::nullopt;
}

}  // namespace scatterproof::runner::selftest
