// SPDX-License-Identifier: Apache-2.0
// The language's functions, and tuples whose length may be unknown, as formulas.
#include <algorithm>

#include "reader.hpp"

namespace scatterproof::spec::solve {

using language::Function;

namespace {
Integer number(std::size_t i) { return static_cast<std::int64_t>(i); }
}  // namespace

Integer smaller(const Integer& a, const Integer& b) { return choose(a < b, a, b); }
Integer larger(const Integer& a, const Integer& b) { return choose(a < b, b, a); }

Tuple tuple_of(std::vector<Integer> items) {
  const Integer length = number(items.size());
  return {length, std::move(items)};
}

std::size_t known_length(const Tuple& tuple) {
  if (!tuple.length.known()) throw NotSolvable("a tuple of unknown length");
  return static_cast<std::size_t>(std::max<std::int64_t>(*tuple.length.known(), 0));
}

Integer item(const Tuple& tuple, const Integer& at) {
  if (tuple.items.empty()) return 0;
  Integer result = tuple.items.back();
  for (std::size_t i = tuple.items.size() - 1; i-- > 0;)
    result = choose(at == number(i), tuple.items[i], result);
  return result;
}

Tuple joined(const Tuple& a, const Tuple& b) {
  Tuple result{a.length + b.length, {}};
  const std::size_t most = std::min(longest_tuple, a.items.size() + b.items.size());
  for (std::size_t i = 0; i < most; ++i) {
    const Integer from_b = item(b, number(i) - a.length);
    result.items.push_back(i < a.items.size() ? choose(number(i) < a.length, a.items[i], from_b) : from_b);
  }
  return result;
}

Tuple cut(const Tuple& tuple, const Integer& from, const Integer& to) {
  Tuple result{larger(to - from, 0), {}};
  for (std::size_t i = 0; i < tuple.items.size(); ++i) {
    if ((number(i) < result.length).known() == false) break;
    result.items.push_back(item(tuple, from + number(i)));
  }
  return result;
}

Tuple those_kept(const Tuple& tuple, const std::vector<SymbolicTruth>& kept) {
  Tuple result;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i].known() == false) continue;
    // Item i goes to one of the places that the items before it may have left free.
    result.items.push_back(tuple.items[i]);
    for (std::size_t k = 0; k + 1 < result.items.size(); ++k)
      result.items[k] = choose(kept[i] && result.length == number(k), tuple.items[i], result.items[k]);
    result.length = result.length + choose(kept[i], Integer(1), Integer(0));
  }
  return result;
}

SymbolicTruth equal(const Tuple& a, const Tuple& b) {
  SymbolicTruth result = a.length == b.length;
  for (std::size_t i = 0; i < std::min(a.items.size(), b.items.size()) && result.known() != false; ++i)
    result = result && (a.length <= number(i) || a.items[i] == b.items[i]);
  return result;
}

SymbolicTruth broadcastable(const Tuple& a, const Tuple& b) {
  const std::size_t m = known_length(a), n = known_length(b);
  SymbolicTruth result = true;
  for (std::size_t i = 1; i <= std::min(m, n); ++i) {
    const Integer &x = a.items[m - i], &y = b.items[n - i];
    result = result && (x == 1 || y == 1 || x == y);
  }
  return result;
}

Tuple broadcast(const Tuple& a, const Tuple& b) {
  const std::size_t m = known_length(a), n = known_length(b);
  std::vector<Integer> items(std::max(m, n), 0);
  for (std::size_t i = 1; i <= items.size(); ++i)
    items[items.size() - i] = i > m   ? b.items[n - i]
                              : i > n ? a.items[m - i]
                                      : choose(a.items[m - i] == 1, b.items[n - i], a.items[m - i]);
  return tuple_of(std::move(items));
}

