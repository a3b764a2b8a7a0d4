// SPDX-License-Identifier: Apache-2.0
// The fast evaluator's booleans: connectives, quantifiers, comparisons.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "scatterproof/spec/core/hash_index.hpp"
#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/language/arithmetic.hpp"
#include "scatterproof/spec/language/fast_evaluator.hpp"

namespace scatterproof::spec::language {

bool FastEvaluator::truth(const Node& node) {
  const auto& o = node.operands;
  const auto holds_here = [this](const Node& operand) { return truth(operand); };
  switch (node.kind) {
    case NodeKind::quantified:
      return quantified(node);
    case NodeKind::negation:
      return !truth(o[0]);
    case NodeKind::conjunction:
      return std::all_of(o.begin(), o.end(), holds_here);
    case NodeKind::disjunction:
      return std::any_of(o.begin(), o.end(), holds_here);
    case NodeKind::implication:
      return !truth(o[0]) || truth(o[1]);
    case NodeKind::comparison:
      return comparison(node);
    case NodeKind::conditional:
      return truth(o[truth(o[0]) ? 1 : 2]);
    default:
      break;
  }
  FastValue scratch;
  const FastValue& seen = view(node, scratch);
  if (seen.kind == FastValue::Kind::boolean) return seen.integer != 0;
  if (is_number(seen))
    if (const Scalar number = number_of(seen); number.kind() == Scalar::Kind::boolean)
      return number.integer() != 0;
  fail();
  return false;
}

// --- quantifiers ---

/// Binds the variable to each value of the domain until `stop` returns true or something has no value.
template <class Stop>
bool FastEvaluator::search(const Node& node, Stop&& stop, std::int64_t at_either_end) {
  const Node& domain = node.operands[0];
  FastValue& bound = locals_[static_cast<std::size_t>(node.slot)];
  const bool filtered = node.operands.size() == 3;
  const auto stops = [&] {
    WorkLimit::step();
    return ((!filtered || truth(node.operands[2])) && stop()) || !fine();
  };
  FastValue scratch;
  if (domain.is_call(Function::positions))
    return search_positions(node, tuple(domain.operands[0], scratch), stops, at_either_end);
  if (domain.is_call(Function::range)) {
    const bool from_zero = domain.operands.size() == 1;
    const std::int64_t from = from_zero ? 0 : integer(domain.operands[0]);
    const std::int64_t to = integer(domain.operands.back());
    // The difference fits where that of signed numbers would not.
    const bool skips = from<to&& static_cast<std::uint64_t>(to) -
                            static_cast<std::uint64_t>(from)> static_cast<std::uint64_t>(2 * at_either_end);
    for (std::int64_t i = from; fine() && i < to; ++i) {
      if (skips && i == from + at_either_end) i = to - at_either_end;
      bound.set_integer(i);
      if (stops()) return true;
    }
    return false;
  }
  ShortTuple items;
  items.assign(tuple(domain, scratch));
  for (std::size_t i = 0; fine() && i < items.count; ++i) {
    bound.set_integer(items.at[i]);
    if (stops()) return true;
  }
  return false;
}

template <class Stop>
bool FastEvaluator::search_positions(const Node& node, const ShortTuple& sizes, Stop&& stop,
                                     std::int64_t at_either_end) {
  const auto count = checked_numel(sizes.span());
  if (!count) fail();
  if (!fine() || *count == 0) return false;
  ShortTuple limits;
  limits.assign(sizes);  // a copy, because the sizes may come from the variable's own slot
  ShortTuple& at = locals_[static_cast<std::size_t>(node.slot)].set_tuple();
  at.count = limits.count;
  std::fill_n(at.at.begin(), at.count, 0);
  const bool skips = *count > 2 * at_either_end;
  for (std::int64_t n = 1;; ++n) {
    if (stop()) return true;
    if (skips && n == at_either_end) {
      n = *count - at_either_end;
      std::int64_t flat = n;
      for (std::size_t d = at.count; d > 0; flat /= limits.at[--d]) at.at[d - 1] = flat % limits.at[d - 1];
      continue;
    }
    std::size_t d = at.count;
    while (d > 0 && ++at.at[d - 1] == limits.at[d - 1]) at.at[--d] = 0;
    if (d == 0) return false;
  }
}

std::int64_t FastEvaluator::values_of(const Node& domain) {
  FastValue scratch;
  if (domain.is_call(Function::positions))
    return checked_numel(tuple(domain.operands[0], scratch).span()).value_or(all_of_them);
  if (domain.is_call(Function::range)) {
    const std::int64_t from = domain.operands.size() == 1 ? 0 : integer(domain.operands[0]);
    return std::max<std::int64_t>(integer(domain.operands.back()) - from, 0);
  }
  return static_cast<std::int64_t>(tuple(domain, scratch).count);
}

std::int64_t FastEvaluator::steps(const Node& node) {
  std::int64_t most = 1;
  const auto look_into = [&](const Node& part) { most = std::max(most, steps(part)); };
  if (node.kind != NodeKind::quantified) {
    std::ranges::for_each(node.operands, look_into);
    return most;
  }
  search(node, [&] {  // the first value stands for all
    look_into(node.operands[1]);
    return true;
  });
  const std::int64_t values = values_of(node.operands[0]);
  return values > all_of_them / most ? all_of_them : values * most;
}

bool FastEvaluator::all(const Node& node) {
  return !search(
      node, [&] { return !truth(node.operands[1]); }, sampled_);
}

bool FastEvaluator::quantified(const Node& node) {
  const Node& body = node.operands[1];
  switch (node.quantifier) {
    case Quantifier::all:
      return node.bounds ? all_within(node) : all(node);
    case Quantifier::any:
      return search(node, [&] { return truth(body); });
    case Quantifier::unique:
      return unique(node);
    case Quantifier::each:  // a tuple, which the checker lets stand for no truth
      break;
  }
  throw std::logic_error("no such quantifier");
}

namespace {

/// Tuples, each once. The first few are compared in turn, which is quick and allocates nothing; more are
/// looked up.
class TupleSet {
 public:
  /// Whether it was new.
  bool add(const ShortTuple& one) {
    if (count_ < few) {
      if (std::find(first_.begin(), first_.begin() + count_, one) != first_.begin() + count_) return false;
      first_[count_++].assign(one);
      return true;
    }
    if (places_.empty())
      for (const ShortTuple& early : first_) look_up(early);
    return look_up(one);
  }

