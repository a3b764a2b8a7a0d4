// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/compare/readings.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

#include "combining.hpp"
#include "scatterproof/runner/calls/tensor_edits.hpp"
#include "scatterproof/runner/calls/tensor_forms.hpp"
#include "scatterproof/spec/opspec/frame.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::compare {
namespace {

using spec::Argument;
using spec::Bag;
using spec::CallReading;
using spec::FamilyCall;
using spec::FamilyComparison;
using spec::Scalar;
using spec::Tensor;
using Frame = spec::language::Frame;

/// The same, to be changed.
Argument* role(const FamilyComparison& comparison, FamilyCall& said, std::string_view name) {
  return const_cast<Argument*>(compare::role(comparison, std::as_const(said), name));
}

/// The tensors that a role is, or the items of a list of them; none where it is a number, or left out.
std::vector<Tensor*> tensors(const FamilyComparison& comparison, FamilyCall& said, std::string_view name) {
  std::vector<Tensor*> found;
  for (const std::size_t place : comparison.family->places(name))
    if (auto* tensor = std::get_if<Tensor>(&said.values[place])) found.push_back(tensor);
  return found;
}

/// What an element i of the index becomes; s: the size within which it counts.
using Edit = std::function<std::int64_t(std::int64_t i, std::int64_t s)>;

/// The index, or an item of it, with each element replaced.
std::optional<Tensor> with_elements(const FamilyComparison& comparison, const Frame& frame,
                                    const Tensor& index, std::int64_t item, const Edit& edit) {
  if (!spec::is_integer(index.dtype())) return {};
  std::vector<Scalar> values = index.values();
  if (values.empty()) return index;
  spec::Coords at(index.rank(), 0);
  for (Scalar& value : values) {
    const auto size = spec::counts_within(*comparison.family, frame, at, item);
    if (!size) return {};
    value = Scalar::of_int(edit(value.integer(), *size));
    spec::next(at, index.shape());
  }
  return Tensor(spec::DType::i64, index.shape(), values);
}

/// False: some index is not of integers, or has no size within which it counts. `frame` may refer to `said`:
/// it is used before an index is changed.
bool change_index(const FamilyComparison& comparison, const Frame& frame, const Edit& edit,
                  FamilyCall& said) {
  const std::vector<Tensor*> indices = tensors(comparison, said, "index");
  std::vector<Tensor> replaced;
  for (const Tensor* index : indices) {
    auto one = with_elements(comparison, frame, *index, static_cast<std::int64_t>(replaced.size()), edit);
    if (!one) return false;
    replaced.push_back(*std::move(one));
  }
  for (std::size_t i = 0; i < indices.size(); ++i) *indices[i] = std::move(replaced[i]);
  return true;
}

bool change_index(const FamilyComparison& comparison, const Frame& frame, const CallReading& reading,
                  FamilyCall& said) {
  const auto element = [&](std::int64_t i, std::int64_t s) {
    return std::get<std::int64_t>(spec::language::evaluate(*reading.index, {i, s}));
  };
  return change_index(comparison, frame, element, said);
}

/// Applies `form` to the tensors that the edits name. A tensor that has the form already stays; a number is
/// skipped.
bool change_forms(const FamilyComparison& comparison, const Frame& frame, const CallReading::Edits& edits,
                  FamilyCall& said, std::optional<Tensor> (*form)(const Tensor&, const spec::Shape&)) {
  for (const auto& [name, sizes] : edits) {
    for (Tensor* tensor : tensors(comparison, said, name)) {
      const spec::Shape shape = spec::language::evaluate_tuple(*sizes, frame);
      if (tensor->shape() == shape) continue;
      const auto replaced = form(*tensor, shape);
      if (!replaced) return false;
      *tensor = *replaced;
    }
  }
  return true;
}

std::optional<Tensor> reshaped(const Tensor& tensor, const spec::Shape& shape) {
  if (spec::checked_numel(shape) != tensor.numel()) return {};
  return Tensor(tensor.dtype(), shape, tensor.values());
}

std::optional<Tensor> filled(const Tensor& tensor, const spec::Shape& shape) {
  const std::vector<Scalar> given = tensor.values();
  if (given.empty()) return {};
  std::vector<Scalar> values;
  for (std::int64_t i = 0; i < spec::numel(shape); ++i)
    values.push_back(given[static_cast<std::size_t>(i) % given.size()]);
  return Tensor(tensor.dtype(), shape, values);
}

void cast(const FamilyComparison& comparison, const CallReading& reading, FamilyCall& said) {
  for (const auto& [name, to] : reading.casts) {
    for (Tensor* tensor : tensors(comparison, said, name)) {
      auto dtype = spec::parse_dtype(to);
      if (!dtype) dtype = std::get<Tensor>(*role(comparison, said, to)).dtype();
      *tensor = with_dtype(*tensor, *dtype);
    }
  }
}

/// Numbers nearer to 0 than the least normal one of the dtype become 0.
void flush(const FamilyComparison& comparison, const CallReading& reading, FamilyCall& said) {
  for (const std::string& name : reading.flushes)
    for (Tensor* tensor : tensors(comparison, said, name)) {
      if (!spec::is_float(tensor->dtype())) continue;
      const double least = tensor->dtype() == spec::DType::f64   ? std::numeric_limits<double>::min()
                           : tensor->dtype() == spec::DType::f16 ? 0x1p-14
                                                                 : std::numeric_limits<float>::min();
      std::vector<Scalar> values = tensor->values();
      for (Scalar& value : values)
        if (std::abs(value.real()) < least) value = Scalar::of_real(0);
      *tensor = Tensor(tensor->dtype(), tensor->shape(), values);
    }
}

void copy(const FamilyComparison& comparison, const CallReading& reading, FamilyCall& said) {
  for (const std::string& name : reading.copies)
    for (Tensor* tensor : tensors(comparison, said, name)) *tensor = tensor->contiguous();
}

/// Numbers that are to fill sizes become tensors, of data's dtype. False: that does not hold one of them.
bool make_tensors(const FamilyComparison& comparison, const CallReading& reading, FamilyCall& said) {
  for (const auto& [name, sizes] : reading.fills) {
    Argument* value = role(comparison, said, name);
    const auto* number = std::get_if<Scalar>(value);
    if (!number) continue;
    const Argument* data = compare::role(comparison, std::as_const(said), "data");
    const auto* like = data ? std::get_if<Tensor>(data) : nullptr;
    if (!like || (spec::is_integer(like->dtype()) && !spec::fits(*number, like->dtype()))) return false;
    *value = Tensor(like->dtype(), {1}, std::vector{*number});
  }
  return true;
}

bool change(const FamilyComparison& comparison, const CallReading& reading, FamilyCall& said) {
  const Frame frame = spec::comparison_frame(*comparison.family, said);
  for (const auto& [name, value] : reading.values) {
    const spec::language::Value now = spec::language::evaluate(*value, frame);
    const auto* word = std::get_if<std::string>(&now);
    *role(comparison, said, name) =
        word ? Argument(*word) : Argument(Scalar::of_int(std::get<std::int64_t>(now)));
  }
  cast(comparison, reading, said);
  flush(comparison, reading, said);
  copy(comparison, reading, said);
  if (!make_tensors(comparison, reading, said)) return false;
  return change_forms(comparison, frame, reading.stretches, said, broadcast) &&
         change_forms(comparison, frame, reading.cuts, said, cut) &&
         change_forms(comparison, frame, reading.reshapes, said, reshaped) &&
         change_forms(comparison, frame, reading.fills, said, filled) &&
         (!reading.index || change_index(comparison, frame, reading, said));
}

/// NaN; of integers the lowest number, of unsigned ones the highest; true.
Scalar invalid_of(spec::DType dtype) {
  if (dtype == spec::DType::boolean) return Scalar::of_bool(true);
  if (!spec::is_integer(dtype)) return Scalar::of_real(std::numeric_limits<double>::quiet_NaN());
  const auto [lowest, highest] = spec::integer_range(dtype);
  return Scalar::of_int(lowest < 0 ? lowest : highest);
}

/// The meaning without the positions that are out of range. Empty when there are none.
std::optional<Bag> passing_over(const FamilyComparison& comparison, const spec::Call& call,
                                CallReading::PassesOver how) {
  auto execution = spec::execute_passing_over(comparison.meaning, call);
  if (!execution) return {};
  spec::PartialExecution passed_over = std::move(execution).value();
  const bool drops = how == CallReading::PassesOver::dropped;
  if (drops ? passed_over.lost == 0 || !passed_over.unread.empty() : passed_over.unread.empty()) return {};
  Bag& bag = passed_over.bag;
  const Scalar fill = how == CallReading::PassesOver::zero ? spec::convert(Scalar::of_int(0), bag.dtype)
                                                           : spec::convert(invalid_of(bag.dtype), bag.dtype);
  for (const std::int64_t cell : passed_over.unread)
    bag.list[static_cast<std::size_t>(bag.offsets[static_cast<std::size_t>(cell)])].value = fill;
  return std::move(bag);
}

/// The number wherever nothing is written, and with `starts` also wherever something is. False: it has no
/// value.
bool start_from(const FamilyComparison& comparison, const FamilyCall& said, const CallReading& reading,
                Bag& bag) {
  if (!bag.start) return false;
  try {
    const auto value =
        spec::language::evaluate(*reading.untouched, spec::comparison_frame(*comparison.family, said));
    const auto* whole = std::get_if<std::int64_t>(&value);
    const Scalar number = whole ? Scalar::of_int(*whole) : std::get<spec::language::Element>(value).value;
    for (std::size_t c = 0; c + 1 < bag.offsets.size(); ++c)
      if (reading.starts || bag.offsets[c] == bag.offsets[c + 1])
        (*bag.start)[c] = spec::convert(number, bag.dtype);
    bag.start_counts |= reading.starts;
  } catch (const spec::language::NotEvaluable&) {
    return false;
  }
  return true;
}

}  // namespace

