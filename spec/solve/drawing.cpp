// SPDX-License-Identifier: Apache-2.0
// Z3's own choice of a model hardly varies with its seed, so each unknown gets a random hint, and hints that
// contradict the rules are given up one by one.
#include "drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "ties.hpp"

namespace scatterproof::spec::solve {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr unsigned solver_effort = 400'000;  // Z3's rlimit: counts steps, so it is the same on every machine

/// One skeleton's solver. The hints are literals; each implies one unknown's value.
class HintedSolver {
 public:
  HintedSolver(const Problem& problem, const Rule* broken, z3::context& context)
      : problem_(problem), context_(context), solver_(context, z3::solver::simple()) {
    solver_.set("rlimit", solver_effort);
    solver_.set("auto_config", false);  // with what follows a third faster on problems as small as these
    solver_.set("arith.solver", 2u);
    solver_.set("relevancy", 0u);
    solver_.set("ctrl_c", false);  // else Z3 takes signals for itself, which two threads cannot do at once
    for (const z3::expr& one : problem.domain()) solver_.add(one);
    solver_.add(problem.target(broken).in(context));
  }

  /// A model with as many of the hints as go together; `given_up` are the unknowns whose hint did not.
  std::optional<Numbers> solve(const Numbers& hints, Dice& dice, std::vector<std::size_t>* given_up) {
    solver_.push();
    std::vector<std::size_t> kept(hints.size());
    std::iota(kept.begin(), kept.end(), 0);
    std::vector<z3::expr> literals;
    for (std::size_t i = 0; i < hints.size(); ++i) {
      literals.push_back(context_.bool_const(fmt::format("hint{}", i).c_str()));
      solver_.add(z3::implies(literals[i], problem_.terms()[i] == context_.int_val(hints[i])));
    }
    std::optional<Numbers> found;
    while (!found) {
      WorkLimit::check();
      z3::expr_vector assumed(context_);
      for (const std::size_t i : kept) assumed.push_back(literals[i]);
      const z3::check_result result = solver_.check(assumed);
      if (result == z3::sat)
        found = numbers();
      else if (result == z3::unknown || !give_one_up(kept, literals, dice))
        break;
    }
    solver_.pop();
    if (given_up)
      for (std::size_t i = 0; i < hints.size(); ++i)
        if (std::ranges::find(kept, i) == kept.end()) given_up->push_back(i);
    return found;
  }

  bool satisfiable() {
    WorkLimit::check();
    return solver_.check() == z3::sat;
  }

  bool satisfiable_with_elements() {
    for (std::size_t i = 0; i < problem_.unknowns().size(); ++i)
      if (problem_.unknowns()[i].kind == Unknown::Kind::size) solver_.add(problem_.terms()[i] >= 1);
    return satisfiable();
  }

 private:
  bool give_one_up(std::vector<std::size_t>& kept, const std::vector<z3::expr>& literals, Dice& dice) {
    const z3::expr_vector core = solver_.unsat_core();
    std::vector<std::size_t> blamed;
    for (const std::size_t i : kept)
      for (unsigned k = 0; k < core.size(); ++k)
        if (z3::eq(core[static_cast<int>(k)], literals[i])) blamed.push_back(i);
    if (blamed.empty()) return false;
    std::erase(kept, dice.pick(blamed));
    return true;
  }

  Numbers numbers() {
    const z3::model model = solver_.get_model();
    Numbers all;
    for (const z3::expr& term : problem_.terms()) {
      std::int64_t value = 0;
      if (!model.eval(term, true).is_numeral_i64(value)) value = 0;
      all.push_back(value);
    }
    return all;
  }

