// SPDX-License-Identifier: Apache-2.0
// Faults in how the values that meet in a cell share its cotangent.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gradient_fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

bool is_extreme(const Meeting& cell) {
  return cell.combine == Combiner::amax || cell.combine == Combiner::amin;
}
bool is(const Meeting& cell, Combiner combine) { return cell.combine == combine && !cell.received.empty(); }

/// The values that take part.
std::vector<Participant*> all_of(Meeting& cell) {
  std::vector<Participant*> all;
  for (Participant& one : cell.received) all.push_back(&one);
  if (cell.start_counts && !cell.received.empty()) all.push_back(&cell.start);
  return all;
}

/// Of a maximum or minimum: those that share the cotangent.
std::vector<Participant*> ties_of(Meeting& cell) {
  std::vector<Participant*> ties;
  if (!is_extreme(cell)) return ties;
  for (Participant* one : all_of(cell))
    if (one->weight != 0) ties.push_back(one);
  return ties;
}

/// Each of `of` gets 1 / count.
void share(const std::vector<Participant*>& of, double count) {
  for (Participant* one : of) one->weight = 1 / count;
}

double counted(std::size_t count, DType dtype) {
  return spec::convert(Scalar::of_int(static_cast<std::int64_t>(count)), dtype).real();
}

template <DType dtype>
void share_tie_counted_in(Meeting& cell) {
  const auto ties = ties_of(cell);
  if (!ties.empty()) share(ties, counted(ties.size(), dtype));
}

template <DType dtype>
void share_mean_counted_in(Meeting& cell) {
  if (!is(cell, Combiner::mean)) return;
  const auto all = all_of(cell);
  share(all, counted(all.size(), dtype));
}

double product_of(const std::vector<Participant*>& all) {
  double product = 1;
  for (const Participant* one : all) product *= one->value;
  return product;
}

/// `quotient(product, factor)` instead of the product of the others.
template <class Quotient>
void divide_product(Meeting& cell, Quotient quotient) {
  if (!is(cell, Combiner::prod)) return;
  const auto all = all_of(cell);
  const double product = spec::convert(Scalar::of_real(product_of(all)), cell.dtype).real();
  for (Participant* one : all) one->weight = quotient(product, one->value);
}

/// Calls `keep(place, count)` for each contribution: those for which it is false get nothing.
void keep_received(Meeting& cell, bool (*keep)(std::size_t place, std::size_t count)) {
  for (std::size_t k = 0; k < cell.received.size(); ++k)
    if (!keep(k, cell.received.size())) cell.received[k].weight = 0;
}

}  // namespace

