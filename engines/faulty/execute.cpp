// SPDX-License-Identifier: Apache-2.0
// A call executed in stages, element by element, so that each stage can be done wrongly.
#include <utility>
#include <variant>

#include "fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

/// Every tensor compact: from here on, positions are row-major.
void make_compact(KernelCall& call) {
  call.data = call.data.contiguous();
  call.index = call.index.contiguous();
  if (Tensor* updates = update_tensor(call)) *updates = updates->contiguous();
}

/// The dimensions of a walk, turned by an odometer.
class Places {
 public:
  explicit Places(const Walk& walk)
      : walk_(walk),
        at_(static_cast<std::size_t>(walk.rank), 0),
        shape_(walk.shape, walk.shape + walk.rank) {}
  bool next() { return spec::next(at_, shape_); }
  std::int64_t dot(const std::int64_t* strides) const {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < at_.size(); ++d) sum += at_[d] * strides[d];
    return sum;
  }

 private:
  const Walk& walk_;
  spec::Coords at_;
  Shape shape_;
};

std::vector<Move> moves_of(const Reading& reading, const Walk& walk) {
  std::vector<Move> moves;
  if (walk.count == 0) return moves;
  Places places(walk);
  do {
    const std::int64_t lookup = places.dot(walk.index_stride);
    std::int64_t table = places.dot(walk.table_stride);
    bool heeded = true;
    for (int j = 0; j < walk.depth; ++j) {
      const std::int64_t element = lookup + j * walk.index_step;
      const std::int64_t i = reading.call.index.at_position(element).integer();
      table += (i < 0 ? i + walk.size[j] : i) * walk.step[j];
      heeded = heeded && !reading.unheeded.contains(element);
    }
    const std::int64_t stream = places.dot(walk.stream_stride);
    if (heeded) moves.push_back(walk.scatter ? Move{stream, table, lookup} : Move{table, stream, lookup});
  } while (places.next());
  return moves;
}

Scalar settled(const Cell& cell, const Combining& terms) {
  if (cell.received.empty()) return cell.start;
  if (terms.combine == Combiner::assign) return cell.received.back();
  const bool adds = terms.combine == Combiner::sum || terms.combine == Combiner::mean;
  std::vector<Scalar> operands = cell.received;
  if (terms.include_start)
    operands.insert(operands.begin(), cell.start);
  else if (adds)
    operands.insert(operands.begin(), spec::convert(Scalar::of_int(0), terms.dtype));
  Scalar result = operands.front();
  for (std::size_t i = 1; i < operands.size(); ++i) result = terms.step(result, operands[i], terms);
  if (terms.combine == Combiner::mean) {
    const auto count = static_cast<std::int64_t>(cell.received.size()) + (terms.include_start ? 1 : 0);
    result = terms.divide(result, count + terms.count_surplus, terms);
  }
  return spec::convert(result, terms.dtype);
}

std::vector<Cell> fill_cells(const Moving& moving, const Tensor& start) {
  std::vector<Cell> cells;
  for (const Scalar& value : start.values())
    cells.push_back({value, {}, static_cast<std::int64_t>(cells.size())});
  const auto* updates = std::get_if<Tensor>(&*moving.call.updates);
  for (const Move& move : moving.moves)
    cells[static_cast<std::size_t>(move.to)].received.push_back(
        updates ? updates->at_position(move.from)
                : spec::convert(std::get<Scalar>(*moving.call.updates), start.dtype()));
  return cells;
}

Tensor scatter(const Moving& moving, Tensor result, const Stages& wrong) {
  const KernelCall& call = moving.call;
  Combining terms{call.combine,      call.data.dtype(), call.data.dtype(), call.include_start,
                  call.integer_mean, plain_step,        plain_divide,      0};
  std::vector<Cell> cells = fill_cells(moving, result);
  if (wrong.combine) wrong.combine(cells, terms);
  for (const Cell& cell : cells) {
    Scalar value = settled(cell, terms);
    if (wrong.settle) wrong.settle(value, terms);
    result.set_at_position(cell.position, value);
  }
  return result;
}