SymbolicTruth broadcasts_to(const Tuple& a, const Tuple& to) {
  const std::size_t m = known_length(a);
  SymbolicTruth result = number(m) <= to.length;
  for (std::size_t i = 1; i <= m && result.known() != false; ++i)
    result = result && (a.items[m - i] == 1 || a.items[m - i] == item(to, to.length - number(i)));
  return result;
}

Integer ExpressionReader::size(const SymbolicPart& of, const Integer& d) {
  const Integer rank = number(of.sizes.size() - of.prefix.size());
  require(Integer(0) - rank <= d && d < rank);
  const std::vector<Integer> left(of.sizes.begin() + static_cast<std::ptrdiff_t>(of.prefix.size()),
                                  of.sizes.end());
  return item(tuple_of(left), choose(d < 0, d + rank, d));
}

/// Exact for up to one dimension of unknown size; otherwise only whether there is any element is known.
Integer ExpressionReader::numel(const SymbolicPart& of) {
  Integer known = 1;
  std::vector<Integer> open;
  for (std::size_t d = of.prefix.size(); d < of.sizes.size(); ++d) {
    if (of.sizes[d].known())
      known = known * of.sizes[d];
    else
      open.push_back(of.sizes[d]);
  }
  if (open.empty()) return known;
  if (open.size() == 1) return known * open[0];
  const Integer count = unknown("numel");
  SymbolicTruth some = !(known == 0);
  for (const Integer& size : open) {
    some = some && Integer(0) < size;
    sides_.push_back((!some || size <= count).in(context_));
  }
  sides_.push_back((Integer(0) <= count && same(some, Integer(0) < count)).in(context_));
  return count;
}

Integer ExpressionReader::extreme(const Node& node) {
  std::vector<Integer> all;
  if (node.operands.size() == 1) {
    const Symbol seen = symbol(node.operands[0]);
    const auto* items = std::get_if<Tuple>(&seen);
    if (items == nullptr) throw NotSolvable("the extreme of a tensor");
    all.assign(items->items.begin(),
               items->items.begin() + static_cast<std::ptrdiff_t>(known_length(*items)));
  } else {
    for (const Node& operand : node.operands) all.push_back(integer(operand));
  }
  require(!all.empty());
  Integer result = all.empty() ? Integer(0) : all.front();
  for (std::size_t i = 1; i < all.size(); ++i)
    result = node.function == Function::min ? smaller(result, all[i]) : larger(result, all[i]);
  return result;
}

/// The tensors among these operands; the others are not given.
std::vector<SymbolicPart> ExpressionReader::given(std::span<const Node> operands) {
  std::vector<SymbolicPart> parts;
  for (const Node& operand : operands)
    if (!std::holds_alternative<std::monostate>(symbol(operand))) parts.push_back(part(operand));
  return parts;
}

namespace {
std::vector<Integer> sizes_left(const SymbolicPart& of) {
  return {of.sizes.begin() + static_cast<std::ptrdiff_t>(of.prefix.size()), of.sizes.end()};
}
}  // namespace

Tuple ExpressionReader::common_shape(std::span<const Node> list) {
  Tuple common;
  for (const SymbolicPart& of : given(list)) {
    const Tuple sizes = tuple_of(sizes_left(of));
    require(broadcastable(common, sizes));
    common = broadcast(common, sizes);
  }
  return common;
}

SymbolicTruth ExpressionReader::are_broadcastable(std::span<const Node> shapes) {
  std::vector<Tuple> all;
  for (const Node& shape : shapes) all.push_back(tuple(shape));
  SymbolicTruth result = true;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) result = result && broadcastable(all[i], all[j]);
  return result;
}

