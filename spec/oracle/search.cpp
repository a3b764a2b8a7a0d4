// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec {
namespace {

using language::Node;
using language::Reads;

constexpr std::int64_t largest_size = 2;
constexpr std::size_t largest_rank = 3;
constexpr std::int64_t count_cap = 1'000'000;

/// Distinct under every combiner: different sums and different products for different bags, nearly always.
constexpr std::array<int, 32> primes = {2,  3,  5,  7,   11,  13,  17,  19,  23,  29, 31,
                                        37, 41, 43, 47,  53,  59,  61,  67,  71,  73, 79,
                                        83, 89, 97, 101, 103, 107, 109, 113, 127, 131};

/// What an expression reads.
struct ReadArguments {
  std::set<std::size_t> arguments;
  std::set<std::size_t> elements;  ///< arguments whose elements are read, not only their shape

  void add(const ReadArguments& other) {
    arguments.insert(other.arguments.begin(), other.arguments.end());
    elements.insert(other.elements.begin(), other.elements.end());
  }
};

/// Finds what expressions of a spec read. Lets are resolved to the arguments that they are made of.
class Reader {
 public:
  explicit Reader(const OpSpec& spec) : arguments_(spec.arguments.size()) {
    for (std::size_t i = 0; i < arguments_; ++i) names_.push_back({{i}, {i}});
    for (const auto& [name, expression] : spec.lets) names_.push_back(of({expression}));
  }

  /// Of all of them; null ones read nothing.
  ReadArguments of(std::initializer_list<ExpressionPtr> expressions) const {
    ReadArguments reads;
    for (const ExpressionPtr& one : expressions)
      if (one) add(reads, one->root());
    return reads;
  }

 private:
  void add(ReadArguments& reads, const Node& node) const {
    if (is_name(node, names_.size())) reads.add(names_[static_cast<std::size_t>(node.slot)]);
    const Reads of_tensors = language::reads_of(node);
    const bool shape_only = language::reads_form_only(of_tensors);
    for (const Node& operand : node.operands)
      if (shape_only && is_name(operand, arguments_))
        reads.arguments.insert(static_cast<std::size_t>(operand.slot));
      else
        add(reads, operand);
  }

  static bool is_name(const Node& node, std::size_t names) {
    return node.kind == language::NodeKind::variable && !node.local && node.slot >= 0 &&
           static_cast<std::size_t>(node.slot) < names;
  }

  std::size_t arguments_;
  std::vector<ReadArguments> names_;  ///< by slot: arguments, then lets
};

/// A printed formula is in the document's notation, and its tree is not kept: an argument that it names
/// counts as read.
bool is_word_of(const std::string& name, const std::string& text) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

/// The arguments that the meaning or the formula looks at.
std::set<std::size_t> arguments_of_results(const OpSpec& spec, const Formula* formula) {
  const Reader reader(spec);
  const Meaning& meaning = spec.meaning;
  ReadArguments reads = reader.of({meaning.result_shape, meaning.start, meaning.where, meaning.at,
                                   meaning.value, meaning.combine, meaning.start_counts});
  for (const Loop& loop : meaning.loops) reads.add(reader.of({loop.domain}));
  for (std::size_t i = 0; formula && i < spec.arguments.size(); ++i)
    if (is_word_of(spec.arguments[i].name, formula->reads)) reads.arguments.insert(i);
  return reads.arguments;
}

/// All shapes, the largest sizes first.
std::vector<Shape> small_shapes() {
  std::vector<Shape> shapes;
  for (std::size_t rank = 0; rank <= largest_rank; ++rank) {
    const Shape range(rank, largest_size + 1);
    Coords at(rank, 0);
    do {
      Shape shape;
      for (const std::int64_t size : at) shape.push_back(largest_size - size);
      shapes.push_back(shape);
    } while (next(at, range));
  }
  return shapes;
}

DType preferred(const OpSpec& spec, const ArgumentDecl& declared) {
  for (const TypeVariable& type : spec.types) {
    if (type.name != declared.type) continue;
    for (const DType dtype : {DType::f64, DType::i64, DType::f32, DType::i32})
      if (std::ranges::find(type.dtypes, dtype) != type.dtypes.end()) return dtype;
    return type.dtypes.front();
  }
  return DType::f64;
}

Tensor distinct_data(DType dtype, const Shape& shape, std::size_t argument) {
  std::vector<Scalar> values;
  for (std::int64_t i = 0; i < numel(shape); ++i)
    values.push_back(Scalar::of_int(primes[(static_cast<std::size_t>(i) + 8 * argument) % primes.size()]));
  return Tensor(dtype, shape, values);
}

/// Index values worth trying: every one that can be in range of a size up to two, from either end.
std::vector<std::int64_t> index_values(DType dtype) {
  std::vector<std::int64_t> values;
  for (const std::int64_t value : {0, 1, 2, -1, -2})
    if (fits(Scalar::of_int(value), dtype)) values.push_back(value);
  if (dtype == DType::boolean) values = {0, 1};
  return values;
}

std::vector<Argument> small_lists() {
  std::vector<Argument> lists;
  for (const Shape& shape : small_shapes())
    if (shape.size() < largest_rank) lists.emplace_back(shape);
  return lists;
}

std::string ranks_of(const Call& call) {
  std::string ranks;
  for (const auto& [name, argument] : call.arguments) {
    const auto* tensor = std::get_if<Tensor>(&argument);
    ranks += (ranks.empty() ? "" : " ") + (tensor ? std::to_string(tensor->rank()) : std::string("-"));
  }
  return ranks;
}

std::int64_t elements_of(const Call& call) {
  std::int64_t count = 0;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&argument)) count += tensor->numel();
  return count;
}

}  // namespace