  const Problem& problem_;
  z3::context& context_;
  z3::solver solver_;
};

/// Sizes are drawn from a few values, so that dimensions of different tensors are often equal, as most rules
/// require. They are small where there are many dimensions, so that a call stays small.
Numbers random_hints(const Problem& problem, const FormLimits& limits, Dice& dice) {
  std::size_t rank = 0;
  for (const Unknown& one : problem.unknowns())
    if (one.kind == Unknown::Kind::size) rank = std::max(rank, one.place + 1);
  const std::int64_t usual = rank <= 1 ? 5 : rank == 2 ? 3 : 2;
  const auto size = [&]() -> std::int64_t {
    const std::int64_t kind = dice.below(32);
    if (kind == 0) return 0;
    if (kind <= 4) return 1;
    if (kind <= 6) return usual + 1;
    return 2 + dice.below(std::max<std::int64_t>(usual - 1, 1));
  };
  Numbers palette;
  for (std::size_t d = 0; d <= limits.largest_rank; ++d) palette.push_back(size());
  Numbers hints;
  for (const Unknown& one : problem.unknowns()) {
    if (!one.values.empty())
      hints.push_back(dice.pick(one.values));
    else if (one.kind == Unknown::Kind::size)
      hints.push_back(dice.one_in(4) ? size() : palette[one.place]);
    else if (one.kind == Unknown::Kind::integer && !dice.one_in(8))
      hints.push_back(dice.in(-4, 4));
    else
      hints.push_back(dice.in(one.low, one.high));
  }
  return hints;
}

constexpr std::int64_t one_index_without_places_in = 8;  ///< forms that break a rule about index values
constexpr std::int64_t one_extreme_in = 3;               ///< forms that break a rule by much

/// Hints at an index into a tensor that has no place for it.
void hint_at_no_places(const OpSpec& spec, const Problem& problem, Numbers& hints, Dice& dice) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < hints.size(); ++i) {
    const Unknown& one = problem.unknowns()[i];
    if (one.kind != Unknown::Kind::size) continue;
    if (spec.is_index(spec.arguments[one.argument]))
      hints[i] = std::max<std::int64_t>(hints[i], 1);
    else
      sizes.push_back(i);
  }
  if (!sizes.empty()) hints[dice.pick(sizes)] = 0;
}

/// Beyond a number by one, or by much. No dtype is further away than another, so any is drawn: the solver
/// would always choose the same one.
std::vector<std::int64_t> outside(const Unknown& unknown, std::int64_t from, bool far, Dice& dice) {
  const auto any = [&] { return dice.in(unknown.low, unknown.high); };
  if (unknown.kind == Unknown::Kind::dtype) return {any(), any(), any()};
  if (unknown.kind != Unknown::Kind::size && unknown.kind != Unknown::Kind::integer) return {};
  if (!far) return {from + 1, from - 1};
  return {from + 4, from - 4, unknown.high, unknown.low};
}

void keep_most(Numbers& hints, const Numbers& near, Dice& dice) {
  for (std::size_t i = 0; i < hints.size(); ++i)
    if (!dice.one_in(4)) hints[i] = near[i];
}

/// A call that obeys, changed as little as breaking the rule takes; then what was changed is set one step,
/// or many, beyond where it stood.
std::optional<Numbers> step_outside(const Problem& problem, HintedSolver& valid, HintedSolver& solver,
                                    const Numbers& hints, bool far, Dice& dice,
                                    std::optional<Numbers>& inside) {
  inside = valid.solve(hints, dice, nullptr);
  if (!inside) return solver.solve(hints, dice, nullptr);
  std::vector<std::size_t> changed;
  auto numbers = solver.solve(*inside, dice, &changed);
  if (!numbers) return std::nullopt;
  for (const std::size_t i : changed)
    for (const std::int64_t value : outside(problem.unknowns()[i], (*inside)[i], far, dice)) {
      Numbers wanted = *numbers;
      wanted[i] = value;
      std::vector<std::size_t> refused;
      const auto moved = solver.solve(wanted, dice, &refused);
      if (!moved || std::ranges::find(refused, i) != refused.end()) continue;
      numbers = moved;
      break;
    }
  return numbers;
}

