// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/selftest/mutants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>

#include "edits.hpp"
#include "scatterproof/spec/language/ast.hpp"
#include "scatterproof/spec/opspec/frame.hpp"

namespace scatterproof::runner::selftest {
namespace {

using spec::ExpressionPtr;
using spec::OpSpec;
using spec::language::Constancy;
using spec::language::Scope;
using spec::language::Type;
using spec::language::Types;

constexpr Types anything = 255;

std::string_view name(Sense sense) {
  return sense == Sense::weakened ? "weakened" : sense == Sense::tightened ? "tightened" : "changed";
}

bool mentions(const spec::language::Node& node, const std::string& name) {
  return node.name == name || std::any_of(node.operands.begin(), node.operands.end(),
                                          [&](const auto& operand) { return mentions(operand, name); });
}

/// Where an edited expression goes.
using Place = ExpressionPtr& (*)(OpSpec&, std::size_t);

class Mutants {
 public:
  explicit Mutants(const OpSpec& spec) : spec_(spec) {
    for (const spec::ArgumentDecl& declared : spec.arguments)
      if (declared.kind == spec::ArgumentKind::tensor) tensors_.push_back(declared.name);
  }

  std::vector<Mutant> make() && {
    for (std::size_t i = 0; i < spec_.rules.size(); ++i) rule(i);
    lets();
    meaning();
    latitude();
    return std::move(mutants_);
  }

 private:
  Mutant& add(const std::string& name, std::string says, std::function<void(OpSpec&)> change) {
    mutants_.push_back({spec_.api + "/" + name, std::move(says), "reference", std::move(change)});
    return mutants_.back();
  }

  ExpressionPtr parsed(const std::string& text, const Scope& scope, Types expected) const {
    auto expression =
        spec::language::parse_expression({.file = spec_.file, .at = {}, .text = text}, scope, expected);
    return expression ? *expression : nullptr;
  }

  /// One mutant for each edit that is still an expression; numbered separately by sense.
  void edited(const std::string& what, const std::vector<Edit>& edits, const Scope& scope, Types expected,
              bool only_more, Place place, std::size_t at) {
    std::map<Sense, int> numbers;
    for (const Edit& edit : edits) {
      if (only_more && edit.sense == Sense::tightened) continue;
      const ExpressionPtr expression = parsed(edit.text, scope, expected);
      if (!expression ||
          (expected == static_cast<Types>(Type::boolean) && expression->constancy() != Constancy::varies))
        continue;
      const int number = ++numbers[edit.sense];
      add(fmt::format("{}/{}-{}", what, name(edit.sense), number), edit.text,
          [place, at, expression](OpSpec& spec) { place(spec, at) = expression; });
    }
  }

  // ---- rules

  /// Whether breaking the rule is an error for a native engine, which reads the newest release on a CPU.
  static bool is_error(const spec::Rule& rule) {
    const auto holds = std::find_if(rule.broken.begin(), rule.broken.end(),
                                    [](const spec::Promise& promise) { return is_read(promise.applies); });
    return holds != rule.broken.end() && holds->kind == spec::Promise::Kind::error;
  }
  static bool is_read(const spec::Applies& applies) {
    return applies.until.empty() && (applies.device.empty() || applies.device == "cpu");
  }

  void rule(std::size_t at) {
    const spec::Rule& one = spec_.rules[at];
    if (!is_read(one.applies)) return;
    const std::string what = "rule/" + one.id;
    const Scope scope = base_scope(spec_);
    constexpr auto boolean = static_cast<Types>(Type::boolean);
    removed(at, what);
    const std::string inverted = fmt::format("not ({})", one.require->text());
    add(what + "/inverted", inverted, [at, expression = parsed(inverted, scope, boolean)](OpSpec& spec) {
      spec.rules[at].require = expression;
    });
    edited(
        what, condition_edits(*one.require), scope, boolean, !is_error(one),
        [](OpSpec& spec, std::size_t i) -> ExpressionPtr& { return spec.rules[i].require; }, at);
    if (one.unless && is_error(one))
      add(what + "/always", "without its exception", [at](OpSpec& spec) { spec.rules[at].unless = nullptr; });
  }