CallSearch::CallSearch(const OpSpec& spec, const Formula* formula) : spec_(spec) {
  for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
    is_index_.push_back(spec.is_index(spec.arguments[i]));
    candidates_.push_back(candidates(spec.arguments[i], i));
    partial_.arguments.emplace_back(spec.arguments[i].name, None{});
    order_.push_back(i);
  }
  partial_.api = spec.api;
  collect_conditions(formula);
  order_arguments(formula);
  assign(0);
  std::ranges::stable_sort(shapes_, [](const SmallShape& a, const SmallShape& b) {
    if (a.ranks != b.ranks) return a.ranks < b.ranks;
    return elements_of(a.call) > elements_of(b.call);
  });
}

std::vector<Argument> CallSearch::candidates(const ArgumentDecl& declared, std::size_t argument) const {
  std::vector<Argument> found;
  const bool tensor =
      declared.kind == ArgumentKind::tensor || declared.kind == ArgumentKind::tensor_or_scalar;
  if (tensor) {
    const DType dtype = preferred(spec_, declared);
    for (const Shape& shape : small_shapes())
      found.emplace_back(is_index_[argument] ? Tensor(dtype, shape) : distinct_data(dtype, shape, argument));
  }
  if (declared.kind == ArgumentKind::tensor_or_scalar || declared.kind == ArgumentKind::scalar)
    found.emplace_back(Scalar::of_int(5));
  if (declared.kind == ArgumentKind::choice) found = declared.choices;
  if (declared.kind == ArgumentKind::boolean) found = {Scalar::of_bool(true), Scalar::of_bool(false)};
  if (declared.kind == ArgumentKind::integers) found = small_lists();
  if (declared.kind == ArgumentKind::integer)
    for (std::int64_t value = -3; value <= 3; ++value) found.emplace_back(Scalar::of_int(value));
  if (declared.optional && !declared.fallback) found.emplace_back(None{});
  return found;
}

void CallSearch::collect_conditions(const Formula* formula) {
  const Reader reader(spec_);
  const auto add = [&](Condition condition, const ReadArguments& reads) {
    condition.needs = reads.arguments;
    condition.values = std::ranges::any_of(reads.elements, [&](std::size_t i) { return is_index_[i]; });
    conditions_.push_back(std::move(condition));
  };
  if (formula && formula->when) add({.when = formula->when}, reader.of({formula->when}));
  for (const Rule& rule : spec_.rules) {
    if (!holds_for(rule.applies, spec_, {})) continue;
    add({.rule = &rule}, reader.of({rule.require, rule.unless}));
  }
}

/// First come the numbers that shapes are compared with, then tensors. Arguments that no shape depends on
/// would only multiply the work while shapes are open, so they come later; those that no result depends on
/// come last.
void CallSearch::order_arguments(const Formula* formula) {
  const std::set<std::size_t> used = arguments_of_results(spec_, formula);
  for (std::size_t i = 0; i < spec_.arguments.size(); ++i)
    if (!is_tensor(i) && !used.contains(i)) idle_.insert(i);
  const auto turn = [&](std::size_t i) {
    if (idle_.contains(i)) return 3;
    return is_tensor(i) ? 1 : meets_tensor(i) ? 0 : 2;
  };
  std::ranges::stable_sort(order_, {}, turn);
}

bool CallSearch::is_tensor(std::size_t argument) const {
  const ArgumentKind kind = spec_.arguments[argument].kind;
  return kind == ArgumentKind::tensor || kind == ArgumentKind::tensor_or_scalar;
}

bool CallSearch::meets_tensor(std::size_t argument) const {
  return std::ranges::any_of(conditions_, [&](const Condition& one) {
    return !one.values && one.needs.contains(argument) &&
           std::ranges::any_of(one.needs, [&](std::size_t need) { return is_tensor(need); });
  });
}

bool CallSearch::holds(const Condition& condition, const CallFrame& frame) const {
  if (condition.rule) return stand(*condition.rule, frame.frame) == RuleState::Kind::obeyed;
  try {
    return language::evaluate_bool(*condition.when, frame.frame);
  } catch (const language::NotEvaluable&) {
    return false;
  }
}

