// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/trial/repair.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "changed_calls.hpp"
#include "scatterproof/runner/calls/tensor_edits.hpp"
#include "scatterproof/runner/calls/tensor_forms.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner {
namespace {

using RepairKind = spec::DiagnosisKind;

/// A repair, and the value that it gives to the argument.
struct Repaired {
  spec::Diagnosis repair;
  spec::Argument value;
};
/// Whether the repair is the one that is looked for.
using Accepts = std::function<bool(const Repaired&)>;

/// The largest, which is the least contrived, first.
using Sizes = std::set<std::int64_t, std::greater<>>;

std::int64_t modulo(std::int64_t value, std::int64_t size) { return (value % size + size) % size; }

struct IndexRepair {
  RepairKind kind;
  std::int64_t (*apply)(std::int64_t value, std::int64_t size);
};
constexpr IndexRepair index_repairs[] = {
    {RepairKind::index_wrapped, [](std::int64_t v, std::int64_t s) { return v < 0 ? v + s : v; }},
    {RepairKind::index_clamped,
     [](std::int64_t v, std::int64_t s) { return std::clamp<std::int64_t>(v, 0, s - 1); }},
    {RepairKind::index_modulo, modulo},
};

spec::Tensor with_index(const spec::Tensor& index, const IndexRepair& repair, std::int64_t size) {
  std::vector<spec::Scalar> values = index.values();
  for (spec::Scalar& value : values) value = spec::Scalar::of_int(repair.apply(value.integer(), size));
  return spec::Tensor(index.dtype(), index.shape(), values);
}

using Tensors = std::vector<const spec::Tensor*>;

/// Whether the call obeys every rule when this index is zero except for one element.
bool is_in_range(const spec::OpSpec& op, const spec::Call& call, std::size_t index,
                 const spec::Target& target, std::int64_t element, std::int64_t value) {
  const auto& tensor = std::get<spec::Tensor>(call.arguments[index].second);
  if (!spec::fits(spec::Scalar::of_int(value), tensor.dtype())) return false;
  spec::Tensor zeros(tensor.dtype(), tensor.shape());
  zeros.set_at_position(element, spec::Scalar::of_int(value));
  const auto kinds = spec::rule_kinds(op, with_argument(call, index, std::move(zeros)), target);
  return std::ranges::find(kinds, spec::RuleState::Kind::broken) == kinds.end();
}

/// Sizes that bound values of this index: those of the tensor that it indexes, whose dtype the result has,
/// and its number of elements, as far as the range of some element ends there. An index of places has its
/// elements along the last axis.
Sizes sizes_counted(const spec::OpSpec& op, const spec::Call& call, std::size_t index,
                    const spec::Target& target) {
  const spec::Argument* indexed = call.find(op.meaning.result_dtype_of);
  const auto* table = indexed ? std::get_if<spec::Tensor>(indexed) : nullptr;
  const spec::Shape& places = std::get<spec::Tensor>(call.arguments[index].second).shape();
  if (!table || spec::numel(places) == 0) return {};
  const std::int64_t elements = places.empty() ? 1 : std::min<std::int64_t>(places.back(), spec::max_rank);
  spec::Shape counted = table->shape();
  counted.push_back(table->numel());
  Sizes sizes;
  for (const std::int64_t size : counted)
    for (std::int64_t element = 0; element < elements && !sizes.contains(size); ++element)
      if (is_in_range(op, call, index, target, element, size - 1) &&
          !is_in_range(op, call, index, target, element, size))
        sizes.insert(size);
  return sizes;
}

/// Whether one of the index repairs is the one that is looked for.
bool any_index_repair(const spec::Tensor& index, const Sizes& sizes, const Accepts& accepts) {
  for (const std::int64_t size : sizes)
    for (const IndexRepair& repair : index_repairs)
      if (accepts(
              {{.kind = repair.kind, .numbers = {repair.kind == RepairKind::index_clamped ? size - 1 : size}},
               with_index(index, repair, size)}))
        return true;
  return false;
}

bool any_axis_repair(std::int64_t axis, const Tensors& tensors, const Accepts& accepts) {
  return std::ranges::any_of(tensors, [&](const spec::Tensor* tensor) {
    const auto rank = static_cast<std::int64_t>(tensor->rank());
    return rank > 0 && modulo(axis, rank) != axis &&
           accepts({{.kind = RepairKind::axis_modulo, .numbers = {rank}},
                    spec::Scalar::of_int(modulo(axis, rank))});
  });
}

bool any_form_repair(const spec::Tensor& tensor, const Tensors& tensors, const Accepts& accepts) {
  const auto casts = [&](spec::DType dtype) {
    return dtype != tensor.dtype() &&
           accepts({{.kind = RepairKind::argument_cast}, with_dtype(tensor, dtype)});
  };
  const auto is = [&](RepairKind kind, const std::optional<spec::Tensor>& other) {
    return other && accepts({{.kind = kind}, *other});
  };
  return casts(spec::DType::i64) || std::ranges::any_of(tensors, [&](const spec::Tensor* like) {
           return casts(like->dtype()) ||
                  is(RepairKind::argument_broadcast, broadcast(tensor, like->shape())) ||
                  is(RepairKind::argument_cut, cut(tensor, like->shape()));
         });
}

/// Any but those of an index.
bool any_other_repair(const spec::OpSpec& op, const std::string& name, const spec::Argument& value,
                      const Tensors& tensors, const Accepts& accepts) {
  if (const auto* tensor = std::get_if<spec::Tensor>(&value))
    return any_form_repair(*tensor, tensors, accepts);
  const auto* number = std::get_if<spec::Scalar>(&value);
  const spec::ArgumentDecl* declared = op.argument(name);
  return number && declared && declared->kind == spec::ArgumentKind::integer &&
         any_axis_repair(number->integer(), tensors, accepts);
}

/// What an index out of range could be read as, if a single cell shows it: that cell may hold any value by
/// chance.
bool is_usual_fill(const spec::Scalar& value, spec::DType dtype) {
  if (value.is_integral()) {
    const auto [lowest, highest] = spec::integer_range(dtype);
    return value.integer() == 0 || value.integer() == lowest || value.integer() == highest;
  }
  const auto format = spec::float_format(dtype);
  const double largest = std::ldexp(2 - std::ldexp(1, 1 - format.precision), format.max_exponent);
  return !(std::abs(value.real()) < largest) || (value.real() == 0 && value.imag() == 0);
}

/// Puts the one value that the result has in all unread cells there. False: it has several, or one by chance.
bool fill_in(const spec::Tensor& result, spec::PartialExecution& passed_over) {
  spec::Bag& bag = passed_over.bag;
  if (result.dtype() != bag.dtype || result.shape() != bag.shape) return false;
  const std::vector<spec::Scalar> values = result.values();
  const spec::Scalar fill = values[static_cast<std::size_t>(passed_over.unread.front())];
  if (passed_over.unread.size() == 1 && !is_usual_fill(fill, bag.dtype)) return false;
  for (const std::int64_t cell : passed_over.unread) {
    const auto at = static_cast<std::size_t>(cell);
    if (bag.offsets[at + 1] - bag.offsets[at] != 1 || !identical(values[at], fill)) return false;
    bag.list[static_cast<std::size_t>(bag.offsets[at])].value = fill;
  }
  return true;
}

/// `index_dropped` or `index_filled` if only values of this index are wrong with the call, and the result is
/// what the meaning gives when these are skipped; else `none`.
RepairKind passing_over(const spec::OpSpec& op, const spec::Call& call, std::size_t index,
                        const spec::Target& target, const spec::Outcome& outcome) {
  const auto& tensor = std::get<spec::Tensor>(call.arguments[index].second);
  const auto in_range =
      spec::expect(op, with_argument(call, index, spec::Tensor(tensor.dtype(), tensor.shape())), target);
  if (!in_range || !in_range->broken.empty()) return RepairKind::none;
  auto execution = spec::execute_passing_over(op, call);
  const auto* produced = std::get_if<spec::Produced>(&outcome.what);
  if (!execution || !produced || produced->tensors.size() != 1) return RepairKind::none;
  spec::PartialExecution passed_over = std::move(execution).value();
  const bool dropped = passed_over.lost > 0;
  const bool filled = !passed_over.unread.empty();
  if (dropped == filled || (filled && !fill_in(produced->tensors.front(), passed_over)))
    return RepairKind::none;
  const spec::Expectation expectation{.what = std::move(passed_over.bag), .broken = {}, .because = {}};
  if (!is_allowed(spec::judge(expectation, outcome).verdict)) return RepairKind::none;
  return dropped ? RepairKind::index_dropped : RepairKind::index_filled;
}

/// The ways of interpreting an index out of range that explain the result; none where no judged cell speaks
/// for one of them.
std::vector<spec::Diagnosis> index_repairs_of(const spec::OpSpec& op, const spec::Call& call,
                                              std::size_t index, const spec::Target& target,
                                              const spec::Outcome& outcome) {
  std::vector<spec::Diagnosis> agreeing;
  bool speaks = false;
  const auto of_kind = [&](RepairKind kind) {
    return std::ranges::find(agreeing, kind, &spec::Diagnosis::kind);
  };
  const auto note = [&](const Repaired& repaired) {
    const RepairKind kind = repaired.repair.kind;
    const auto same = of_kind(kind);
    if (same != agreeing.end() && speaks) return false;
    // By the same size, modulo does what wrapping once does.
    if (kind == RepairKind::index_modulo && of_kind(RepairKind::index_wrapped) != agreeing.end())
      return false;
    const auto verdict = verdict_on(op, with_argument(call, index, repaired.value), target, outcome);
    if (!is_allowed(verdict)) return false;
    const bool passes = verdict == spec::Verdict::pass;
    if (same == agreeing.end())
      agreeing.push_back(repaired.repair);
    else if (passes)
      *same = repaired.repair;
    speaks |= passes;
    return false;  // there may be others
  };
  any_index_repair(std::get<spec::Tensor>(call.arguments[index].second),
                   sizes_counted(op, call, index, target), note);
  if (const RepairKind kind = passing_over(op, call, index, target, outcome); kind != RepairKind::none) {
    agreeing.push_back({.kind = kind});
    speaks = true;
  }
  if (!speaks) agreeing.clear();
  for (spec::Diagnosis& repair : agreeing) repair.subject = spec::as_subject(call.arguments[index].first);
  return agreeing;
}

}  // namespace

