// SPDX-License-Identifier: Apache-2.0
// Drawing forms: ranks by chance, then numbers by hints to the solver. Z3's own choice of a model hardly
// varies with its seed, so each unknown gets a random hint, and hints that contradict the rules are given up
// one by one.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "execute.hpp"
#include "scatterproof/spec/oracle.hpp"
#include "skeleton.hpp"
#include "values.hpp"

namespace scatterproof::spec {
namespace {

using namespace solve;
using Numbers = std::vector<std::int64_t>;

constexpr int attempts = 24;  // at ranks that have a form
constexpr unsigned solver_effort =
    400'000;  // Z3's rlimit: counts steps, so that it is the same on every machine

/// The random bits, as numbers.
class Chance {
 public:
  explicit Chance(const RandomBits& bits) : bits_(bits) {}
  std::int64_t below(std::int64_t bound) const {
    return static_cast<std::int64_t>(bits_() % static_cast<std::uint64_t>(bound));
  }
  bool one_in(std::int64_t count) const { return below(count) == 0; }
  template <class T>
  const T& pick(const std::vector<T>& from) const {
    return from[static_cast<std::size_t>(below(static_cast<std::int64_t>(from.size())))];
  }

 private:
  const RandomBits& bits_;
};

/// One skeleton's solver. The hints are literals, each of which implies one unknown's value.
class HintedSolver {
 public:
  HintedSolver(const Problem& problem, const Rule* broken, z3::context& context)
      : problem_(problem), context_(context), solver_(context, z3::solver::simple()) {
    solver_.set("rlimit", solver_effort);
    for (const z3::expr& one : problem.domain()) solver_.add(one);
    solver_.add(problem.target(broken).in(context));
  }

  /// A model with as many of the hints as go together; `given_up` are the unknowns whose hint did not.
  std::optional<Numbers> solve(const Numbers& hints, const Chance& chance,
                               std::vector<std::size_t>* given_up) {
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
      z3::expr_vector assumed(context_);
      for (const std::size_t i : kept) assumed.push_back(literals[i]);
      const z3::check_result result = solver_.check(assumed);
      if (result == z3::sat)
        found = numbers();
      else if (result == z3::unknown || !give_one_up(kept, literals, chance))
        break;
    }
    solver_.pop();
    if (given_up)
      for (std::size_t i = 0; i < hints.size(); ++i)
        if (std::ranges::find(kept, i) == kept.end()) given_up->push_back(i);
    return found;
  }

  bool satisfiable() { return solver_.check() == z3::sat; }

 private:
  bool give_one_up(std::vector<std::size_t>& kept, const std::vector<z3::expr>& literals,
                   const Chance& chance) {
    const z3::expr_vector core = solver_.unsat_core();
    std::vector<std::size_t> blamed;
    for (const std::size_t i : kept)
      for (unsigned k = 0; k < core.size(); ++k)
        if (z3::eq(core[static_cast<int>(k)], literals[i])) blamed.push_back(i);
    if (blamed.empty()) return false;
    std::erase(kept, chance.pick(blamed));
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

/// Sizes come from a few, so that dimensions of different tensors are often equal, as most rules want them;
/// and are small where there are many dimensions, so that a call stays small.
Numbers random_hints(const Problem& problem, const FormLimits& limits, const Chance& chance) {
  std::size_t rank = 0;
  for (const Unknown& one : problem.unknowns())
    if (one.kind == Unknown::Kind::size) rank = std::max(rank, one.place + 1);
  const std::int64_t usual = rank <= 1 ? 5 : rank == 2 ? 3 : 2;
  const auto size = [&]() -> std::int64_t {
    const std::int64_t kind = chance.below(16);
    if (kind == 0) return 0;
    if (kind <= 2) return 1;
    if (kind == 3) return limits.largest_size > 6 ? chance.below(limits.largest_size) + 1 : usual + 1;
    return 2 + chance.below(std::max<std::int64_t>(usual - 1, 1));
  };
  Numbers palette;
  for (std::size_t d = 0; d <= limits.largest_rank; ++d) palette.push_back(size());
  Numbers hints;
  for (const Unknown& one : problem.unknowns()) {
    if (!one.values.empty())
      hints.push_back(chance.pick(one.values));
    else if (one.kind == Unknown::Kind::size)
      hints.push_back(chance.one_in(4) ? size() : palette[one.place]);
    else if (one.kind == Unknown::Kind::integer && !chance.one_in(8))
      hints.push_back(chance.below(9) - 4);
    else
      hints.push_back(one.low + chance.below(one.high - one.low + 1));
  }
  return hints;
}

/// Beyond a number by one, or by much.
std::vector<std::int64_t> outside(const Unknown& unknown, std::int64_t from, bool far) {
  if (unknown.kind != Unknown::Kind::size && unknown.kind != Unknown::Kind::integer) return {};
  if (!far) return {from + 1, from - 1};
  return {from + 4, from - 4, unknown.high, unknown.low};
}

}  // namespace

class FormSolver::Impl {
 public:
  Impl(const OpSpec& spec, FormLimits limits)
      : spec_(spec), limits_(limits), values_(spec), skeletons_(all_skeletons(spec, limits.largest_rank)) {
    z3::context context;
    for (const Skeleton& skeleton : skeletons_) {
      const Problem problem(spec_, skeleton, limits_, context);
      Open& open = open_.emplace_back();
      open.valid = problem.target(nullptr).known() != false;
      for (const Rule& rule : spec_.rules) open.breaks.push_back(problem.target(&rule).known() != false);
    }
    likely_.resize(skeletons_.size());
    std::iota(likely_.begin(), likely_.end(), 0);
    std::ranges::stable_sort(likely_, {}, [&](std::size_t i) { return spread(skeletons_[i]); });
  }

