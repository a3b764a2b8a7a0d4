// SPDX-License-Identifier: Apache-2.0
// Faults in what is handed back: shapes, dtypes, refusals, and arguments written on the way.
#include <algorithm>
#include <set>
#include <utility>

#include "fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

/// The result tensor, to be changed; null when there is none.
Tensor* result_of(Outcome& outcome) {
  auto* produced = std::get_if<spec::Produced>(&outcome.what);
  return produced ? &produced->tensors.front() : nullptr;
}

bool is_refused(const Outcome& outcome) { return std::holds_alternative<spec::Refused>(outcome.what); }

void say_kind(Outcome& outcome, const char* of, const char* instead) {
  if (refused_as(outcome, of)) std::get<spec::Refused>(outcome.what).error_classes = {instead};
}

Outcome produced(Tensor tensor) { return {spec::Produced{{std::move(tensor)}, {}}, 0}; }

void reshape(Outcome& outcome, Shape (*shape)(const Shape&)) {
  if (Tensor* result = result_of(outcome))
    *result = Tensor(result->dtype(), shape(result->shape()), result->values());
}

void change_dtype(Outcome& outcome, DType from, DType to) {
  if (Tensor* result = result_of(outcome); result && result->dtype() == from)
    *result = Tensor(to, result->shape(), result->values());
}

/// Writes values over those of an argument, as many as there is room for.
void overwrite(Tensor tensor, const std::vector<Scalar>& values) {
  if (tensor.numel() == 0) return;
  spec::Coords at(tensor.rank(), 0);
  for (const Scalar& value : values) {
    tensor.set(at, value);
    if (!spec::next(at, tensor.shape())) return;
  }
}

/// Changes a byte between the elements of an argument, if something lies between them.
void write_gap(const Tensor& tensor) {
  if (tensor.numel() == 0) return;
  std::set<std::int64_t> used;
  spec::Coords at(tensor.rank(), 0);
  do used.insert(tensor.position(at));
  while (spec::next(at, tensor.shape()));
  std::int64_t gap = *used.begin();
  while (used.contains(gap)) ++gap;
  if (gap < *used.rbegin()) {
    std::byte& first =
        (*tensor.shared_storage())[static_cast<std::size_t>(gap) * spec::size_of(tensor.dtype())];
    first = ~first;
  }
}

std::vector<Scalar> zeros(const Tensor& tensor) {
  return std::vector<Scalar>(static_cast<std::size_t>(tensor.numel()), Scalar::of_int(0));
}

