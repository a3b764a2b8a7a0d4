// SPDX-License-Identifier: Apache-2.0
// What a fault is: one stage of executing a call, done wrongly.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "scatterproof/engines/native/kernel.hpp"
#include "scatterproof/engines/native/walk.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::engines::faulty {

using spec::Combiner;
using spec::DType;
using spec::Outcome;
using spec::Scalar;
using spec::Shape;
using spec::Tensor;

/// Stage 1: the call as the engine reads it, before any check.
struct Reading {
  KernelCall call;                  ///< its tensors share the caller's storage until they are replaced
  std::set<std::int64_t> unheeded;  ///< elements of the index, by row-major number, whose moves are skipped
};

/// Stage 2: an element on its way. Positions are row-major; a scatter moves updates into cells of the result,
/// a gather data into cells of the result.
struct Move {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t lookup = 0;  ///< the element of the index (the first of a tuple), by row-major number
};
struct Moving {
  const KernelCall& call;
  const Walk& walk;
  std::vector<Move> moves;  ///< in the documents' order
  Shape from_shape;         ///< what `from` is a position of; `{}` of one number
  Shape to_shape;           ///< the result's
};

/// Stage 3: how a cell of a scatter combines its start and what it receives.
struct Cell {
  Scalar start;
  std::vector<Scalar> received;  ///< in the order of the moves; empty: untouched
  std::int64_t position = 0;     ///< row-major
};
struct Combining {
  Combiner combine = Combiner::assign;
  DType dtype = DType::f32;
  DType accumulator = DType::f32;  ///< each step of a sum, product or mean is rounded to this
  bool include_start = true;
  spec::IntegerMean integer_mean = spec::IntegerMean::floor;
  Scalar (*step)(const Scalar& sofar, const Scalar& value, const Combining& terms);
  Scalar (*divide)(const Scalar& sum, std::int64_t count, const Combining& terms);
  std::int64_t count_surplus = 0;  ///< a mean divides by this many more than it added
};

/// A fault changes what one stage works on. Null: the stage is correct.
struct Fault {
  std::string_view name;
  std::string_view says;
  void (*read)(Reading& reading) = nullptr;
  void (*move)(Moving& moving) = nullptr;
  void (*combine)(std::vector<Cell>& cells, Combining& terms) = nullptr;  ///< before the cells are settled
  void (*settle)(Scalar& cell,
                 const Combining& terms) = nullptr;  ///< each cell of the result, once it is known
  void (*answer)(Outcome& outcome, const KernelCall& asked) = nullptr;  ///< what is handed back
};

// A fault of one stage, with its function as one readable expression.
constexpr Fault in_read(std::string_view name, std::string_view says, void (*read)(Reading&)) {
  return {.name = name, .says = says, .read = read};
}
constexpr Fault in_move(std::string_view name, std::string_view says, void (*move)(Moving&)) {
  return {.name = name, .says = says, .move = move};
}
constexpr Fault in_combine(std::string_view name, std::string_view says,
                           void (*combine)(std::vector<Cell>&, Combining&)) {
  return {.name = name, .says = says, .combine = combine};
}
constexpr Fault in_settle(std::string_view name, std::string_view says,
                          void (*settle)(Scalar&, const Combining&)) {
  return {.name = name, .says = says, .settle = settle};
}
constexpr Fault in_answer(std::string_view name, std::string_view says,
                          void (*answer)(Outcome&, const KernelCall&)) {
  return {.name = name, .says = says, .answer = answer};
}

// The library of faults: one file for each stage or part of one.
std::span<const Fault> layout_faults();
std::span<const Fault> check_faults();
std::span<const Fault> index_faults();
std::span<const Fault> move_faults();
std::span<const Fault> collision_faults();
std::span<const Fault> arithmetic_faults();
std::span<const Fault> answer_faults();

/// The named fault of the library; null if there is none.
const Fault* find_fault(std::string_view name);

/// The same stages for one call, able to know more than the call: what came before it, for example.
struct Stages {
  std::function<void(Reading&)> read = nullptr;
  std::function<void(Moving&)> move = nullptr;
  std::function<void(std::vector<Cell>&, Combining&)> combine = nullptr;
  std::function<void(Scalar&, const Combining&)> settle = nullptr;
  std::function<void(Outcome&, const KernelCall&)> answer = nullptr;
};
Stages stages_of(const Fault& fault);

/// Stages 1 and 2, also of gradients: reads the call, then checks it and fills in its walk, which points into
/// the reading. Empty, or why the call is refused.
std::optional<Outcome> make_ready(Reading& reading, const std::function<void(Reading&)>& read, Walk& walk);
Moving moving_of(const Reading& reading, const Walk& walk);

/// Executes a call with these stages done wrongly.
Outcome execute(const KernelCall& asked, const Stages& wrong);

bool is_nd(KernelOp op);
/// Whether the outcome is a refusal of this kind.
bool refused_as(const Outcome& outcome, std::string_view kind);
/// The tensor of updates; null for a gather, and when they are one number.
Tensor* update_tensor(KernelCall& call);

/// One element of the index and what it names.
struct Lookup {
  std::int64_t value = 0;
  std::int64_t size = 0;       ///< of the dimension it indexes
  std::int64_t number = 0;     ///< row-major, in the index
  std::int64_t component = 0;  ///< place in its tuple
  std::int64_t width = 1;      ///< numbers in a tuple
  bool wraps = false;          ///< negatives count from the end
  bool good() const { return value >= (wraps ? -size : 0) && value < size; }
};
/// Replaces each element of the index by what `change` returns for it. Does nothing where the call lacks the
/// sizes: its checks come later, or the size of the result follows from the index.
void change_index(Reading& reading, void (*change)(Lookup& lookup, Reading& reading));

/// The same numbers in one step of the combiner: rounded, or wrapped, to the terms' accumulator.
Scalar plain_step(const Scalar& sofar, const Scalar& value, const Combining& terms);
Scalar plain_divide(const Scalar& sum, std::int64_t count, const Combining& terms);

}  // namespace scatterproof::engines::faulty