  std::vector<Form> draw(const Rule* broken, std::size_t count, const RandomBits& random) {
    const Chance chance(random);
    const Groups groups = by_greatest_rank(broken);
    for (int attempt = 0; attempt < attempts && !groups.empty(); ++attempt) {
      const std::vector<std::size_t>& group = chance.pick(groups);
      const std::size_t skeleton = chance.one_in(4) ? group.front() : chance.pick(group);
      if (std::vector<Form> forms = draw_from(skeletons_[skeleton], broken, count, chance); !forms.empty())
        return forms;
    }
    return {};
  }

  std::vector<Form> draw_near(const Call& call, const Rule* broken, std::size_t count,
                              const RandomBits& random) {
    return draw_from(skeleton_of(spec_, call), broken, count, Chance(random), &call);
  }

  bool possible(const Rule* broken) {
    for (const std::size_t i : likely_) {
      if (!is_open(i, broken)) continue;
      std::uint64_t state = i;
      const RandomBits bits = [&state] { return state += 0x9E3779B97F4A7C15u; };
      if (!draw_from(skeletons_[i], broken, 4, Chance(bits)).empty()) return true;
    }
    return false;
  }

 private:
  /// Most rules want ranks alike, and few dimensions are settled soonest.
  static std::size_t spread(const Skeleton& skeleton) {
    std::size_t least = max_rank, most = 0;
    for (const Alternative& one : skeleton)
      if (one.kind == Alternative::Kind::tensor)
        least = std::min(least, one.rank), most = std::max(most, one.rank);
    return most < least ? 0 : (most - least) * max_rank + most;
  }

  using Groups = std::vector<std::vector<std::size_t>>;
  struct Open {  ///< what a skeleton's ranks alone do not rule out
    bool valid = false;
    std::vector<bool> breaks;
  };

  bool is_open(std::size_t skeleton, const Rule* broken) const {
    return broken ? open_[skeleton].breaks[static_cast<std::size_t>(broken - spec_.rules.data())]
                  : open_[skeleton].valid;
  }

  /// Each greatest rank is as likely as any other: by number of skeletons the high ones would crowd out the
  /// low.
  Groups by_greatest_rank(const Rule* broken) const {
    std::map<std::size_t, std::vector<std::size_t>> by_rank;
    for (const std::size_t i : likely_) {
      std::size_t rank = 0;
      for (const Alternative& one : skeletons_[i]) rank = std::max(rank, one.rank);
      if (is_open(i, broken)) by_rank[rank].push_back(i);
    }
    Groups groups;
    for (auto& [rank, skeletons] : by_rank) groups.push_back(std::move(skeletons));
    return groups;
  }

  /// Which skeletons the solver has refused is remembered only to save time: it changes nothing that is
  /// drawn.
  std::vector<Form> draw_from(const Skeleton& skeleton, const Rule* broken, std::size_t count,
                              const Chance& chance, const Call* near = nullptr) {
    if (dead_.contains({skeleton, broken})) return {};
    z3::context context;
    Problem problem(spec_, skeleton, limits_, context);
    HintedSolver solver(problem, broken, context);
    if (!solver.satisfiable()) {
      dead_.insert({skeleton, broken});
      return {};
    }
    std::optional<HintedSolver> valid;  // to stand just inside before stepping out
    if (broken && problem.target(nullptr).known() != false) valid.emplace(problem, nullptr, context);
    std::vector<Form> forms;
    for (std::size_t i = 0; i < count; ++i) {
      const bool far = broken && chance.one_in(2);
      Numbers hints = random_hints(problem, limits_, chance);
      if (near) keep_most(hints, problem.numbers(*near), chance);
      const auto numbers = valid ? step_outside(problem, *valid, solver, hints, far, chance)
                                 : solver.solve(hints, chance, nullptr);
      if (!numbers) continue;
      Form form{problem.call(*numbers), broken, far, false, false, {}};
      if (sound(form)) forms.push_back(std::move(form));
    }
    return forms;
  }