constexpr Fault answer_table[] = {
    in_answer("result-transposed", "A matrix comes back transposed, in the shape it should have.",
              [](Outcome& outcome, const KernelCall&) {
                Tensor* result = result_of(outcome);
                if (!result || result->rank() != 2) return;
                const Tensor view = *Tensor::view(result->dtype(), {result->shape()[1], result->shape()[0]},
                                                  {1, result->shape()[1]}, 0, result->shared_storage());
                *result = Tensor(result->dtype(), result->shape(), view.values());
              }),
    in_answer("result-shape-reversed", "The sizes of the result come in reverse order.",
              [](Outcome& outcome, const KernelCall&) {
                reshape(outcome, [](const Shape& shape) { return Shape(shape.rbegin(), shape.rend()); });
              }),
    in_answer("result-flattened", "The result comes back as a vector.",
              [](Outcome& outcome, const KernelCall&) {
                reshape(outcome, [](const Shape& shape) { return Shape{spec::numel(shape)}; });
              }),
    in_answer("result-extra-dimension", "The result has one more dimension, of size 1.",
              [](Outcome& outcome, const KernelCall&) {
                reshape(outcome, [](const Shape& shape) {
                  Shape longer = shape;
                  if (shape.size() < spec::max_rank) longer.push_back(1);
                  return longer;
                });
              }),
    in_answer("result-squeezed", "Dimensions of size 1 are lost from the result.",
              [](Outcome& outcome, const KernelCall&) {
                reshape(outcome, [](const Shape& shape) {
                  Shape shorter = shape;
                  std::erase(shorter, 1);
                  return shorter;
                });
              }),
    in_answer("scalar-as-vector", "A result without dimensions comes back as a vector of length 1.",
              [](Outcome& outcome, const KernelCall&) {
                reshape(outcome, [](const Shape& shape) { return shape.empty() ? Shape{1} : shape; });
              }),
    in_answer("empty-shape-lost", "A result without elements comes back with the shape [0].",
              [](Outcome& outcome, const KernelCall&) {
                reshape(outcome,
                        [](const Shape& shape) { return spec::numel(shape) == 0 ? Shape{0} : shape; });
              }),
    in_answer("empty-index-gives-zeros", "An index without elements gives a result of zeros.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (Tensor* result = result_of(outcome); result && asked.index.numel() == 0)
                  *result = Tensor(result->dtype(), result->shape());
              }),
    in_answer("result-f64-for-f32", "f32 comes back as f64.",
              [](Outcome& outcome, const KernelCall&) { change_dtype(outcome, DType::f32, DType::f64); }),
    in_answer("result-f32-for-f16", "f16 comes back as f32.",
              [](Outcome& outcome, const KernelCall&) { change_dtype(outcome, DType::f16, DType::f32); }),
    in_answer("result-i64-for-i32", "i32 comes back as i64.",
              [](Outcome& outcome, const KernelCall&) { change_dtype(outcome, DType::i32, DType::i64); }),
    in_answer("result-u8-for-bool", "Truth values come back as u8.",
              [](Outcome& outcome, const KernelCall&) { change_dtype(outcome, DType::boolean, DType::u8); }),
    in_answer("result-of-index-dtype", "The result has the dtype of the index.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (Tensor* result = result_of(outcome))
                  *result = Tensor(asked.index.dtype(), result->shape(), zeros(*result));
              }),
    in_answer("two-results", "The result comes twice.",
              [](Outcome& outcome, const KernelCall&) {
                if (auto* came = std::get_if<spec::Produced>(&outcome.what))
                  came->tensors.push_back(came->tensors.front());
              }),
    in_answer("no-result", "No tensor comes back.",
              [](Outcome& outcome, const KernelCall&) {
                if (auto* came = std::get_if<spec::Produced>(&outcome.what)) came->tensors.clear();
              }),
    in_answer("start-returned", "A scatter hands back its data as it was: the work is done on a copy.",
              [](Outcome& outcome, const KernelCall& asked) {
                Tensor* result = result_of(outcome);
                if (result && is_scatter(asked.op) && asked.start_from_data)
                  *result = asked.data.contiguous();
              }),
    in_answer("data-overwritten", "The result is written into the data as well.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (const Tensor* result = result_of(outcome)) overwrite(asked.data, result->values());
              }),
    in_answer("index-overwritten", "Negative indices are replaced in the caller's own index.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (!result_of(outcome)) return;
                std::vector<Scalar> values = asked.index.values();
                for (Scalar& value : values)
                  if (value.integer() < 0) value = Scalar::of_int(0);
                overwrite(asked.index, values);
              }),
    in_answer("index-sorted-in-place", "The caller's own index is sorted.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (!result_of(outcome)) return;
                std::vector<Scalar> values = asked.index.values();
                std::sort(values.begin(), values.end(),
                          [](const Scalar& a, const Scalar& b) { return a.integer() < b.integer(); });
                overwrite(asked.index, values);
              }),
    in_answer("updates-overwritten", "The caller's own updates are zero afterwards.",
              [](Outcome& outcome, const KernelCall& asked) {
                const auto* updates = asked.updates ? std::get_if<Tensor>(&*asked.updates) : nullptr;
                if (updates && result_of(outcome)) overwrite(*updates, zeros(*updates));
              }),
    in_answer("data-gaps-written", "Something is written between the elements of the data.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (result_of(outcome)) write_gap(asked.data);
              }),
    in_answer("index-gaps-written", "Something is written between the elements of the index.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (result_of(outcome)) write_gap(asked.index);
              }),
    in_answer("updates-gaps-written", "Something is written between the elements of the updates.",
              [](Outcome& outcome, const KernelCall& asked) {
                const auto* updates = asked.updates ? std::get_if<Tensor>(&*asked.updates) : nullptr;
                if (updates && result_of(outcome)) write_gap(*updates);
              }),
    in_answer("data-handed-back", "Where there are no updates, the data itself comes back instead of a copy.",
              [](Outcome& outcome, const KernelCall& asked) {
                Tensor* result = result_of(outcome);
                const auto* updates = asked.updates ? std::get_if<Tensor>(&*asked.updates) : nullptr;
                if (result && updates && updates->numel() == 0 && asked.start_from_data) *result = asked.data;
              }),
    in_answer("error-swallowed", "Where a refusal is due, a scatter hands back its data.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (is_refused(outcome) && is_scatter(asked.op)) outcome = produced(asked.data.contiguous());
              }),
    in_answer("error-gives-zeros", "Where an index is out of range, zeros of the index's shape come back.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (refused_as(outcome, "index"))
                  outcome = produced(Tensor(asked.data.dtype(), asked.index.shape()));
              }),
    in_answer("error-gives-nothing", "Where a refusal is due, a tensor without elements comes back.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (is_refused(outcome)) outcome = produced(Tensor(asked.data.dtype(), {0}));
              }),
    in_answer("error-after-partial-write",
              "An index out of range is refused after the data has been written.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (refused_as(outcome, "index")) overwrite(asked.data, zeros(asked.data));
              }),
    in_answer("error-crashes", "An index out of range is not refused but followed, and the process dies.",
              [](Outcome& outcome, const KernelCall&) {
                if (refused_as(outcome, "index")) outcome = {spec::Crashed{11, 0, ""}, 0};
              }),
    in_answer("index-error-called-value", "An index out of range is refused as a wrong value.",
              [](Outcome& outcome, const KernelCall&) { say_kind(outcome, "index", "value"); }),
    in_answer("shape-error-called-index", "Sizes that do not match are refused as an index.",
              [](Outcome& outcome, const KernelCall&) { say_kind(outcome, "shape", "index"); }),
    in_answer("rank-error-called-shape", "Numbers of dimensions that do not match are refused as sizes.",
              [](Outcome& outcome, const KernelCall&) { say_kind(outcome, "rank", "shape"); }),
    in_answer("dtype-error-called-value", "A wrong dtype is refused as a wrong value.",
              [](Outcome& outcome, const KernelCall&) { say_kind(outcome, "dtype", "value"); }),
    in_answer("axis-error-called-index", "An axis out of range is refused as an index.",
              [](Outcome& outcome, const KernelCall&) { say_kind(outcome, "axis", "index"); }),
};

}  // namespace

std::span<const Fault> answer_faults() { return answer_table; }

}  // namespace scatterproof::engines::faulty
