// SPDX-License-Identifier: Apache-2.0
// Faults in what happens where several elements arrive in one cell, and in cells where none does.
#include <algorithm>
#include <utility>

#include "fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

/// Keeps of each cell's arrivals those for which `keep` holds: their number, counted from 0, and how many
/// there are.
void keep_arrivals(std::vector<Cell>& cells, bool (*keep)(std::size_t number, std::size_t count)) {
  for (Cell& cell : cells) {
    std::vector<Scalar> kept;
    for (std::size_t i = 0; i < cell.received.size(); ++i)
      if (keep(i, cell.received.size())) kept.push_back(cell.received[i]);
    cell.received = std::move(kept);
  }
}

void each_untouched(std::vector<Cell>& cells, const Scalar& value) {
  for (Cell& cell : cells)
    if (cell.received.empty()) cell.start = value;
}

Scalar zero(const Combining& terms) { return spec::convert(Scalar::of_int(0), terms.dtype); }

constexpr Fault collision_table[] = {
    in_move("order-reversed", "Elements are moved from the last to the first, so that the first one stays.",
            [](Moving& m) { std::reverse(m.moves.begin(), m.moves.end()); }),
    in_move("last-two-swapped", "The last two elements are moved in the wrong order.",
            [](Moving& m) {
              if (m.moves.size() > 1) std::swap(m.moves[m.moves.size() - 1], m.moves[m.moves.size() - 2]);
            }),
    in_move("neighbours-merged-only",
            "Only arrivals one right after the other are combined; a later one overwrites.",
            [](Moving& m) {
              if (!is_scatter(m.call.op) || m.call.combine == Combiner::assign) return;
              std::vector<Move> kept;
              for (const Move& move : m.moves) {
                if (!kept.empty() && kept.back().to != move.to)
                  std::erase_if(kept, [&](const Move& other) { return other.to == move.to; });
                kept.push_back(move);
              }
              m.moves = std::move(kept);
            }),
    in_combine("duplicate-counted-once", "Of several arrivals in a cell only the first is combined.",
               [](std::vector<Cell>& cells, Combining& terms) {
                 if (terms.combine != Combiner::assign)
                   keep_arrivals(cells, [](std::size_t i, std::size_t) { return i == 0; });
               }),
    in_combine("duplicate-counted-twice", "The last of several arrivals in a cell is combined twice.",
               [](std::vector<Cell>& cells, Combining&) {
                 for (Cell& cell : cells)
                   if (cell.received.size() > 1) cell.received.push_back(cell.received.back());
               }),
    in_combine("equal-values-merged", "Arrivals of equal value in a cell are taken for one.",
               [](std::vector<Cell>& cells, Combining&) {
                 for (Cell& cell : cells) {
                   std::vector<Scalar> kept;
                   for (const Scalar& value : cell.received)
                     if (std::none_of(kept.begin(), kept.end(),
                                      [&](const Scalar& other) { return identical(other, value); }))
                       kept.push_back(value);
                   cell.received = std::move(kept);
                 }
               }),
    in_combine("lost-update", "A race: of every three arrivals in a cell the second is lost.",
               [](std::vector<Cell>& cells, Combining&) {
                 keep_arrivals(cells, [](std::size_t i, std::size_t) { return i % 3 != 1; });
               }),
    in_combine("lost-update-of-many",
               "A race that needs a crowd: of every four arrivals in a cell the last is lost.",
               [](std::vector<Cell>& cells, Combining&) {
                 keep_arrivals(cells, [](std::size_t i, std::size_t) { return i % 4 != 3; });
               }),
    in_combine("arrivals-counted-in-8-bits",
               "Arrivals in a cell are counted in 8 bits: of 256 none is combined.",
               [](std::vector<Cell>& cells, Combining&) {
                 keep_arrivals(cells, [](std::size_t i, std::size_t n) { return i < (n & 0xff); });
               }),
    in_combine("arrivals-counted-in-16-bits",
               "Arrivals in a cell are counted in 16 bits: of 65,536 none is combined.",
               [](std::vector<Cell>& cells, Combining&) {
                 keep_arrivals(cells, [](std::size_t i, std::size_t n) { return i < (n & 0xffff); });
               }),
    in_combine("torn-update", "A race: complex arrivals after the first bring only their real part.",
               [](std::vector<Cell>& cells, Combining& terms) {
                 if (!spec::is_complex(terms.dtype)) return;
                 for (Cell& cell : cells)
                   for (std::size_t i = 1; i < cell.received.size(); ++i)
                     cell.received[i] = Scalar::of_complex(cell.received[i].real(), 0);
               }),
    in_combine("assign-adds", "Values assigned to one cell are added up.",
               [](std::vector<Cell>& cells, Combining& terms) {
                 if (terms.combine != Combiner::assign) return;
                 Combining adding = terms;
                 adding.combine = Combiner::sum;
                 for (Cell& cell : cells)
                   while (cell.received.size() > 1) {
                     const Scalar last = cell.received.back();
                     cell.received.pop_back();
                     cell.received.back() = terms.step(cell.received.back(), last, adding);
                   }
               }),
    in_combine("assign-keeps-greatest", "Of values assigned to one cell the greatest stays, not the last.",
               [](std::vector<Cell>& cells, Combining& terms) {
                 if (terms.combine != Combiner::assign) return;
                 for (Cell& cell : cells)
                   std::stable_sort(cell.received.begin(), cell.received.end(),
                                    [](const Scalar& a, const Scalar& b) { return a.real() < b.real(); });
               }),
    in_combine("assign-mixes-words", "Of values assigned to one cell neither arrives whole: their mean does.",
               [](std::vector<Cell>& cells, Combining& terms) {
                 if (terms.combine != Combiner::assign || spec::is_complex(terms.dtype)) return;
                 for (Cell& cell : cells)
                   if (cell.received.size() > 1)
                     cell.received.back() = spec::convert(
                         Scalar::of_real((cell.received[0].real() + cell.received.back().real()) / 2),
                         terms.dtype);
               }),
    in_combine("untouched-zeroed", "Cells that receive nothing become 0.",
               [](std::vector<Cell>& cells, Combining& terms) { each_untouched(cells, zero(terms)); }),
    in_combine("untouched-one", "Cells that receive nothing become 1.",
               [](std::vector<Cell>& cells, Combining& terms) {
                 each_untouched(cells, spec::convert(Scalar::of_int(1), terms.dtype));
               }),
    in_combine("untouched-first", "Cells that receive nothing become what the first cell was.",
               [](std::vector<Cell>& cells, Combining&) {
                 if (!cells.empty()) each_untouched(cells, Scalar(cells.front().start));
               }),
    in_combine("last-untouched-zeroed", "The last cell, where it receives nothing, becomes 0.",
               [](std::vector<Cell>& cells, Combining& terms) {
                 if (!cells.empty() && cells.back().received.empty()) cells.back().start = zero(terms);
               }),
    in_combine("untouched-divided",
               "The division of a mean reaches the cells that receive nothing, and halves them.",
               [](std::vector<Cell>& cells, Combining& terms) {
                 if (terms.combine != Combiner::mean) return;
                 for (Cell& cell : cells)
                   if (cell.received.empty())
                     cell.start = spec::convert(terms.divide(cell.start, 2, terms), terms.dtype);
               }),
    in_combine("touched-zeroed-first", "A cell is emptied before something is combined with it.",
               [](std::vector<Cell>& cells, Combining& terms) {
                 for (Cell& cell : cells)
                   if (!cell.received.empty()) cell.start = zero(terms);
               }),
    in_combine("stale-accumulator",
               "The accumulator of a cell is not cleared for the next that receives something.",
               [](std::vector<Cell>& cells, Combining& terms) {
                 if (terms.combine == Combiner::assign) return;
                 std::vector<Scalar> before;
                 for (Cell& cell : cells)
                   if (!cell.received.empty()) {
                     const std::vector<Scalar> own = cell.received;
                     cell.received.insert(cell.received.begin(), before.begin(), before.end());
                     before = own;
                   }
               }),
    in_combine("stale-buffer",
               "The buffer of an earlier, equal call is not cleared: every value is combined twice.",
               [](std::vector<Cell>& cells, Combining& terms) {
                 if (terms.combine == Combiner::assign) return;
                 for (Cell& cell : cells) {
                   const std::vector<Scalar> earlier = cell.received;
                   cell.received.insert(cell.received.end(), earlier.begin(), earlier.end());
                 }
               }),
};

}  // namespace

std::span<const Fault> collision_faults() { return collision_table; }

}  // namespace scatterproof::engines::faulty