Symbol ExpressionReader::call(const Node& node) {
  const auto& operands = node.operands;
  switch (node.function) {
    case Function::rank: {
      const SymbolicPart of = part(operands[0]);
      return number(of.sizes.size() - of.prefix.size());
    }
    case Function::size: {
      const SymbolicPart of = part(operands[0]);
      return size(of, integer(operands[1]));
    }
    case Function::shape:
      return tuple_of(sizes_left(part(operands[0])));
    case Function::numel:
      return numel(part(operands[0]));
    case Function::dims: {
      std::vector<Integer> all;
      for (std::size_t d = sizes_left(part(operands[0])).size(); d-- > 0;) all.insert(all.begin(), number(d));
      return tuple_of(std::move(all));
    }
    case Function::is_compact:  // tensors are drawn so, and laid out in other ways afterwards
      return SymbolicTruth(true);
    case Function::dtype:
      return Code{Code::Of::dtype, part(operands[0]).dtype};
    case Function::len: {
      const Symbol seen = symbol(operands[0]);
      if (const auto* items = std::get_if<Tuple>(&seen)) return items->length;
      return size(part(operands[0]), 0);
    }
    case Function::range: {
      const Integer from = operands.size() == 1 ? Integer(0) : integer(operands[0]);
      const Integer length = larger(integer(operands.back()) - from, 0);
      Tuple all{length, {}};
      for (std::size_t i = 0; i < longest_tuple && (number(i) < length).known() != false; ++i)
        all.items.push_back(from + number(i));
      return all;
    }
    case Function::sum: {
      const Tuple items = tuple(operands[0]);
      Integer total = 0;
      for (std::size_t i = 0; i < items.items.size(); ++i)
        total = total + choose(number(i) < items.length, items.items[i], 0);
      return total;
    }
    case Function::min:
    case Function::max:
      return extreme(node);
    case Function::abs: {
      const Integer value = integer(operands[0]);
      return choose(value < 0, Integer(0) - value, value);
    }
    case Function::wrap: {
      const Integer at = integer(operands[0]);
      return choose(at < 0, at + integer(operands[1]), at);
    }
    case Function::broadcast: {
      const Tuple a = tuple(operands[0]), b = tuple(operands[1]);
      require(broadcastable(a, b));
      return broadcast(a, b);
    }
    case Function::broadcastable:
      return are_broadcastable(operands);
    case Function::broadcasts_to:
      return broadcasts_to(tuple(operands[0]), tuple(operands[1]));
    case Function::count:
      return number(given(operands).size());
    case Function::common_shape:
      return common_shape(operands);
    case Function::index_shape:  // of a mask that a rule forbids, it is the evaluation that knows
      return tuple_of(sizes_left(part(operands[0])));
    case Function::parts:
      return parts(node);
    case Function::axis_of:
      return axis_of(node);
    case Function::numbers_within:
      return numbers_within(node);
    case Function::is_mask:
      return is_mask(node);
    case Function::masks_fit:
      return masks_fit(node);
    case Function::numbers_first:  // where it is the operand of another function, that one knows it
      throw NotSolvable("a selection that is made of another");
    case Function::selected_shape:
      return selected_shape(node);
    case Function::is_tensor:
      return SymbolicTruth(std::holds_alternative<SymbolicPart>(symbol(operands[0])));
    case Function::given:
      return SymbolicTruth(!std::holds_alternative<std::monostate>(symbol(operands[0])));
    case Function::is_float:
    case Function::is_integer:
    case Function::is_complex: {
      const Symbol seen = symbol(operands[0]);
      const auto* code = std::get_if<Code>(&seen);
      if (!code) throw NotSolvable("the kind of a value that is not a dtype");
      SymbolicTruth one = false;
      for (const DType dtype : all_dtypes)
        if (node.function == Function::is_float     ? is_float(dtype)
            : node.function == Function::is_integer ? is_integer(dtype)
                                                    : is_complex(dtype))
          one = one || code->number == Integer(static_cast<std::int64_t>(dtype));
      return one;
    }
    case Function::tuple:
    case Function::positions:
    case Function::product:
    case Function::stretch:
    case Function::ravel:
    case Function::unravel:
    case Function::trues:
    case Function::elements:
    case Function::selected:
    case Function::holds:
    case Function::represents:
      break;
  }
  throw NotSolvable("a function over elements");
}

}  // namespace scatterproof::spec::solve
