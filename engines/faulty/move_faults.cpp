// SPDX-License-Identifier: Apache-2.0
// Faults in which elements are moved, and from where to where.
#include <algorithm>

#include "fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

using Moves = std::vector<Move>;

/// Only whole vectors of `width` are done; calls shorter than one are.
void drop_vector_tail(Moves& moves, std::size_t width) {
  if (moves.size() > width) moves.resize(moves.size() / width * width);
}

/// Elements of a row that are moved next to each other: the innermost dimension of the walk.
std::size_t row_length(const Moving& m) {
  return m.walk.rank == 0 ? 1 : static_cast<std::size_t>(m.walk.shape[m.walk.rank - 1]);
}

/// Keeps the moves for which `keep` holds, by their number in order.
template <class Keep>
void keep_if(Moves& moves, Keep keep) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (keep(i)) moves[kept++] = moves[i];
  moves.resize(kept);
}

std::int64_t position_of(const spec::Coords& at, const Shape& shape) {
  std::int64_t position = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) position = position * shape[d] + at[d];
  return position;
}

/// The position named when coordinates `d` and `e` are swapped, kept inside.
std::int64_t swapped(std::int64_t position, const Shape& shape, std::size_t d, std::size_t e) {
  spec::Coords at = spec::coords_of(position, shape);
  std::swap(at[d], at[e]);
  at[d] %= shape[d];
  at[e] %= shape[e];
  return position_of(at, shape);
}

/// Positions as they are found when a dimension is thought to be one element longer than it is.
std::int64_t with_long_rows(std::int64_t position, const Shape& shape) {
  if (shape.size() < 2) return position;
  const std::int64_t row = position / shape.back();
  return std::min(position + row, spec::numel(shape) - 1);
}

constexpr Fault move_table[] = {
    in_move("dropped-tail", "The last element is left out.",
            [](Moving& m) {
              if (!m.moves.empty()) m.moves.pop_back();
            }),
    in_move("dropped-head", "The first element is left out.",
            [](Moving& m) {
              if (!m.moves.empty()) m.moves.erase(m.moves.begin());
            }),
    in_move("dropped-last-of-odd", "The last element of an odd number above 1 is left out.",
            [](Moving& m) { drop_vector_tail(m.moves, 2); }),
    in_move("dropped-beyond-4", "Elements behind the last whole vector of 4 are left out.",
            [](Moving& m) { drop_vector_tail(m.moves, 4); }),
    in_move("dropped-beyond-8", "Elements behind the last whole vector of 8 are left out.",
            [](Moving& m) { drop_vector_tail(m.moves, 8); }),
    in_move("dropped-beyond-16", "Elements behind the last whole vector of 16 are left out.",
            [](Moving& m) { drop_vector_tail(m.moves, 16); }),
    in_move("block-of-16-only", "Only the first 16 elements are done: one block, and no loop over blocks.",
            [](Moving& m) { m.moves.resize(std::min<std::size_t>(m.moves.size(), 16)); }),
    in_move("row-tail-dropped", "Of each row longer than 2, an odd last element is left out.",
            [](Moving& m) {
              const std::size_t row = row_length(m);
              if (row > 2 && row % 2 == 1) keep_if(m.moves, [&](std::size_t i) { return i % row < row - 1; });
            }),
    in_move("row-end-dropped", "The last element of each row is left out.",
            [](Moving& m) {
              const std::size_t row = row_length(m);
              if (row > 1) keep_if(m.moves, [&](std::size_t i) { return i % row < row - 1; });
            }),
    in_move("only-first-row", "Only the first row is done.",
            [](Moving& m) { m.moves.resize(std::min(m.moves.size(), row_length(m))); }),
    in_move("last-row-dropped", "The last of several rows is left out.",
            [](Moving& m) {
              if (m.moves.size() > row_length(m)) m.moves.resize(m.moves.size() - row_length(m));
            }),
    in_move("power-of-two-dropped",
            "Of 2, 4, 8, 16, ... elements the last is left out: the loop unrolls once too few.",
            [](Moving& m) {
              const std::size_t n = m.moves.size();
              if (n > 1 && (n & (n - 1)) == 0) m.moves.pop_back();
            }),
    in_move("single-element-dropped", "A single element is left out: the loop does not begin.",
            [](Moving& m) {
              if (m.moves.size() == 1) m.moves.clear();
            }),
    in_move("one-too-many", "The last element is moved twice.",
            [](Moving& m) {
              if (!m.moves.empty()) m.moves.push_back(m.moves.back());
            }),
    in_move("from-one-off", "Every element is fetched one place further on.",
            [](Moving& m) {
              for (Move& move : m.moves) move.from = std::min(move.from + 1, spec::numel(m.from_shape) - 1);
            }),
    in_move("to-one-off", "Every element arrives one cell further on.",
            [](Moving& m) {
              for (Move& move : m.moves) move.to = std::min(move.to + 1, spec::numel(m.to_shape) - 1);
            }),
    in_move("positions-in-16-bits", "The position of an element is kept in 16 bits.",
            [](Moving& m) {
              for (Move& move : m.moves) {
                move.from &= 0xffff;
                move.to &= 0xffff;
              }
            }),
    in_move("from-rows-too-long", "Rows are fetched as if they were one element longer.",
            [](Moving& m) {
              for (Move& move : m.moves) move.from = with_long_rows(move.from, m.from_shape);
            }),
    in_move("to-rows-too-long", "Rows arrive as if the result's were one element longer.",
            [](Moving& m) {
              for (Move& move : m.moves) move.to = with_long_rows(move.to, m.to_shape);
            }),
    in_move("from-first-row", "Every row is fetched from the first.",
            [](Moving& m) {
              if (m.from_shape.size() < 2) return;
              for (Move& move : m.moves) move.from %= m.from_shape.back();
            }),
    in_move("from-axes-swapped",
            "The first two of three or more dimensions are swapped where elements come from.",
            [](Moving& m) {
              if (m.from_shape.size() < 3) return;
              for (Move& move : m.moves) move.from = swapped(move.from, m.from_shape, 0, 1);
            }),
    in_move("to-axes-swapped", "The first two of three or more dimensions are swapped where elements arrive.",
            [](Moving& m) {
              if (m.to_shape.size() < 3) return;
              for (Move& move : m.moves) move.to = swapped(move.to, m.to_shape, 0, 1);
            }),
    in_move("to-last-axes-swapped",
            "The last two of four or more dimensions are swapped where elements arrive.",
            [](Moving& m) {
              const std::size_t rank = m.to_shape.size();
              if (rank < 4) return;
              for (Move& move : m.moves) move.to = swapped(move.to, m.to_shape, rank - 2, rank - 1);
            }),
    in_move("from-transposed", "Matrices are fetched transposed.",
            [](Moving& m) {
              if (m.from_shape.size() != 2) return;
              for (Move& move : m.moves) move.from = swapped(move.from, m.from_shape, 0, 1);
            }),
    in_move("to-transposed", "Elements of a matrix arrive transposed.",
            [](Moving& m) {
              if (m.to_shape.size() != 2) return;
              for (Move& move : m.moves) move.to = swapped(move.to, m.to_shape, 0, 1);
            }),
};

}  // namespace

std::span<const Fault> move_faults() { return move_table; }

}  // namespace scatterproof::engines::faulty