Tensor gather(const Moving& moving, Tensor result, const Stages& wrong) {
  const Combining terms{Combiner::assign, result.dtype(), result.dtype(), true, {}, nullptr, nullptr, 0};
  for (const Move& move : moving.moves) {
    Scalar value = moving.call.data.at_position(move.from);
    if (wrong.settle) wrong.settle(value, terms);
    result.set_at_position(move.to, value);
  }
  return result;
}

Outcome carry_out(Reading& reading, const Stages& wrong) {
  Walk walk;
  if (auto refusal = make_ready(reading, wrong.read, walk)) return *std::move(refusal);
  Tensor result = make_result(reading.call, walk);
  Moving moving = moving_of(reading, walk);
  if (wrong.move) wrong.move(moving);
  result =
      walk.scatter ? scatter(moving, std::move(result), wrong) : gather(moving, std::move(result), wrong);
  return {spec::Produced{{std::move(result)}, {}}, 0};
}

}  // namespace

Stages stages_of(const Fault& fault) {
  return {.read = fault.read,
          .move = fault.move,
          .combine = fault.combine,
          .settle = fault.settle,
          .answer = fault.answer};
}

std::optional<Outcome> make_ready(Reading& reading, const std::function<void(Reading&)>& read, Walk& walk) {
  if (read) read(reading);
  make_compact(reading.call);
  if (auto refusal = make_walk(reading.call, walk)) return refusal;
  return refuse_index(reading.call, walk);
}

Moving moving_of(const Reading& reading, const Walk& walk) {
  const KernelCall& call = reading.call;
  const auto* updates = call.updates ? std::get_if<Tensor>(&*call.updates) : nullptr;
  return {call, walk, moves_of(reading, walk),
          walk.scatter ? (updates ? updates->shape() : Shape{}) : call.data.shape(),
          Shape(walk.result_shape, walk.result_shape + walk.result_rank)};
}

Outcome execute(const KernelCall& asked, const Stages& wrong) {
  Reading reading{asked, {}};
  Outcome outcome = carry_out(reading, wrong);
  if (wrong.answer) wrong.answer(outcome, asked);
  return outcome;
}

bool is_nd(KernelOp op) { return op == KernelOp::scatter_nd || op == KernelOp::gather_nd; }

bool refused_as(const Outcome& outcome, std::string_view kind) {
  const auto* refused = std::get_if<spec::Refused>(&outcome.what);
  return refused && refused->error_classes.front() == kind;
}

Tensor* update_tensor(KernelCall& call) {
  return call.updates ? std::get_if<Tensor>(&*call.updates) : nullptr;
}

void change_index(Reading& reading, void (*change)(Lookup& lookup, Reading& reading)) {
  KernelCall& call = reading.call;
  const bool nd = is_nd(call.op);
  const auto rank = static_cast<std::int64_t>(call.data.rank());
  const std::int64_t axis = call.axis < 0 ? call.axis + rank : call.axis;
  const std::int64_t width = nd && call.index.rank() > 0 ? call.index.shape().back() : 1;
  const std::int64_t batch = call.op == KernelOp::gather_nd ? call.batch_dims : 0;
  const bool known = nd ? batch >= 0 && batch + width <= rank : rank == 0 || (axis >= 0 && axis < rank);
  if (!known || (!call.start_from_data && !call.output_size)) return;
  if (!spec::is_integer(call.index.dtype())) return;
  std::vector<Scalar> values = call.index.values();
  for (std::size_t n = 0; n < values.size(); ++n) {
    Lookup lookup;
    lookup.value = values[n].integer();
    lookup.number = static_cast<std::int64_t>(n);
    lookup.component = lookup.number % width;
    lookup.width = width;
    lookup.wraps = call.wrap_negative;
    const std::int64_t d = nd ? batch + lookup.component : axis;
    lookup.size = rank == 0 ? 1 : call.data.shape()[static_cast<std::size_t>(d)];
    if (!call.start_from_data) lookup.size = *call.output_size;
    change(lookup, reading);
    values[n] = Scalar::of_int(lookup.value);
  }
  call.index = Tensor(call.index.dtype(), call.index.shape(), values);
}

}  // namespace scatterproof::engines::faulty