std::vector<GradientFault> weight_faults() {
  return {
      {.name = "gradient-assigned-start-kept",
       .says = "What an assignment overwrites gets the cotangent as well.",
       .weigh =
           [](Meeting& cell) {
             if (is(cell, Combiner::assign)) cell.start.weight = 1;
           }},
      {.name = "gradient-start-counted",
       .says = "A start that does not count gets a share.",
       .meet = [](Meeting& cell) { cell.start_counts = cell.combine != Combiner::assign; }},
      {.name = "gradient-start-counted-besides",
       .says = "A start that does not count gets all of the cotangent, besides the others.",
       .weigh =
           [](Meeting& cell) {
             if (!cell.start_counts && cell.combine != Combiner::assign) cell.start.weight = 1;
           }},
      {.name = "gradient-start-ignored",
       .says = "A start that counts gets nothing.",
       .weigh =
           [](Meeting& cell) {
             if (cell.start_counts && !cell.received.empty()) cell.start.weight = 0;
           }},
      {.name = "gradient-start-left-out",
       .says = "A start that counts is left out, and the others share what is its own.",
       .meet = [](Meeting& cell) { cell.start_counts = false; }},
      {.name = "gradient-untouched-lost",
       .says = "The start of a cell that receives nothing gets nothing.",
       .weigh =
           [](Meeting& cell) {
             if (cell.received.empty()) cell.start.weight = 0;
           }},
      {.name = "gradient-every-writer-paid",
       .says = "Each of several values assigned to a cell gets all of its cotangent.",
       .weigh =
           [](Meeting& cell) {
             if (cell.combine == Combiner::assign)
               for (Participant& one : cell.received) one.weight = 1;
           }},
      {.name = "gradient-writers-share",
       .says = "Values assigned to one cell share its cotangent.",
       .weigh =
           [](Meeting& cell) {
             for (Participant& one : cell.received)
               if (cell.combine == Combiner::assign)
                 one.weight = 1 / static_cast<double>(cell.received.size());
           }},
      {.name = "gradient-no-writer-paid",
       .says = "Of several values assigned to a cell none gets its cotangent.",
       .weigh =
           [](Meeting& cell) {
             if (cell.combine == Combiner::assign && cell.received.size() > 1)
               cell.received.back().weight = 0;
           }},
      {.name = "gradient-duplicates-counted-per-write",
       .says = "A cell gives its cotangent once for each value that arrives, to each of them.",
       .weigh =
           [](Meeting& cell) {
             for (Participant& one : cell.received) one.weight *= static_cast<double>(cell.received.size());
           }},
      {.name = "gradient-only-first-arrival",
       .says = "Of several arrivals in a cell only the first gets something.",
       .weigh =
           [](Meeting& cell) {
             if (cell.combine != Combiner::assign)
               keep_received(cell, [](std::size_t k, std::size_t) { return k == 0; });
           }},
      {.name = "gradient-only-last-arrival",
       .says = "Of several arrivals in a cell only the last gets something.",
       .weigh =
           [](Meeting& cell) {
             keep_received(cell, [](std::size_t k, std::size_t count) { return k + 1 == count; });
           }},
      {.name = "gradient-arrival-lost",
       .says = "Of every four arrivals in a cell the last gets nothing.",
       .weigh =
           [](Meeting& cell) {
             if (cell.combine != Combiner::assign)
               keep_received(cell, [](std::size_t k, std::size_t) { return k % 4 != 3; });
           }},
      {.name = "gradient-mean-not-divided",
       .says = "Each value of a mean gets all of the cotangent.",
       .weigh =
           [](Meeting& cell) {
             if (is(cell, Combiner::mean)) share(all_of(cell), 1);
           }},
      {.name = "gradient-mean-count-without-start",
       .says = "A mean divides by the arrivals alone, though its start counts.",
       .weigh =
           [](Meeting& cell) {
             if (is(cell, Combiner::mean)) share(all_of(cell), static_cast<double>(cell.received.size()));
           }},
      {.name = "gradient-mean-count-one-more",
       .says = "A mean divides by one more than it has values.",
       .weigh =
           [](Meeting& cell) {
             if (is(cell, Combiner::mean)) share(all_of(cell), static_cast<double>(all_of(cell).size() + 1));
           }},
      {.name = "gradient-mean-count-in-8-bits",
       .says = "The count of a mean is kept in 8 bits.",
       .weigh = share_mean_counted_in<DType::u8>},
      {.name = "gradient-mean-count-in-bf16",
       .says = "The count of a mean is kept in bf16.",
       .weigh = share_mean_counted_in<DType::bf16>},
      {.name = "gradient-mean-count-in-f16",
       .says = "The count of a mean is kept in f16.",
       .weigh = share_mean_counted_in<DType::f16>},
      {.name = "gradient-product-divided",
       .says = "The product of all values is divided by each, whatever that is.",
       .weigh =
           [](Meeting& cell) { divide_product(cell, [](double all, double one) { return all / one; }); }},
      {.name = "gradient-zero-factor-gets-nothing",
       .says = "The product of all values is divided by each that is not 0; a value of 0 gets 0.",
       .weigh =
           [](Meeting& cell) {
             divide_product(cell, [](double all, double one) { return one == 0 ? 0 : all / one; });
           }},
      {.name = "gradient-zeros-left-out",
       .says = "A factor of 0 gets the product of the factors that are not, though there is another 0.",
       .weigh =
           [](Meeting& cell) {
             if (!is(cell, Combiner::prod)) return;
             double product = 1;
             for (const Participant* one : all_of(cell)) product *= one->value == 0 ? 1 : one->value;
             for (Participant* one : all_of(cell))
               if (one->value == 0) one->weight = product;
           }},
      {.name = "gradient-product-of-all",
       .says = "Each factor gets the whole product, its own value in it.",
       .weigh = [](Meeting& cell) { divide_product(cell, [](double all, double) { return all; }); }},
      {.name = "gradient-product-of-arrivals",
       .says = "Each arrival gets the product of the other arrivals, without a start that counts.",
       .weigh =
           [](Meeting& cell) {
             if (!is(cell, Combiner::prod) || !cell.start_counts) return;
             for (std::size_t k = 0; k < cell.received.size(); ++k) {
               cell.received[k].weight = 1;
               for (std::size_t other = 0; other < cell.received.size(); ++other)
                 if (other != k) cell.received[k].weight *= cell.received[other].value;
             }
           }},
      {.name = "gradient-tie-paid-in-full",
       .says = "Each value that ties for an extreme gets all of the cotangent.",
       .weigh = [](Meeting& cell) { share(ties_of(cell), 1); }},
      {.name = "gradient-tie-shared-by-all",
       .says = "Values that tie for an extreme share with those that do not, which get nothing.",
       .weigh = [](Meeting& cell) { share(ties_of(cell), static_cast<double>(all_of(cell).size())); }},
      {.name = "gradient-tie-gets-nothing",
       .says = "Where several values tie for an extreme, none gets anything.",
       .weigh =
           [](Meeting& cell) {
             if (const auto ties = ties_of(cell); ties.size() > 1)
               for (Participant* one : ties) one->weight = 0;
           }},
      {.name = "gradient-tie-counted-without-start",
       .says = "Values that tie are counted without the start, which gets a share too.",
       .weigh =
           [](Meeting& cell) {
             const auto ties = ties_of(cell);
             const auto started = std::ranges::count(ties, &cell.start);
             if (std::ssize(ties) > started) share(ties, static_cast<double>(std::ssize(ties) - started));
           }},
      {.name = "gradient-tie-with-start-paid-twice",
       .says = "Where a start ties with an arrival, the start gets all, and the arrivals share all.",
       .weigh =
           [](Meeting& cell) {
             const auto ties = ties_of(cell);
             if (std::ranges::count(ties, &cell.start) == 0 || ties.size() < 2) return;
             share(ties, static_cast<double>(ties.size() - 1));
             cell.start.weight = 1;
           }},
      {.name = "gradient-tie-counted-in-8-bits",
       .says = "Values that tie are counted in 8 bits.",
       .weigh = share_tie_counted_in<DType::u8>},
      {.name = "gradient-tie-counted-in-bf16",
       .says = "Values that tie are counted in bf16.",
       .weigh = share_tie_counted_in<DType::bf16>},
      {.name = "gradient-tie-counted-in-f16",
       .says = "Values that tie are counted in f16.",
       .weigh = share_tie_counted_in<DType::f16>},
      {.name = "gradient-tie-of-zeros-by-sign",
       .says = "0.0 and -0.0 are counted as a tie, and only those of the first one's sign get a share.",
       .weigh =
           [](Meeting& cell) {
             const auto ties = ties_of(cell);
             for (Participant* one : ties)
               if (std::signbit(one->value) != std::signbit(ties.front()->value)) one->weight = 0;
           }},
      {.name = "gradient-extreme-of-the-other-end",
       .says = "The gradient of a maximum goes to the minimum, and the reverse.",
       .meet =
           [](Meeting& cell) {
             if (is_extreme(cell))
               cell.combine = cell.combine == Combiner::amax ? Combiner::amin : Combiner::amax;
           }},
      {.name = "gradient-last-extreme",
       .says = "The cotangent of an extreme goes to the last arrival.",
       .weigh =
           [](Meeting& cell) {
             if (!is_extreme(cell) || cell.received.empty()) return;
             for (Participant* one : all_of(cell)) one->weight = 0;
             cell.received.back().weight = 1;
           }},
  };
}

}  // namespace scatterproof::engines::faulty