 private:
  static constexpr std::size_t few = 32;

  bool look_up(const ShortTuple& one) {
    const auto* words = reinterpret_cast<const std::uint64_t*>(one.at.data());
    const auto same = [&](std::size_t number) {
      const std::int64_t* const begin = numbers_.data() + places_[number];
      return std::equal(one.begin(), one.end(), begin, begin + (place_after(number) - places_[number]));
    };
    if (!index_.add(hash_of_words({words, one.count}), same)) return false;
    places_.push_back(numbers_.size());
    numbers_.insert(numbers_.end(), one.begin(), one.end());
    return true;
  }
  std::size_t place_after(std::size_t number) const {
    return number + 1 < places_.size() ? places_[number + 1] : numbers_.size();
  }

  std::array<ShortTuple, few> first_;
  std::size_t count_ = 0;
  HashIndex index_;
  std::vector<std::int64_t> numbers_;  ///< of all tuples, one behind the other
  std::vector<std::size_t> places_;    ///< where each begins
};

}  // namespace

bool FastEvaluator::unique(const Node& node) {
  TupleSet seen;
  return !search(node, [&] {
    FastValue scratch;
    const ShortTuple& one = tuple(node.operands[1], scratch);
    return !fine() || !seen.add(one);
  });
}

void FastEvaluator::each(const Node& node, FastValue& out) {
  ShortTuple items;
  items.count = 0;
  search(node, [&] {
    append(items, integer(node.operands[1]));
    return false;
  });
  out.set_tuple().assign(items);
}

// --- comparisons ---

bool FastEvaluator::comparison(const Node& node) {
  std::int64_t a = 0, b = 0;
  if (node.operators.size() == 1 && node.operators[0] <= Operator::greater_equal &&
      read_whole(node.operands[0], a) && read_whole(node.operands[1], b))
    return ordered(a, node.operators[0], b);
  // Each operand is evaluated once, though it stands in two pairs: nothing here has side effects.
  FastValue scratch[2];
  const FastValue* left = &view(node.operands[0], scratch[0]);
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    const Operator op = node.operators[i];
    const Node& right = node.operands[i + 1];
    if (op == Operator::in || op == Operator::not_in) {
      if (member(*left, right) != (op == Operator::in)) return false;
      if (i + 1 == node.operators.size()) return true;
    }
    const FastValue* seen = &view(right, scratch[(i + 1) % 2]);
    if (op != Operator::in && op != Operator::not_in && !holds(*left, op, *seen)) return false;
    left = seen;
  }
  return true;
}

bool FastEvaluator::member(const FastValue& item, const Node& collection) {
  FastValue scratch;
  if (collection.kind == NodeKind::list)
    return std::any_of(collection.operands.begin(), collection.operands.end(),
                       [&](const Node& one) { return holds(item, Operator::equal, view(one, scratch)); });
  std::int64_t wanted = 0;
  const bool whole = read_integer(item, wanted);
  const ShortTuple& items = tuple(collection, scratch);
  return whole && std::find(items.begin(), items.end(), wanted) != items.end();
}

namespace {

bool equal(const FastValue& a, const FastValue& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case FastValue::Kind::none:
      return true;
    case FastValue::Kind::word:
      return *a.word == *b.word;
    case FastValue::Kind::dtype:
      return a.dtype == b.dtype;
    case FastValue::Kind::tuple:
      return a.tuple == b.tuple;
    default:
      return false;
  }
}

}  // namespace

bool FastEvaluator::holds(const FastValue& left, Operator op, const FastValue& right) {
  if (!fine()) return false;
  if (left.kind == FastValue::Kind::integer && right.kind == FastValue::Kind::integer)
    return ordered(left.integer, op, right.integer);
  if (is_number(left) && is_number(right)) {
    const Scalar a = number_of(left), b = number_of(right);
    if (a.is_integral() && b.is_integral()) return ordered(a.integer(), op, b.integer());
    if (op == Operator::equal || op == Operator::not_equal)
      return (a.real() == b.real() && a.imag() == b.imag()) == (op == Operator::equal);
    if (a.kind() != Scalar::Kind::complex && b.kind() != Scalar::Kind::complex)
      return ordered(a.real(), op, b.real());
    fail();
    return false;
  }
  const bool equality = op == Operator::equal || op == Operator::not_equal;
  if (!equality || left.kind == FastValue::Kind::part || right.kind == FastValue::Kind::part) {
    fail();
    return false;
  }
  return equal(left, right) == (op == Operator::equal);
}

}  // namespace scatterproof::spec::language