const Argument* role(const FamilyComparison& comparison, const FamilyCall& said, std::string_view name) {
  const spec::Role* found = comparison.family->role(name);
  return found ? &said.values[static_cast<std::size_t>(found - comparison.family->roles.data())] : nullptr;
}

spec::Call as_call(const FamilyComparison& comparison, const FamilyCall& said) {
  spec::Call call{.api = comparison.meaning.api, .arguments = {}};
  for (const spec::ArgumentDecl& declared : comparison.meaning.arguments)
    call.arguments.emplace_back(declared.name, *role(comparison, said, declared.name));
  return call;
}

FamilyCall as_said(const FamilyComparison& comparison, const spec::Call& call) {
  FamilyCall said;
  for (const spec::Role& one : comparison.family->roles) {
    const Argument* value = call.find(one.name);
    said.values.push_back(value ? *value : one.fallback.value_or(spec::None{}));
  }
  return said;
}

std::optional<FamilyCall> changed(const FamilyComparison& comparison, const FamilyCall& said,
                                  Readings readings) {
  FamilyCall other = said;
  try {
    for (const CallReading* reading : readings)
      if (!change(comparison, *reading, other)) return {};
  } catch (const spec::language::NotEvaluable&) {
    return {};
  }
  return other;
}

std::optional<FamilyCall> with_far_indices_moved(const FamilyComparison& comparison, const FamilyCall& said,
                                                 std::int64_t by) {
  FamilyCall other = said;
  const auto moved = [by](std::int64_t i, std::int64_t s) {
    constexpr std::int64_t farthest = std::int64_t{1} << 62;  // the sum stays a number
    return (0 <= i && i < s) || i < -farthest || i > farthest ? i : i + by;
  };
  try {
    if (!change_index(comparison, spec::comparison_frame(*comparison.family, said), moved, other)) return {};
  } catch (const spec::language::NotEvaluable&) {
    return {};
  }
  FamilyCall before = said;
  const std::vector<Tensor*> indices = tensors(comparison, before, "index");
  const std::vector<Tensor*> replaced = tensors(comparison, other, "index");
  for (std::size_t i = 0; i < indices.size(); ++i)
    *replaced[i] = with_dtype(*replaced[i], indices[i]->dtype());
  return other;
}

