// SPDX-License-Identifier: Apache-2.0
// What goes wrong across calls: something of the call before is used again.
#include <algorithm>

#include "drawn.hpp"

namespace scatterproof::engines::faulty {
namespace {

bool same_kind(const Tensor& a, const Tensor& b) { return a.dtype() == b.dtype() && a.shape() == b.shape(); }

std::int64_t largest(const Tensor& index) {
  std::int64_t largest = -1;
  if (spec::is_integer(index.dtype()))
    for (const Scalar& value : index.values()) largest = std::max(largest, value.integer());
  return largest;
}

constexpr StateFault state_table[] = {
    {"stale-cell", "The last cell holds what the last cell of the result before held.",
     [](const Memory& memory) -> Stages {
       return {.answer = [&memory](Outcome& outcome, const KernelCall&) {
         auto* produced = std::get_if<spec::Produced>(&outcome.what);
         if (!produced || !memory.result || memory.result->numel() == 0) return;
         Tensor& result = produced->tensors.front();
         if (result.dtype() == memory.result->dtype() && result.numel() > 0)
           result.set_at_position(result.numel() - 1, memory.result->at_position(memory.result->numel() - 1));
       }};
     }},
    {"stale-axis", "The axis of the call before is used.",
     [](const Memory& memory) -> Stages {
       return {.read = [&memory](Reading& reading) {
         if (memory.previous->data.rank() == reading.call.data.rank() && !is_nd(reading.call.op))
           reading.call.axis = memory.previous->axis;
       }};
     }},
    {"stale-index", "The first element of the index is that of the call before.",
     [](const Memory& memory) -> Stages {
       return {.read = [&memory](Reading& reading) {
         std::vector<Scalar> values = reading.call.index.values();
         const std::vector<Scalar> before = memory.previous->index.values();
         if (values.empty() || before.empty() || memory.previous->index.dtype() != reading.call.index.dtype())
           return;
         values.front() = before.front();
         reading.call.index = Tensor(reading.call.index.dtype(), reading.call.index.shape(), values);
       }};
     }},
    {"stale-count", "As many elements are moved as the index of the call before had, if there are more.",
     [](const Memory& memory) -> Stages {
       return {.move = [&memory](Moving& moving) {
         const auto count = static_cast<std::size_t>(memory.previous->index.numel());
         if (moving.moves.size() > count) moving.moves.resize(count);
       }};
     }},
    {"stale-size", "The index is checked against the size that the call before had.",
     [](const Memory& memory) -> Stages {
       return {.answer = [&memory](Outcome& outcome, const KernelCall& asked) {
         if (std::holds_alternative<spec::Produced>(outcome.what) &&
             largest(asked.index) >= axis_size(*memory.previous))
           outcome = {spec::Refused{{"index"}, "out of range for the call before"}, 0};
       }};
     }},
    {"stale-data", "The data is that of the call before, where dtype and sizes are the same.",
     [](const Memory& memory) -> Stages {
       return {.read = [&memory](Reading& reading) {
         if (same_kind(reading.call.data, memory.previous->data)) reading.call.data = memory.previous->data;
       }};
     }},
    {"stale-cells", "Cells that receive nothing hold what a larger result before held in their place.",
     [](const Memory& memory) -> Stages {
       return {.combine = [&memory](std::vector<Cell>& cells, Combining& terms) {
         const bool larger = memory.result && memory.result->numel() > std::ssize(cells);
         if (!larger || memory.result->dtype() != terms.dtype) return;
         for (Cell& cell : cells)
           if (cell.received.empty()) cell.start = memory.result->at_position(cell.position);
       }};
     }},
    {"stale-refusal", "The call after one that was refused is refused as well.",
     [](const Memory& memory) -> Stages {
       return {.answer = [&memory](Outcome& outcome, const KernelCall&) {
         if (memory.refused) outcome = {spec::Refused{{"index"}, "out of range in the call before"}, 0};
       }};
     }},
};

}  // namespace

void Memory::remember(const KernelCall& call, const Outcome& outcome) {
  ++calls;
  previous = call;
  const auto* produced = std::get_if<spec::Produced>(&outcome.what);
  result = produced ? std::optional(produced->tensors.front().contiguous()) : std::nullopt;
  refused = std::holds_alternative<spec::Refused>(outcome.what);
}

void Memory::remember(const KernelCall& call, const Tensor& asked, KernelGradients made) {
  ++calls;
  previous = call;
  cotangent = asked;
  gradients = std::move(made);
}

const StateFault* find_state_fault(std::string_view name) {
  for (const StateFault& fault : state_table)
    if (fault.name == name) return &fault;
  return nullptr;
}

std::int64_t axis_size(const KernelCall& call) {
  const auto rank = static_cast<std::int64_t>(call.data.rank());
  if (!call.start_from_data) return call.output_size.value_or(0);
  std::int64_t axis = call.axis;
  if (is_nd(call.op)) axis = call.op == KernelOp::gather_nd ? call.batch_dims : 0;
  return rank == 0 ? 0 : call.data.shape()[static_cast<std::size_t>((axis % rank + rank) % rank)];
}

}  // namespace scatterproof::engines::faulty