bool is_index(const spec::OpSpec& op, const std::string& name, const spec::Argument& value) {
  const auto* tensor = std::get_if<spec::Tensor>(&value);
  const spec::ArgumentDecl* declared = op.argument(name);
  return tensor && spec::is_integer(tensor->dtype()) && declared && op.is_index(*declared);
}

std::vector<spec::Diagnosis> explaining_index_repairs(const spec::OpSpec& op, const spec::Call& call,
                                                      const spec::Target& target,
                                                      const spec::Outcome& outcome) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& [name, value] = call.arguments[i];
    if (!is_index(op, name, value)) continue;
    if (auto repairs = index_repairs_of(op, call, i, target, outcome); !repairs.empty()) return repairs;
  }
  return {};
}

spec::Diagnosis repair_of(const spec::OpSpec& op, const spec::Call& call, const spec::Target& target,
                          const spec::Outcome& outcome) {
  const auto of_index = explaining_index_repairs(op, call, target, outcome);
  if (of_index.size() > 1) return {.kind = RepairKind::index_ambiguous, .subject = of_index.front().subject};
  if (!of_index.empty()) return of_index.front();
  const Tensors tensors = tensors_of(call);
  spec::Diagnosis found;
  for (std::size_t i = 0; i < call.arguments.size() && found.kind == RepairKind::none; ++i) {
    const auto& [name, value] = call.arguments[i];
    const auto explains = [&, &name = name](const Repaired& repaired) {
      if (verdict_on(op, with_argument(call, i, repaired.value), target, outcome) != spec::Verdict::pass)
        return false;
      found = repaired.repair;
      found.subject = spec::as_subject(name);
      return true;
    };
    any_other_repair(op, name, value, tensors, explains);
  }
  return found;
}

std::vector<spec::Diagnosis> mending_index_repairs(const spec::OpSpec& op, const spec::Call& call,
                                                   const spec::Target& target) {
  std::vector<spec::Diagnosis> mending;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& [name, value] = call.arguments[i];
    if (!is_index(op, name, value)) continue;
    const std::size_t before = mending.size();
    const auto note_mending = [&, &name = name](const Repaired& repaired) {
      const spec::Diagnosis repair{.kind = repaired.repair.kind, .subject = spec::as_subject(name)};
      if (std::ranges::find(mending, repair) != mending.end()) return false;
      const auto expectation = spec::expect(op, with_argument(call, i, repaired.value), target);
      if (expectation && expectation->broken.empty()) mending.push_back(repair);
      return false;  // there may be others
    };
    any_index_repair(std::get<spec::Tensor>(value), sizes_counted(op, call, i, target), note_mending);
    // Only the range is wrong then, so that skipping what lies outside it would make the call valid too.
    if (mending.size() > before)
      mending.push_back({.kind = op.meaning.start ? RepairKind::index_dropped : RepairKind::index_filled,
                         .subject = spec::as_subject(name)});
  }
  return mending;
}

}  // namespace scatterproof::runner
