// SPDX-License-Identifier: Apache-2.0
// The fast evaluator's functions, each equivalent to the one in builtins.cpp.
#include <algorithm>
#include <stdexcept>

#include "scatterproof/spec/language/fast_evaluator.hpp"

namespace scatterproof::spec::language {
namespace {

std::span<const std::int64_t> sizes_of(const FastValue& part) {
  return std::span<const std::int64_t>(part.tensor->shape()).subspan(part.tuple.count);
}

}  // namespace

void FastEvaluator::call(const Node& node, FastValue& out) {
  const auto& o = node.operands;
  FastValue scratch;
  switch (node.function) {
    case Function::rank:
      if (const FastValue* part = tensor(o[0], scratch))
        out.set_integer(static_cast<std::int64_t>(sizes_of(*part).size()));
      return;
    case Function::size: {
      const FastValue* part = tensor(o[0], scratch);
      if (part == nullptr) return;
      const auto sizes = sizes_of(*part);
      const auto rank = static_cast<std::int64_t>(sizes.size());
      const std::int64_t d = integer(o[1]);
      if (d < -rank || d >= rank) return fail();
      return out.set_integer(sizes[static_cast<std::size_t>(d < 0 ? d + rank : d)]);
    }
    case Function::shape:
      if (const FastValue* part = tensor(o[0], scratch)) {
        const auto sizes = sizes_of(*part);
        ShortTuple& all = out.set_tuple();
        all.count = sizes.size();  // at most max_rank
        std::copy(sizes.begin(), sizes.end(), all.at.begin());
      }
      return;
    case Function::numel:
      if (const FastValue* part = tensor(o[0], scratch)) out.set_integer(numel(sizes_of(*part)));
      return;
    case Function::dims:
      if (const FastValue* part = tensor(o[0], scratch))
        range(0, static_cast<std::int64_t>(sizes_of(*part).size()), out.set_tuple());
      return;
    case Function::is_compact:
      if (const FastValue* part = tensor(o[0], scratch)) out.set_boolean(is_compact(*part->tensor));
      return;
    case Function::dtype:
      if (const FastValue* part = tensor(o[0], scratch))
        out.kind = FastValue::Kind::dtype, out.dtype = part->tensor->dtype();
      return;
    case Function::len: {
      const FastValue& seen = view(o[0], scratch);
      if (seen.kind == FastValue::Kind::tuple)
        return out.set_integer(static_cast<std::int64_t>(seen.tuple.count));
      if (seen.kind != FastValue::Kind::part || sizes_of(seen).empty()) return fail();
      return out.set_integer(sizes_of(seen)[0]);
    }
    case Function::tuple: {
      const FastValue& seen = view(o[0], scratch);
      if (seen.kind == FastValue::Kind::tuple) return out.assign(seen);
      if (seen.kind != FastValue::Kind::part || sizes_of(seen).size() != 1) return fail();
      if (sizes_of(seen)[0] > 0 && !is_integer(seen.tensor->dtype())) return fail();
      ShortTuple& all = out.set_tuple();
      every_integer(seen, false, [&](std::int64_t integer) {
        append(all, integer);
        return fine();
      });
      return;
    }
    case Function::range: {
      const std::int64_t from = o.size() == 1 ? 0 : integer(o[0]);
      return range(from, integer(o.back()), out.set_tuple());
    }
    case Function::product:
    case Function::sum: {
      const bool adds = node.function == Function::sum;
      std::int64_t result = adds ? 0 : 1;
      for (const std::int64_t item : tuple(o[0], scratch))
        result = whole(result, adds ? Operator::add : Operator::multiply, item);
      return out.set_integer(result);
    }
    case Function::min:
    case Function::max:
      return extreme(node, out);
    case Function::abs: {
      const FastValue& x = view(o[0], scratch);
      if (x.kind != FastValue::Kind::integer) return fail(State::unsure);
      return out.set_integer(x.integer < 0 ? whole(0, Operator::subtract, x.integer) : x.integer);
    }
    case Function::wrap: {
      FastValue second;
      const FastValue& i = view(o[0], scratch);
      return wrap(i, view(o[1], second), out);
    }
    case Function::broadcast: {
      FastValue second;
      const ShortTuple& a = tuple(o[0], scratch);
      if (!common_shape(a, tuple(o[1], second), out.set_tuple())) fail();
      return;
    }
    case Function::broadcastable: {
      FastValue common[2];
      common[0].set_tuple();
      bool any = true;
      for (std::size_t i = 0; i < o.size(); ++i) {
        const ShortTuple& shape = tuple(o[i], scratch);
        any = any && common_shape(common[i % 2].tuple, shape, common[(i + 1) % 2].set_tuple());
      }
      return out.set_boolean(any);
    }
    case Function::broadcasts_to: {
      FastValue second, common;
      const ShortTuple& a = tuple(o[0], scratch);
      const ShortTuple& b = tuple(o[1], second);
      return out.set_boolean(common_shape(a, b, common.set_tuple()) && common.tuple == b);
    }
    case Function::stretch: {
      FastValue second;
      const ShortTuple& at = tuple(o[0], scratch);
      const ShortTuple& sizes = tuple(o[1], second);
      if (at.count < sizes.count) return fail();
      ShortTuple& all = out.set_tuple();
      for (std::size_t d = 0; d < sizes.count; ++d)
        append(all, sizes.at[d] == 1 ? 0 : at.at[at.count - sizes.count + d]);
      return;
    }
    case Function::ravel: {
      FastValue second;
      const ShortTuple& at = tuple(o[0], scratch);
      return out.set_integer(ravel(at, tuple(o[1], second)));
    }
    case Function::unravel: {
      const std::int64_t number = integer(o[0]);
      return unravel(number, tuple(o[1], scratch), out.set_tuple());
    }
    case Function::trues:
      return out.set_integer(trues(node));
    case Function::count: {
      std::int64_t count = 0;
      for (const Node& operand : o) count += view(operand, scratch).kind == FastValue::Kind::none ? 0 : 1;
      return out.set_integer(count);
    }
    case Function::common_shape:
      return common_shape(o, out.set_tuple());
    case Function::elements:
      return elements(node, out.set_tuple());
    case Function::index_shape: {
      const FastValue* indexing = tensor(o[0], scratch);
      if (indexing == nullptr) return;
      ShortTuple& all = out.set_tuple();
      if (indexing->tensor->dtype() == DType::boolean) {
        const auto* places = places_of_trues(o[0], *indexing);
        if (places != nullptr) append(all, std::ssize(*places));
      } else {
        for (const std::int64_t size : sizes_of(*indexing)) append(all, size);
      }
      return;
    }
    case Function::parts:
    case Function::axis_of:
    case Function::numbers_within:
    case Function::is_mask:
      return of_selection(node, out);
    case Function::masks_fit:
      return masks_fit(node, out);
    case Function::numbers_first:  // where it is the operand of another function, that one knows it
      return fail(State::unsure);
    case Function::selected_shape:
    case Function::selected:
      return of_selected(node, out);
    case Function::is_tensor:
      return out.set_boolean(view(o[0], scratch).kind == FastValue::Kind::part);
    case Function::given:
      return out.set_boolean(view(o[0], scratch).kind != FastValue::Kind::none);
    case Function::is_float:
    case Function::is_integer:
    case Function::is_complex: {
      const FastValue& seen = view(o[0], scratch);
      if (seen.kind != FastValue::Kind::dtype) return fail();
      return out.set_boolean(node.function == Function::is_float     ? is_float(seen.dtype)
                             : node.function == Function::is_integer ? is_integer(seen.dtype)
                                                                     : is_complex(seen.dtype));
    }
    case Function::holds:
    case Function::represents: {
      const FastValue& seen = view(o[0], scratch);
      FastValue second;
      const FastValue& number = view(o[1], second);
      if (seen.kind != FastValue::Kind::dtype || !is_number(number)) return fail();
      return out.set_boolean(node.function == Function::holds ? in_range(number_of(number), seen.dtype)
                                                              : spec::fits(number_of(number), seen.dtype));
    }
    case Function::positions:
      break;
  }
  throw std::logic_error("a call that the checker does not let pass");
}

void FastEvaluator::range(std::int64_t from, std::int64_t to, ShortTuple& out) {
  std::int64_t length = 0;
  if (to > from &&
      (__builtin_sub_overflow(to, from, &length) || length > static_cast<std::int64_t>(ShortTuple::most)))
    return fail(State::unsure);  // it is long, and may even be too long to have a value
  for (std::int64_t i = from; i < to; ++i) append(out, i);
}

void FastEvaluator::wrap(const FastValue& i, const FastValue& s, FastValue& out) {
  if (i.kind == FastValue::Kind::tuple && s.kind == FastValue::Kind::tuple &&
      i.tuple.count == s.tuple.count) {
    ShortTuple& all = out.set_tuple();
    for (std::size_t d = 0; d < i.tuple.count; ++d)
      append(all, i.tuple.at[d] < 0 ? whole(i.tuple.at[d], Operator::add, s.tuple.at[d]) : i.tuple.at[d]);
    return;
  }
  std::int64_t index = 0, size = 0;
  if (!read_integer(i, index) || !read_integer(s, size)) return fail();
  out.set_integer(index < 0 ? whole(index, Operator::add, size) : index);
}

std::int64_t FastEvaluator::ravel(const ShortTuple& at, const ShortTuple& sizes) {
  std::int64_t number = 0;
  bool inside = at.count == sizes.count && checked_numel(sizes.span());
  for (std::size_t d = 0; inside && d < sizes.count; ++d) {
    inside = 0 <= at.at[d] && at.at[d] < sizes.at[d];
    number = number * sizes.at[d] + at.at[d];
  }
  if (!inside) fail();
  return number;
}

void FastEvaluator::unravel(std::int64_t number, const ShortTuple& sizes, ShortTuple& out) {
  const auto count = checked_numel(sizes.span());
  if (!count || number < 0 || number >= *count) return fail();
  out.count = sizes.count;
  for (std::size_t d = sizes.count; d-- > 0; number /= sizes.at[d]) out.at[d] = number % sizes.at[d];
}

/// Meanings ask for one position after the other, so the count goes on from where it stood.
std::int64_t FastEvaluator::trues(const Node& node) {
  const Node& named = node.operands[0];
  FastValue scratch, second, common;
  const FastValue* mask = tensor(named, scratch);
  if (mask == nullptr) return 0;
  if (named.kind != NodeKind::variable || named.local) return fail(State::unsure), 0;
  const ShortTuple& sizes = tuple(node.operands[1], second);
  ShortTuple own;
  own.count = 0;
  for (const std::int64_t size : sizes_of(*mask)) append(own, size);
  const auto all = checked_numel(sizes.span());
  if (!fine() || !all || !common_shape(own, sizes, common.set_tuple()) || !(common.tuple == sizes))
    return fail(), 0;
  const std::int64_t end = node.operands.size() == 2 ? *all : ravel(tuple(node.operands[2], scratch), sizes);
  const std::uint32_t version = version_[static_cast<std::size_t>(named.slot)];
  if (counted_.slot != named.slot || counted_.version != version || !(counted_.sizes == sizes) ||
      counted_.numbers > end) {
    counted_.slot = named.slot, counted_.version = version;
    counted_.sizes.assign(sizes);
    counted_.at.count = sizes.count;
    std::fill_n(counted_.at.at.begin(), sizes.count, 0);
    counted_.numbers = counted_.trues = 0;
  }
  if (fine()) count_trues(*mask, end);
  return counted_.trues;
}

void FastEvaluator::count_trues(const FastValue& mask, std::int64_t end) {
  const Tensor& tensor = *mask.tensor;
  ShortTuple& at = counted_.at;
  const std::size_t ahead = at.count - tensor.rank();
  for (; counted_.numbers < end; ++counted_.numbers) {
    std::int64_t position = tensor.offset();
    for (std::size_t d = 0; d < tensor.rank(); ++d)
      if (tensor.shape()[d] != 1) position += at.at[ahead + d] * tensor.strides()[d];
    counted_.trues += convert(tensor.at_position(position), DType::boolean).integer();
    std::size_t d = at.count;
    while (d > 0 && ++at.at[d - 1] == counted_.sizes.at[d - 1]) at.at[--d] = 0;
  }
}

void FastEvaluator::common_shape(std::span<const Node> list, ShortTuple& out) {
  for (const Node& operand : list) {
    FastValue scratch;
    const FastValue& seen = view(operand, scratch);
    if (seen.kind == FastValue::Kind::none) continue;
    if (seen.kind != FastValue::Kind::part) return fail();
    ShortTuple own, before;
    own.count = 0;
    for (const std::int64_t size : sizes_of(seen)) append(own, size);
    before.assign(out);
    if (!common_shape(before, own, out)) return fail();
  }
}

void FastEvaluator::elements(const Node& node, ShortTuple& out) {
  FastValue first;
  const ShortTuple& at = tuple(node.operands[0], first);
  for (std::size_t i = 1; fine() && i < node.operands.size(); ++i) {
    FastValue scratch;
    const FastValue& seen = view(node.operands[i], scratch);
    if (seen.kind == FastValue::Kind::none) continue;
    append(out, element_at(seen, at.span()));
  }
}

/// Of a whole tensor of integers, where broadcasting to a position puts it.
std::int64_t FastEvaluator::element_at(const FastValue& part, std::span<const std::int64_t> at) {
  if (part.kind != FastValue::Kind::part || !is_integer(part.tensor->dtype())) return fail(), 0;
  if (part.tuple.count > 0) return fail(State::unsure), 0;
  const Tensor& tensor = *part.tensor;
  if (at.size() < tensor.rank()) return fail(), 0;
  const std::size_t ahead = at.size() - tensor.rank();
  std::int64_t position = tensor.offset();
  for (std::size_t d = 0; d < tensor.rank(); ++d) {
    const std::int64_t size = tensor.shape()[d], place = size == 1 ? 0 : at[ahead + d];
    if (place < 0 || place >= size) return fail(), 0;
    position += place * tensor.strides()[d];
  }
  return tensor.at_position(position).integer();
}

void FastEvaluator::extreme(const Node& node, FastValue& out) {
  std::int64_t best = 0;
  bool any = false;
  const auto take = [&](std::int64_t integer) {
    if (!any || (node.function == Function::min ? integer < best : integer > best)) best = integer;
    return any = true;
  };
  FastValue scratch;
  if (node.operands.size() > 1) {
    for (const Node& operand : node.operands) take(integer(operand));
  } else if (const FastValue& seen = view(node.operands[0], scratch); seen.kind == FastValue::Kind::part) {
    if (numel(sizes_of(seen)) > 0 && !is_integer(seen.tensor->dtype())) return fail();
    every_integer(seen, true, take);
  } else {
    for (const std::int64_t item : tuple(node.operands[0], scratch)) take(item);
  }
  if (!any) fail();
  out.set_integer(best);
}

bool FastEvaluator::common_shape(const ShortTuple& a, const ShortTuple& b, ShortTuple& out) {
  const ShortTuple &longer = a.count < b.count ? b : a, &other = a.count < b.count ? a : b;
  out.assign(longer);
  const std::size_t ahead = longer.count - other.count;
  for (std::size_t d = 0; d < other.count; ++d) {
    std::int64_t& size = out.at[ahead + d];
    if (size == 1)
      size = other.at[d];
    else if (other.at[d] != 1 && other.at[d] != size)
      return false;
  }
  return true;
}

}  // namespace scatterproof::spec::language