  /// The rule is gone, and with a type its claim on the arguments. A choice without its rule could not be
  /// called with other words, so there is nothing to see.
  void removed(std::size_t at, const std::string& what) {
    const std::string id = spec_.rules[at].id;
    if (std::any_of(spec_.arguments.begin(), spec_.arguments.end(),
                    [&](const spec::ArgumentDecl& declared) { return declared.rule == id; }))
      return;
    add(what + "/removed", "no such rule", [at, id](OpSpec& spec) {
      spec.rules.erase(spec.rules.begin() + static_cast<std::ptrdiff_t>(at));
      std::erase_if(spec.types, [&](const spec::TypeVariable& type) { return type.name == id; });
      for (spec::ArgumentDecl& declared : spec.arguments)
        if (declared.type == id) declared.type.clear();
    });
  }

  /// Whether rules or the meaning read a name, by themselves or through a later let. Others serve printed
  /// formulas, which judge nothing.
  bool is_used(const std::string& name) const {
    const auto reads = [&](const ExpressionPtr& expression) {
      return expression && mentions(expression->root(), name);
    };
    const spec::Meaning& made = spec_.meaning;
    return std::any_of(spec_.rules.begin(), spec_.rules.end(),
                       [&](const spec::Rule& rule) { return reads(rule.require) || reads(rule.unless); }) ||
           std::any_of(made.loops.begin(), made.loops.end(),
                       [&](const spec::Loop& loop) { return reads(loop.domain); }) ||
           reads(made.result_shape) || reads(made.start) || reads(made.where) || reads(made.at) ||
           reads(made.value) || reads(made.combine) || reads(made.start_counts) ||
           std::any_of(spec_.lets.begin(), spec_.lets.end(), [&](const auto& let) {
             return let.first != name && reads(let.second) && is_used(let.first);
           });
  }

  void lets() {
    Scope scope;
    const Scope whole = base_scope(spec_);
    for (std::size_t i = 0; i < spec_.arguments.size(); ++i)
      scope.declare(whole.variables()[i].name, whole.variables()[i].types);
    for (std::size_t i = 0; i < spec_.lets.size(); ++i) {
      const auto& [name, expression] = spec_.lets[i];
      if (is_used(name))
        edited(
            "let/" + name, coordinate_edits(*expression, tensors_), scope, expression->types(), false,
            [](OpSpec& spec, std::size_t at) -> ExpressionPtr& { return spec.lets[at].second; }, i);
      scope.declare(name, expression->types());
    }
  }

  // ---- meaning

  void meaning() {
    Scope scope = base_scope(spec_);
    const spec::Meaning& made = spec_.meaning;
    edited(
        "result", coordinate_edits(*made.result_shape, tensors_), scope, static_cast<Types>(Type::tuple),
        false, [](OpSpec& spec, std::size_t) -> ExpressionPtr& { return spec.meaning.result_shape; }, 0);
    if (made.start) start(scope);
    for (std::size_t i = 0; i < made.loops.size(); ++i) {
      edited(
          "for/" + made.loops[i].variable, coordinate_edits(*made.loops[i].domain, tensors_), scope,
          static_cast<Types>(Type::tuple), false,
          [](OpSpec& spec, std::size_t at) -> ExpressionPtr& { return spec.meaning.loops[at].domain; }, i);
      scope.declare(made.loops[i].variable, static_cast<Types>(Type::tuple));
    }
    if (made.where) where(scope);
    edited(
        "at", coordinate_edits(*made.at, tensors_), scope, made.at->types(), false,
        [](OpSpec& spec, std::size_t) -> ExpressionPtr& { return spec.meaning.at; }, 0);
    edited(
        "value", coordinate_edits(*made.value, tensors_), scope, made.value->types(), false,
        [](OpSpec& spec, std::size_t) -> ExpressionPtr& { return spec.meaning.value; }, 0);
  }