/// Where an integer, or one of a list, is not what it is in the call that obeys. Whether there is one.
bool make_extreme(Argument& argument, const Argument& inside, Dice& dice) {
  const auto extreme = [&](std::int64_t obeys) {
    constexpr std::int64_t two_32 = std::int64_t{1} << 32;
    std::vector<std::int64_t> values = far_values(DType::i64);
    values.insert(values.end(), {obeys - two_32, obeys + two_32});
    return dice.pick(values);
  };
  if (auto* number = std::get_if<Scalar>(&argument)) {
    const auto* obeys = std::get_if<Scalar>(&inside);
    if (number->kind() != Scalar::Kind::integer || !obeys || identical(*number, *obeys)) return false;
    *number = Scalar::of_int(extreme(obeys->integer()));
    return true;
  }
  auto* list = std::get_if<Shape>(&argument);
  const auto* obeys = std::get_if<Shape>(&inside);
  if (!list || !obeys || list->size() != obeys->size()) return false;
  const auto [item, as_obeys] = std::ranges::mismatch(*list, *obeys);
  if (item == list->end()) return false;
  *item = extreme(*as_obeys);
  return true;
}

/// The first of the choices everywhere; where values break the rule, that of one element.
Call filled(const CallForm& form) {
  Call call = form.call;
  bool breaks = form.by_values;
  for (const IndexChoices& choices : form.index) {
    auto& tensor = std::get<Tensor>(call.arguments[choices.argument].second);
    tensor = tensor.clone();
    for (std::size_t n = 0; n < choices.good.size(); ++n) {
      const bool here = breaks && !choices.bad.empty() && !choices.lists[choices.bad[n]].empty();
      const auto& list = choices.lists[here ? choices.bad[n] : choices.good[n]];
      tensor.set_at_position(static_cast<std::int64_t>(n),
                             Scalar::of_int(here ? list.front() : list[list.size() / 2]));
      breaks = breaks && !here;
    }
  }
  return call;
}

}  // namespace

FormDrawer::FormDrawer(const OpSpec& spec, const FormLimits& limits, const ValueRules& values, Dice& dice,
                       const Call* near)
    : spec_(spec), limits_(limits), values_(values), dice_(dice), near_(near) {}

bool FormDrawer::add(const Skeleton& skeleton, const Rule* broken, std::size_t count,
                     std::vector<CallForm>& forms) {
  return add(skeleton, broken, count, count, forms);
}

bool FormDrawer::has_any(const Skeleton& skeleton, const Rule* broken, std::size_t count) {
  std::vector<CallForm> forms;
  return add(skeleton, broken, count, 1, forms);
}

bool FormDrawer::add(const Skeleton& skeleton, const Rule* broken, std::size_t count, std::size_t enough,
                     std::vector<CallForm>& forms) {
  if (dead_.contains({skeleton, broken})) return false;
  Problem problem(spec_, skeleton, limits_, context_);
  HintedSolver solver(problem, broken, context_);
  if (!solver.satisfiable()) {
    dead_.insert({skeleton, broken});
    return false;
  }
  std::optional<HintedSolver> valid;  // to stand just inside before stepping out
  if (broken && problem.target(nullptr).known() != false) valid.emplace(problem, nullptr, context_);
  const std::size_t before = forms.size();
  for (std::size_t i = 0; i < count && forms.size() - before < enough; ++i) {
    const bool far = broken && dice_.one_in(2);
    Numbers hints = random_hints(problem, limits_, dice_);
    if (near_) keep_most(hints, problem.numbers(*near_), dice_);
    std::optional<Numbers> inside;
    const bool no_places = broken && values_.reads(*broken) && dice_.one_in(one_index_without_places_in);
    if (no_places) hint_at_no_places(spec_, problem, hints, dice_);
    const auto numbers = valid && !no_places
                             ? step_outside(problem, *valid, solver, hints, far, dice_, inside)
                             : solver.solve(hints, dice_, nullptr);
    if (!numbers) continue;
    CallForm form{.call = problem.call(*numbers), .broken = broken, .far = far};
    if (inside) form.inside = problem.call(*inside);
    // All-zero data breaks a rule at any size, so it does not show which sizes matter.
    if (broken && inside && values_.reads_data(*broken) && !stands_as_meant(CallForm(), *form.inside))
      form.inside.reset();
    if (auto extreme = far && dice_.one_in(one_extreme_in) ? with_extreme(form) : std::nullopt)
      forms.push_back(*std::move(extreme));
    else if (CallForm made = form; is_sound(made))
      forms.push_back(std::move(made));
    else if (auto by_number = broken ? break_by_number(form) : std::nullopt)
      forms.push_back(*std::move(by_number));
    else if (auto of_ones = with_ones(form))
      forms.push_back(*std::move(of_ones));
  }
  return forms.size() > before;
}