bool result_fits(const FamilyComparison& comparison, const FamilyCall& said) {
  constexpr std::int64_t most = 4096;  // elements; far more than the largest inputs give
  try {
    const spec::Call call = as_call(comparison, said);
    const Frame frame = spec::make_frame(comparison.meaning, call).frame;
    const spec::Shape sizes = spec::language::evaluate_tuple(*comparison.meaning.meaning.result_shape, frame);
    if (std::ranges::any_of(sizes, [](std::int64_t size) { return size < 0; })) return true;
    const auto elements = spec::checked_numel(sizes);
    return elements && *elements <= most;
  } catch (const spec::language::NotEvaluable&) {
    return true;
  }
}

std::optional<Bag> read(const FamilyComparison& comparison, const FamilyCall& said, Readings readings) {
  const auto other = changed(comparison, said, readings);
  if (!other || !result_fits(comparison, *other)) return {};
  const spec::Call call = as_call(comparison, *other);
  const auto over = std::ranges::find_if(
      readings, [](const CallReading* one) { return one->passes_over != CallReading::PassesOver::nothing; });
  std::optional<Bag> bag;
  if (over != readings.end()) {
    bag = passing_over(comparison, call, (*over)->passes_over);
  } else if (auto executed = spec::execute(comparison.meaning, call)) {
    bag = std::move(executed).value();
  }
  // A reading that leaves the data as it is also does so where the meaning has no value.
  if (!bag) return {};
  for (const CallReading* reading : readings) {
    if (!reading->combines.empty()) bag = combined(*bag, reading->combines);
    if (reading->untouched && !start_from(comparison, *other, *reading, *bag)) return {};
  }
  return bag;
}

bool collides(const FamilyComparison& comparison, const FamilyCall& said) {
  FamilyCall other = said;
  try {
    const Frame frame = spec::comparison_frame(*comparison.family, said);
    const auto inside = [](std::int64_t i, std::int64_t s) { return s > 0 ? (i % s + s) % s : i; };
    if (!change_index(comparison, frame, inside, other)) return false;
  } catch (const spec::language::NotEvaluable&) {
    return false;
  }
  const auto bag = spec::execute(comparison.meaning, as_call(comparison, other));
  if (!bag) return false;
  for (std::size_t c = 1; c < bag->offsets.size(); ++c)
    if (bag->offsets[c] - bag->offsets[c - 1] > 1) return true;
  return false;
}

}  // namespace scatterproof::runner::compare
