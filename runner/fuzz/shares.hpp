// SPDX-License-Identifier: Apache-2.0
// How the generator divides its work: the lengths of pages and sheets, the sizes of tensors, and how often a
// call is of each kind. docs/use/fuzz.md has those that a user notices; tests/tree/links compares them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scatterproof::runner::fuzz {

// Pages: each has solved forms of its own. Early ones are short.

/// 480 forms: all that differs in ranks and rules, some 100,000 calls.
inline constexpr std::uint64_t solved_pages = 16;
/// Of an API on disk: a hundred forms, which some seconds of all APIs do not use up.
inline constexpr std::uint64_t stored_pages = 4;
/// More than arbitrary.hpp draws from.
inline constexpr std::size_t sheets_kept = 16;
/// A side: calls that obey, or break one rule.
inline constexpr std::uint64_t sides_a_page = 15;
/// Of different ranks, one form each.
inline constexpr std::uint64_t draws_a_side = 2;
inline constexpr std::uint64_t forms_a_page = sides_a_page * draws_a_side;
/// In the first page; each further one doubles it.
inline constexpr std::uint64_t calls_a_form = 8;
inline constexpr std::uint64_t most_doublings = 5;

struct PagePlace {
  std::uint64_t page = 0;
  std::uint64_t call = 0;  ///< of the page
};
/// Where the call with this number stands.
constexpr PagePlace page_place(std::uint64_t call) {
  std::uint64_t page = 0, length = forms_a_page * calls_a_form;
  for (; page < most_doublings && call >= length; ++page, length *= 2) call -= length;
  return {.page = page + call / length, .call = call % length};
}
constexpr std::uint64_t page_of(std::uint64_t call) { return page_place(call).page; }
/// In the first pages: sheets of 240 calls.
inline constexpr std::uint64_t calls_a_variation = 8;
/// In pages of full length, which begin at call 7,440: sheets of 3,840 calls.
inline constexpr std::uint64_t calls_a_late_variation = 128;

// Numbers of elements. Beyond `large`, calls have forms of their own: there, making one costs less than
// filling it. Up to `usual`, where most conditions on sizes end, the share of calls beyond N elements falls
// as 1/sqrt(N). Beyond that it falls as 1/N, so that every octave of sizes gets the same work.

/// Variations with chosen sizes; the others are small.
inline constexpr std::int64_t one_sized_in = 3;
inline constexpr double least_sized = 16;
inline constexpr double most_sized = 128;
inline constexpr double large = 128;
inline constexpr double usual = 8192;
/// Beyond what 16 bits count.
inline constexpr double largest = 131072;
inline constexpr double largest_on_request = 1 << 20;

// Calls.

/// Calls that obey.
inline constexpr std::int64_t one_large_in = 3;
/// Calls that must be refused, which are cheap and few.
inline constexpr std::int64_t one_large_refused_in = 3;
/// Other broken ones, which show little.
inline constexpr std::int64_t one_large_open_in = 34;
/// Large calls.
inline constexpr std::int64_t one_largest_in = 192;
/// Calls with an index of `crowd` elements or more that name mostly one place. More contributions than a
/// narrow counter holds meet there, and their number is any number.
inline constexpr std::int64_t one_crowded_in = 3;
/// Calls with an index of more elements than 16 bits count, which do not name one place.
inline constexpr std::int64_t one_scattered_in = 4;
inline constexpr std::size_t crowd = 128;
/// Calls with the form of the call before; and templates with its sizes.
inline constexpr std::int64_t one_repeated_in = 8;
/// Draws of a variation, until one is suitable.
inline constexpr int draws_a_variation = 3;
/// Draws for an engine, which may take one dtype of many.
inline constexpr int draws_for_an_engine = 12;
/// Templates in which some tensor shall have no elements.
inline constexpr std::int64_t one_empty_in = 16;
/// Forms solved without elements: see is_kept.
inline constexpr std::int64_t one_kept_empty_in = 8;
/// The same, if an axis has no place for the values of the index.
inline constexpr std::int64_t one_kept_without_places_in = 2;
/// Calls with default values that leave some out.
inline constexpr std::uint64_t one_omitting_in = 4;
/// Forms tried instead of one without a suitable variation.
inline constexpr std::size_t other_forms = 6;
/// Calls of a template tried, in values that differ, until an engine offers one.
inline constexpr std::uint64_t other_casts = 12;

}  // namespace scatterproof::runner::fuzz