/// The solver chooses among small integers. Instead of one that breaks a rule: an end of 32 or 64 bits, or
/// one that 32 bits cut to the number that obeyed.
std::optional<CallForm> FormDrawer::with_extreme(const CallForm& form) const {
  for (std::size_t i = 0; form.inside && i < spec_.arguments.size(); ++i) {
    const ArgumentKind kind = spec_.arguments[i].kind;
    if (kind != ArgumentKind::integer && kind != ArgumentKind::integers) continue;
    Argument changed = form.call.arguments[i].second;
    if (!make_extreme(changed, form.inside->arguments[i].second, dice_)) continue;
    CallForm made = form;
    made.call.arguments[i].second = std::move(changed);
    if (is_sound(made)) return made;
  }
  return std::nullopt;
}

/// Rules may look at a bare number, which the solver does not choose: some that most dtypes do not have.
std::optional<CallForm> FormDrawer::break_by_number(const CallForm& form) const {
  const Scalar odd[] = {Scalar::of_real(256.5),    Scalar::of_real(0.1),   Scalar::of_int(-1),
                        Scalar::of_int(1LL << 40), Scalar::of_real(1e300), Scalar::of_complex(0, 1)};
  for (std::size_t i = 0; i < spec_.arguments.size(); ++i) {
    const ArgumentKind kind = spec_.arguments[i].kind;
    if (kind != ArgumentKind::scalar && kind != ArgumentKind::tensor_or_scalar) continue;
    if (!std::holds_alternative<Scalar>(form.call.arguments[i].second)) continue;
    const auto first = static_cast<std::size_t>(dice_.below(std::size(odd)));
    for (std::size_t k = 0; k < std::size(odd); ++k) {
      CallForm made = form;
      made.call.arguments[i].second = odd[(first + k) % std::size(odd)];
      if (is_sound(made)) return made;
    }
  }
  return std::nullopt;
}

/// Rules may look at data, which the solver does not choose: zeros, or where these break a rule, ones.
std::optional<CallForm> FormDrawer::with_ones(CallForm form) const {
  if (!values_.any_reads_data()) return std::nullopt;
  set_data(spec_, form.call, Scalar::of_int(1));
  if (form.inside) set_data(spec_, *form.inside, Scalar::of_int(1));
  if (!is_sound(form)) return std::nullopt;
  return form;
}

bool FormDrawer::is_sound(CallForm& form) const {
  for (const auto& [name, argument] : form.call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&argument);
        tensor && tensor->numel() > limits_.largest_numel)
      return false;
  if (!values_.settle(form)) return false;
  Call call = filled(form);
  if (!has_small_result(form, call)) return false;
  if (!form.recheck) return stands_as_meant(form, call);
  // Whether there are enough places for index values that must differ.
  Dice dice(1, 0);
  return meet_relations(spec_, form, call, dice) && (!form.by_values || stands_as_meant(form, call));
}

/// A call that breaks a rule may have no result by the document, but the result an engine computes anyway
/// must still fit the limits.
bool FormDrawer::has_small_result(const CallForm& form, const Call& call) const {
  if (const auto result = result_form(spec_, call)) return numel(result->shape) <= limits_.largest_numel;
  std::size_t ranks = 0;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&argument)) ranks += tensor->rank();
  return form.broken && ranks <= max_rank;
}

bool may_have_elements(const OpSpec& spec, const Skeleton& skeleton, const FormLimits& limits,
                       z3::context& context) {
  const Problem problem(spec, skeleton, limits, context);
  HintedSolver solver(problem, nullptr, context);
  return solver.satisfiable_with_elements();
}

bool FormDrawer::stands_as_meant(const CallForm& form, const Call& call) const {
  const auto kinds = rule_kinds(spec_, call);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if ((kinds[i] == RuleState::Kind::broken) != (form.broken == &spec_.rules[i])) return false;
  return true;
}

}  // namespace scatterproof::spec::solve