  static void keep_most(Numbers& hints, const Numbers& near, const Chance& chance) {
    for (std::size_t i = 0; i < hints.size(); ++i)
      if (!chance.one_in(4)) hints[i] = near[i];
  }

  /// A call that obeys, changed as little as breaking the rule takes; then what was changed is set one step,
  /// or many, beyond where it stood.
  std::optional<Numbers> step_outside(const Problem& problem, HintedSolver& valid, HintedSolver& solver,
                                      const Numbers& hints, bool far, const Chance& chance) {
    const auto inside = valid.solve(hints, chance, nullptr);
    if (!inside) return solver.solve(hints, chance, nullptr);
    std::vector<std::size_t> changed;
    auto numbers = solver.solve(*inside, chance, &changed);
    if (!numbers) return std::nullopt;
    for (const std::size_t i : changed)
      for (const std::int64_t value : outside(problem.unknowns()[i], (*inside)[i], far)) {
        Numbers wanted = *numbers;
        wanted[i] = value;
        std::vector<std::size_t> refused;
        const auto moved = solver.solve(wanted, chance, &refused);
        if (!moved || std::ranges::find(refused, i) != refused.end()) continue;
        numbers = moved;
        break;
      }
    return numbers;
  }

  /// Within the limits, its index choices settled, and by evaluation what it is meant to be.
  bool sound(Form& form) const {
    for (const auto& [name, argument] : form.call.arguments)
      if (const auto* tensor = std::get_if<Tensor>(&argument);
          tensor && tensor->numel() > limits_.largest_numel)
        return false;
    if (!values_.settle(form)) return false;
    if (!small_result(form)) return false;
    return form.recheck ? can_differ(form) : stands_as_meant(form);
  }

  /// Whether there are places enough for index values that must differ; or values at all that break the rule.
  bool can_differ(const Form& form) const {
    Call call = form.call;
    fill(form, call);
    std::uint64_t state = 1;
    return make_distinct(spec_, form, call,
                         [&state] { return (state = state * 6364136223846793005u + 1) >> 33; });
  }

  /// A call that breaks a rule may have no result by the document; what an engine makes of it must fit all
  /// the same.
  bool small_result(const Form& form) const {
    Call call = form.call;
    fill(form, call);
    if (const auto result = result_form(spec_, call)) return numel(result->shape) <= limits_.largest_numel;
    std::size_t ranks = 0;
    for (const auto& [name, argument] : call.arguments)
      if (const auto* tensor = std::get_if<Tensor>(&argument)) ranks += tensor->rank();
    return form.broken && ranks <= max_rank;
  }

  /// The first of the choices everywhere; where values break the rule, that of one element.
  static void fill(const Form& form, Call& call) {
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
  }

  bool stands_as_meant(const Form& form) const {
    Call call = form.call;
    fill(form, call);
    const auto kinds = rule_kinds(spec_, call);
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if ((kinds[i] == RuleState::Kind::broken) != (form.broken == &spec_.rules[i])) return false;
    return true;
  }

  const OpSpec& spec_;
  FormLimits limits_;
  ValueRules values_;
  std::vector<Skeleton> skeletons_;
  std::vector<Open> open_;
  std::vector<std::size_t> likely_;  ///< skeletons, those first in which a rule is most likely breakable
  std::set<std::pair<Skeleton, const Rule*>> dead_;
};

FormSolver::FormSolver(const OpSpec& spec, FormLimits limits) : impl_(std::make_unique<Impl>(spec, limits)) {}
FormSolver::~FormSolver() = default;
FormSolver::FormSolver(FormSolver&&) noexcept = default;

std::vector<Form> FormSolver::draw(const Rule* broken, std::size_t count, const RandomBits& random) {
  return impl_->draw(broken, count, random);
}
std::vector<Form> FormSolver::draw_near(const Call& call, const Rule* broken, std::size_t count,
                                        const RandomBits& random) {
  return impl_->draw_near(call, broken, count, random);
}
bool FormSolver::possible(const Rule* broken) { return impl_->possible(broken); }

}  // namespace scatterproof::spec
