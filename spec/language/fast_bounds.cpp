// SPDX-License-Identifier: Apache-2.0
// The loop that nearly every spec has, over the values of an index, as a loop over integers.
#include <algorithm>
#include <limits>

#include "scatterproof/spec/language/arithmetic.hpp"
#include "scatterproof/spec/language/fast_evaluator.hpp"

namespace scatterproof::spec::language {
namespace {

bool depends_on_a_variable(const Node& node) {
  return node.kind == NodeKind::quantified || (node.kind == NodeKind::variable && node.local) ||
         std::any_of(node.operands.begin(), node.operands.end(), depends_on_a_variable);
}

/// x[p] of the quantified node's x and p.
bool is_element(const Node& node, const Node& quantified) {
  const Node& tensor = quantified.operands[0].operands[0].operands[0];
  return node.kind == NodeKind::subscript && !node.wraps && node.operands.size() == 2 &&
         node.operands[0].kind == NodeKind::variable && !node.operands[0].local &&
         node.operands[0].slot == tensor.slot && node.operands[1].kind == NodeKind::variable &&
         node.operands[1].local && node.operands[1].slot == quantified.slot;
}

}  // namespace

bool is_bounds(const Node& node) {
  if (node.kind != NodeKind::quantified || node.quantifier != Quantifier::all || node.operands.size() != 2)
    return false;
  const Node &domain = node.operands[0], &body = node.operands[1];
  if (!domain.is_call(Function::positions) || !domain.operands[0].is_call(Function::shape)) return false;
  const Node& tensor = domain.operands[0].operands[0];
  if (tensor.kind != NodeKind::variable || tensor.local || body.kind != NodeKind::comparison) return false;
  const auto bounds = [](Operator op) {  // what is not equal to a number is not one interval
    return op <= Operator::greater_equal && op != Operator::not_equal;
  };
  return body.operands.size() <= 3 && std::all_of(body.operators.begin(), body.operators.end(), bounds) &&
         std::all_of(body.operands.begin(), body.operands.end(),
                     [&](const Node& n) { return is_element(n, node) || !depends_on_a_variable(n); });
}

bool FastEvaluator::all_within(const Node& node) {
  const Node& body = node.operands[1];
  const FastValue& x = variable(node.operands[0].operands[0].operands[0]);
  if (x.kind != FastValue::Kind::part || x.tuple.count > 0 || !is_integer(x.tensor->dtype()))
    return all(node);
  if (x.tensor->numel() == 0) return true;
  // Evaluates the first element in the general way: if it passes, every bound has a value; if not, a bound
  // that the comparison never reaches may have none.
  ShortTuple& at = locals_[static_cast<std::size_t>(node.slot)].set_tuple();
  at.count = x.tensor->rank();
  std::fill_n(at.at.begin(), at.count, 0);
  if (!truth(body) || !fine()) return false;
  std::array<std::int64_t, 3> sides{};
  std::array<bool, 3> is_x{};
  for (std::size_t i = 0; i < body.operands.size(); ++i) {
    FastValue scratch;
    is_x[i] = is_element(body.operands[i], node);
    if (!is_x[i] && !read_integer(view(body.operands[i], scratch), sides[i])) return all(node);
  }
  // The first element passed: so do comparisons of constants, and there is a number below `<` and above `>`.
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < body.operators.size(); ++i) {
    if (is_x[i] == is_x[i + 1]) continue;
    const Operator op = body.operators[i];
    const bool from_above =
        op == Operator::equal || (op == Operator::less || op == Operator::less_equal) == is_x[i];
    const bool from_below = op == Operator::equal || !from_above;
    const bool strict = op == Operator::less || op == Operator::greater;
    const std::int64_t limit = sides[is_x[i] ? i + 1 : i];
    if (from_above) high = std::min(high, limit - strict);
    if (from_below) low = std::max(low, limit + strict);
  }
  return every_integer(x, true,
                       [low, high](std::int64_t integer) { return low <= integer && integer <= high; });
}

}  // namespace scatterproof::spec::language