  void where(const Scope& scope) {
    add("where/removed", "every position writes", [](OpSpec& spec) { spec.meaning.where = nullptr; });
    edited(
        "where", condition_edits(*spec_.meaning.where), scope, static_cast<Types>(Type::boolean), false,
        [](OpSpec& spec, std::size_t) -> ExpressionPtr& { return spec.meaning.where; }, 0);
  }

  /// Only for scatters: without a start every cell receives one value, so a combiner has nothing to do. Those
  /// behind the quotient leave all cells of some dtypes free, which no engine contradicts.
  void start(const Scope& scope) {
    const spec::Meaning& made = spec_.meaning;
    std::vector<std::string> words;
    for (const spec::Combiner one : spec::all_combiners)
      if (one <= spec::Combiner::quotient) words.emplace_back(spec::name(one));
    edited(
        "combine", word_edits(*made.combine, words), scope, static_cast<Types>(Type::word), false,
        [](OpSpec& spec, std::size_t) -> ExpressionPtr& { return spec.meaning.combine; }, 0);
    std::vector<std::string> others = {"0", "1"};
    others.insert(others.end(), tensors_.begin(), tensors_.end());
    for (const std::string& other : others)
      if (other != made.start->text())
        if (const auto expression = parsed(other, scope, anything))
          add("start/" + other, other, [expression](OpSpec& spec) { spec.meaning.start = expression; });
    add("start/absent", "every cell is written", [](OpSpec& spec) { spec.meaning.start = nullptr; });
    if (made.combine->text() == "\"assign\"") return;
    const std::string counts =
        made.start_counts ? fmt::format("not ({})", made.start_counts->text()) : "false";
    add("start_counts/inverted", counts,
        [expression = parsed(counts, scope, static_cast<Types>(Type::boolean))](OpSpec& spec) {
          spec.meaning.start_counts = expression;
        });
  }

  // ---- latitude

  bool combines(std::string_view word) const {
    return spec_.meaning.combine->text().find(fmt::format("\"{}\"", word)) != std::string::npos;
  }

  /// Removes what the document leaves free; an engine that uses this latitude contradicts the mutant.
  void latitude() {
    const spec::Latitude& free = spec_.latitude;
    const auto tightened = [&](const std::string& word, const char* engine, auto member, auto value) {
      add("latitude/" + word, word, [member, value](OpSpec& spec) { spec.latitude.*member = value; }).engine =
          engine;
    };
    using spec::Latitude;
    if (spec_.meaning.start && combines("assign") && free.collisions == spec::Collisions::any)
      tightened("collisions-last", "faulty:order-reversed", &Latitude::collisions, spec::Collisions::last);
    if (combines("mean") && free.integer_mean == spec::IntegerMean::open) {
      tightened("integer_mean-floor", "faulty:mean-truncates", &Latitude::integer_mean,
                spec::IntegerMean::floor);
      tightened("integer_mean-truncate", "reference", &Latitude::integer_mean, spec::IntegerMean::truncate);
    }
    if ((combines("amax") || combines("amin")) && free.nan == spec::NanPolicy::open) {
      tightened("nan-propagate", "faulty:nan-blind", &Latitude::nan, spec::NanPolicy::propagate);
      tightened("nan-ignore", "reference", &Latitude::nan, spec::NanPolicy::ignore);
    }
    if ((combines("sum") || combines("prod") || combines("mean")) && free.accumulate == spec::Accumulate::any)
      tightened("accumulate-wider", "reference", &Latitude::accumulate, spec::Accumulate::wider);
  }

  const OpSpec& spec_;
  std::vector<std::string> tensors_;
  std::vector<Mutant> mutants_;
};

}  // namespace

OpSpec mutated(OpSpec spec, const Mutant& mutant) {
  mutant.change(spec);
  return spec;
}

std::vector<Mutant> mutants_of(const OpSpec& spec) { return Mutants(spec).make(); }

}  // namespace scatterproof::runner::selftest