bool CallSearch::assign(std::size_t position) {
  if (position == order_.size()) return settle();
  const std::size_t argument = order_[position];
  const auto settled = [&](const Condition& condition) {
    return std::ranges::all_of(condition.needs, [&](std::size_t need) {
      return std::find(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(position) + 1, need) !=
             order_.begin() + static_cast<std::ptrdiff_t>(position) + 1;
    });
  };
  std::vector<const Condition*> now;
  for (const Condition& condition : conditions_)
    if (!condition.values && condition.needs.contains(argument) && settled(condition))
      now.push_back(&condition);
  bool found = false;
  for (const Argument& candidate : candidates_[argument]) {
    if (found && idle_.contains(argument)) break;
    WorkLimit::check();
    partial_.arguments[argument].second = candidate;
    const CallFrame frame = make_frame(spec_, partial_);
    if (std::ranges::all_of(now, [&](const Condition* condition) { return holds(*condition, frame); }))
      found = assign(position + 1) || found;
  }
  partial_.arguments[argument].second = None{};
  return found;
}

/// Whether some simple filling of the index tensors satisfies the condition: all equal, or counting up.
bool CallSearch::feasible(const Condition& condition, Call& call) const {
  for (const std::int64_t step : {0, 1}) {
    for (const std::int64_t first : {0, 1, 2, -1, -2}) {
      for (std::size_t i = 0; i < is_index_.size(); ++i) {
        const auto* tensor = std::get_if<Tensor>(&call.arguments[i].second);
        if (!is_index_[i] || !tensor) continue;
        std::vector<Scalar> values;
        for (std::int64_t n = 0; n < tensor->numel(); ++n) values.push_back(Scalar::of_int(first + step * n));
        call.arguments[i].second = Tensor(tensor->dtype(), tensor->shape(), values);
      }
      if (holds(condition, make_frame(spec_, call))) return true;
    }
  }
  return false;
}

bool CallSearch::settle() {
  SmallShape shape{.call = partial_, .ranks = ranks_of(partial_)};
  std::vector<const Condition*> filters;  // satisfied by zeros, so each element can be varied alone
  const CallFrame zeros = make_frame(spec_, partial_);
  for (const Condition& condition : conditions_) {
    if (!condition.values) continue;
    Call scratch = partial_;
    if (holds(condition, zeros))
      filters.push_back(&condition);
    else if (!feasible(condition, scratch))
      return false;
  }
  for (std::size_t i = 0; i < is_index_.size(); ++i) {
    const auto* tensor = std::get_if<Tensor>(&partial_.arguments[i].second);
    if (!is_index_[i] || !tensor) continue;
    Call trial = partial_;
    Tensor own = tensor->clone();
    trial.arguments[i].second = own;
    for (std::int64_t n = 0; n < own.numel(); ++n) {
      std::vector<std::int64_t>& allowed = shape.allowed.emplace_back();
      WorkLimit::check();
      for (const std::int64_t value : index_values(own.dtype())) {
        own.set_at_position(n, Scalar::of_int(value));
        const CallFrame frame = make_frame(spec_, trial);
        if (std::ranges::all_of(filters, [&](const Condition* one) { return holds(*one, frame); }))
          allowed.push_back(value);
      }
      own.set_at_position(n, Scalar::of_int(0));
      shape.count = std::min(count_cap, shape.count * static_cast<std::int64_t>(allowed.size()));
    }
  }
  if (shape.count == 0) return false;
  const std::size_t before = shape.allowed.empty() ? empty_[shape.ranks]++ : 0;
  if (before < 32 || before % 128 == 0) shapes_.push_back(std::move(shape));
  return true;
}

Call CallSearch::make(const SmallShape& shape, std::int64_t ordinal) const {
  Call call = shape.call;
  std::size_t element = 0;
  for (std::size_t i = 0; i < is_index_.size(); ++i) {
    const auto* tensor = std::get_if<Tensor>(&call.arguments[i].second);
    if (!is_index_[i] || !tensor) continue;
    std::vector<Scalar> values;
    for (std::int64_t n = 0; n < tensor->numel(); ++n) {
      const auto& allowed = shape.allowed[element++];
      values.push_back(Scalar::of_int(allowed[static_cast<std::size_t>(ordinal) % allowed.size()]));
      ordinal /= static_cast<std::int64_t>(allowed.size());
    }
    call.arguments[i].second = Tensor(tensor->dtype(), tensor->shape(), values);
  }
  return call;
}

bool CallSearch::obeys_values(const Call& call) const {
  const CallFrame frame = make_frame(spec_, call);
  return std::ranges::all_of(conditions_,
                             [&](const Condition& one) { return !one.values || holds(one, frame); });
}

}  // namespace scatterproof::spec
