// SPDX-License-Identifier: Apache-2.0
// Faults in what a call may be: ranks, sizes, dtypes, axes; and in which axis is meant.
#include <algorithm>

#include "fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

std::int64_t rank_of(const KernelCall& call) { return static_cast<std::int64_t>(call.data.rank()); }

Tensor converted(const Tensor& tensor, DType dtype) { return Tensor(dtype, tensor.shape(), tensor.values()); }

Outcome refused(const char* kind) { return {spec::Refused{{kind}, "refused without cause"}, 0}; }

bool has_zero(const Shape& shape) { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }

constexpr Fault check_table[] = {
    in_read("broadcast-accepted", "Sizes of 1 are stretched where the document asks for equal ones.",
            [](Reading& r) { r.call.broadcast = true; }),
    in_read("broadcast-refused", "Sizes of 1 are not stretched where the document says so.",
            [](Reading& r) { r.call.broadcast = false; }),
    in_read("scalar-updates-of-size-one", "Updates of one element stand for as many as are needed.",
            [](Reading& r) {
              Tensor* updates = update_tensor(r.call);
              if (updates && updates->numel() == 1) r.call.updates = updates->values().front();
            }),
    in_read("surplus-updates-accepted", "Rows of updates beyond the index are silently ignored.",
            [](Reading& r) { r.call.surplus_updates = true; }),
    in_read("surplus-updates-refused", "Rows of updates beyond the index are refused where they are allowed.",
            [](Reading& r) { r.call.surplus_updates = false; }),
    in_read("larger-updates-accepted", "Updates larger than the index are accepted where they must be equal.",
            [](Reading& r) { r.call.index_equals_updates = false; }),
    in_read("larger-updates-refused", "Updates larger than the index are refused where they are allowed.",
            [](Reading& r) { r.call.index_equals_updates = true; }),
    in_read("smaller-index-refused", "An index smaller than the data is refused where it is allowed.",
            [](Reading& r) { r.call.index_equals_data = true; }),
    in_read("larger-index-accepted",
            "The part of the index beyond the sizes of the data is left out, not refused.",
            [](Reading& r) {
              KernelCall& c = r.call;
              const bool elements = c.op == KernelOp::scatter_elements || c.op == KernelOp::gather_elements;
              if (!elements || c.broadcast || c.index.rank() != c.data.rank() || c.index.numel() == 0) return;
              Shape sizes = c.index.shape();
              const std::int64_t axis = c.axis < 0 ? c.axis + rank_of(c) : c.axis;
              for (std::size_t d = 0; d < sizes.size(); ++d)
                if (static_cast<std::int64_t>(d) != axis) sizes[d] = std::min(sizes[d], c.data.shape()[d]);
              c.index = *Tensor::view(c.index.dtype(), sizes, c.index.strides(), c.index.offset(),
                                      c.index.shared_storage());
            }),
    in_read("updates-counted-not-measured",
            "Updates need the index's number of elements only, whatever their sizes.",
            [](Reading& r) {
              Tensor* updates = update_tensor(r.call);
              if (!updates || updates->numel() != r.call.index.numel()) return;
              if (r.call.op != KernelOp::scatter_elements || r.call.broadcast) return;
              *updates = Tensor(updates->dtype(), r.call.index.shape(), updates->values());
            }),
    in_read("rank-zero-accepted", "Tensors without dimensions are taken for vectors where they are refused.",
            [](Reading& r) {
              r.call.needs_dimensions = false;
              if (r.call.data.rank() > 0 || r.call.op == KernelOp::scatter_elements ||
                  r.call.op == KernelOp::gather_elements)
                return;
              r.call.data = Tensor(r.call.data.dtype(), {1}, r.call.data.values());
            }),
    in_read("rank-zero-refused", "Tensors without dimensions are refused where they stand for vectors.",
            [](Reading& r) { r.call.needs_dimensions = true; }),
    in_answer("empty-index-refused", "An index without elements is refused.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (asked.index.numel() == 0) outcome = refused("shape");
              }),
    in_read("empty-index-checked", "An index without elements must fit, though the document lets it pass.",
            [](Reading& r) { r.call.empty_index_unchecked = false; }),
    in_read("empty-index-unchecked", "An index without elements passes whatever the ranks and sizes.",
            [](Reading& r) { r.call.empty_index_unchecked = true; }),
    in_answer("empty-result-refused", "A result without elements is refused.",
              [](Outcome& outcome, const KernelCall&) {
                const auto* produced = std::get_if<spec::Produced>(&outcome.what);
                if (produced && has_zero(produced->tensors.front().shape())) outcome = refused("shape");
              }),
    in_answer("axis-negative-refused", "An axis counted from the end is refused.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (asked.axis < 0) outcome = refused("axis");
              }),
    in_read("axis-negative-off-by-one", "An axis counted from the end is one off.",
            [](Reading& r) {
              if (r.call.axis < 0 && r.call.axis > -rank_of(r.call)) --r.call.axis;
            }),
    in_read("axis-rank-accepted", "An axis equal to the rank is accepted, and means the last.",
            [](Reading& r) {
              if (r.call.axis == rank_of(r.call) && r.call.axis > 0) --r.call.axis;
            }),
    in_read("axis-below-range-accepted", "An axis one below minus the rank is accepted, and means the first.",
            [](Reading& r) {
              if (r.call.axis == -rank_of(r.call) - 1 && r.call.axis < -1) r.call.axis = 0;
            }),
    in_read("axis-modulo", "An axis out of range is taken modulo the rank.",
            [](Reading& r) {
              const std::int64_t rank = rank_of(r.call);
              if (rank > 0) r.call.axis = (r.call.axis % rank + rank) % rank;
            }),
    in_read("axis-from-wrong-end", "An axis is counted from the other end.",
            [](Reading& r) {
              if (!is_nd(r.call.op)) r.call.axis = -1 - r.call.axis;
            }),
    in_read("axis-always-first", "The first axis is used whatever is asked.",
            [](Reading& r) {
              if (r.call.axis >= -rank_of(r.call) && r.call.axis < rank_of(r.call)) r.call.axis = 0;
            }),
    in_read("batch-ignored", "batch_dims is taken to be 0.", [](Reading& r) { r.call.batch_dims = 0; }),
    in_read("updates-dtype-converted", "Updates of another dtype are converted, not refused.",
            [](Reading& r) {
              if (Tensor* updates = update_tensor(r.call))
                *updates = converted(*updates, r.call.data.dtype());
            }),
    in_read("index-dtype-converted", "An index of any integer dtype is accepted.",
            [](Reading& r) {
              if (!r.call.index_dtypes.empty() && spec::is_integer(r.call.index.dtype()))
                r.call.index = converted(r.call.index, r.call.index_dtypes.front());
              if (r.call.index_dtypes.empty() && spec::is_integer(r.call.index.dtype()))
                r.call.index = converted(r.call.index, DType::i64);
            }),
    in_read("float-index-converted", "An index of a float dtype is cut off to integers, not refused.",
            [](Reading& r) {
              if (spec::is_float(r.call.index.dtype()))
                r.call.index = converted(
                    r.call.index, r.call.index_dtypes.empty() ? DType::i64 : r.call.index_dtypes.front());
            }),
    in_answer("bool-refused", "Tensors of truth values are refused.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (asked.data.dtype() == DType::boolean) outcome = refused("dtype");
              }),
    in_answer("half-refused", "Tensors of 16-bit floats are refused.",
              [](Outcome& outcome, const KernelCall& asked) {
                if (asked.data.dtype() == DType::f16 || asked.data.dtype() == DType::bf16)
                  outcome = refused("dtype");
              }),
    in_read("output-size-ignored", "The size of the result is taken from the index though one is given.",
            [](Reading& r) {
              if (r.call.index.numel() > 0) r.call.output_size.reset();
            }),
};

}  // namespace

std::span<const Fault> check_faults() { return check_table; }

}  // namespace scatterproof::engines::faulty
