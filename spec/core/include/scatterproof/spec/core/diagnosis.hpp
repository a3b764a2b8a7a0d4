// SPDX-License-Identifier: Apache-2.0
// What went wrong with a call, as data: what folds equal failures into one, what shrinking keeps, and what a
// baseline entry can name. The words for a person are made from it, never the other way round.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scatterproof::spec {

enum class DiagnosisKind : std::uint8_t {
  none,  ///< nothing to say: a plain pass

  // A simple wrong meaning that explains every cell of the result.
  writes_lost,
  all_zero,
  transposed,
  nan_forgotten,
  first_wins,
  one_alone,                     ///< of several colliding values, one alone is combined with the start
  assigned_instead_of_combined,  ///< subject: the combiner that is due
  other_combiner,                ///< subject: `sum_instead_of_amax`
  start_left_out,
  start_counted,
  counted_twice,
  mean_of_one_too_many,
  mean_of_one_too_few,
  other_dimension,  ///< numbers: the wrong dimension, the right one
  written_too_far,  ///< numbers: the dimension; and so for the next five
  written_too_early,
  shifted_back,
  shifted_forward,
  clamped_to_first,
  clamped_to_last,
  narrowed,  ///< subject: the dtype
  one_value_lost,
  one_value_counted_twice,
  flushed_to_zero,
  compared_narrowly,  ///< subject: the dtype
  counted_narrowly,   ///< subject: `8_bits`
  tail_left_out,      ///< subject: the argument; and so for the next three
  strides_ignored,
  column_major,
  strides_of_index,
  never_written,

  // Wrong cells that no simple meaning explains.
  cells_kept_start,  ///< a value lands in every wrong cell, but the cell holds its start value
  cells_untouched,   ///< nothing lands in any wrong cell
  cells_other,

  // The result's form, or a side effect.
  form_count,
  form_dtype,
  form_shape,
  form_transposed,
  argument_written,  ///< subject: the arguments, joined by `+`
  foreign_memory,    ///< the result depends on memory that is not the call's
  rows_mixed,
  differs_when_repeated,  ///< the same engine was right at one execution of the call, and failed at another
  race,                   ///< the call is right with one thread, however often, and fails with several
  unrepeatable,           ///< a call that the document leaves open got two answers from one engine
  inconsistent,    ///< two calls that ask the same, which the document leaves open, got two answers. Subject:
                   ///< in what they differ
  mixed_practice,  ///< of two calls that break a rule in the same way, one is refused and one repaired.
                   ///< Subject: the repaired argument

  // Gradients. Subject: the argument
  gradient_value,       ///< not the sum of what the cells give it
  gradient_of_nothing,  ///< not 0, though no cell depends on the element
  gradient_missing,     ///< none, though the result depends on the argument
  gradient_form,        ///< not of the argument's shape and dtype
  gradient_shares,      ///< the shares of values that tie do not sum to the cotangent
  gradient_survivor,    ///< not one of the assigned values that collide has the cotangent, and the others 0
  gradient_tangent,     ///< forward mode: the result's tangent is not the sum of what its terms give
  gradient_modes,       ///< forward and reverse mode disagree; no subject
  gradient_second,      ///< what reverse mode over reverse mode gives is wrong
  gradient_forward,     ///< the result is another one when a gradient is asked for; no subject

  // A mistake that explains every element of a wrong gradient.
  each_write_gets_all,
  start_gets_all,
  start_takes_part,
  start_takes_share,
  other_factors_left_out,
  each_of_tie_gets_all,
  none_of_tie_gets_any,
  counted_in_u8,
  counted_in_f16,
  counted_in_bf16,
  cells_not_added,
  product_divided,

  // Refusals.
  no_refusal,           ///< a result came where a refusal is required
  no_refusal_of_empty,  ///< the same, and the result has no elements
  index_wrapped,        ///< the same, and a repaired index explains the result. Subject: the argument;
                        ///< numbers: the size
  index_clamped,        ///< numbers: the last position
  index_modulo,         ///< numbers: the size
  index_dropped,        ///< what an index out of range names is not written. Subject: the argument
  index_filled,         ///< where an index out of range is read from, one value stands. Subject: the argument
  index_ambiguous,      ///< several repairs of the index explain the result. Subject: the argument
  axis_modulo,          ///< a whole number taken modulo a rank. Subject: the argument; numbers: the rank
  argument_cast,  ///< subject: the argument, taken as if it had another argument's dtype; and so for the next
  argument_broadcast,  ///< taken as if it had been broadcast
  argument_cut,        ///< taken as if only its first positions were there
  unexpected_refusal,  ///< subject: the exception class or refusal kind; and so for the next two
  wrong_refusal,
  allowed_refusal,
  /// A refused call changed arguments that a refusal must leave unchanged. Subject: these arguments, joined
  /// by `+`
  changed_though_refused,

  // What an engine did with a call that breaks a rule, whatever the document says of it.
  refused,                ///< subject: the exception class or refusal kind
  refused_after_writing,  ///< subject: the arguments that had been changed by then, joined by `+`
  produced,               ///< a result came that no repair explains

  // What the call cannot show, or the document leaves free.
  nothing_written,
  all_cells_free,
  start_would_pass,
  zeros_would_pass,
  bound_too_wide,
  undefined,
  silent,
  documented_to_vary,
  gradient_open,  ///< the engine has no gradient, or none of its elements is determined

  // The case, its printed values, a printed formula, a relation.
  printed_form,
  printed_value,
  case_mislabelled,
  case_contradicts_spec,
  formula_differs,
  formula_is_right,
  formula_never_executed,
  relation_violated,  ///< subject: the relation's id
  not_comparable,

  // The engine's process, or the machinery.
  crash_by_signal,  ///< subject: the signal, as `SIGSEGV`
  crash_by_exit,    ///< numbers: the exit status
  crash_of_none,    ///< subject: the signal, or `exit`; no call of the batch ends a fresh process
  misbehaviour,     ///< the engine's host saw the call do what no engine may, and ended the process
  timeout,
  garbled,
  unavailable,
  unsupported,
  unsound_bag,
  time_limit,  ///< judging or proving was given up; and so for the next
  size_limit
};

struct Diagnosis {
  DiagnosisKind kind = DiagnosisKind::none;
  std::string subject = {};                ///< a word, of word characters and `.+-` alone
  std::vector<std::int64_t> numbers = {};  ///< of this call alone, such as a dimension

  friend auto operator<=>(const Diagnosis&, const Diagnosis&) = default;
};

/// Every kind but `none`.
std::span<const DiagnosisKind> all_diagnosis_kinds();

/// Makes a subject of any text: characters that a subject cannot have become `_`.
std::string as_subject(std::string_view text);

/// What calls that fail in the same way have in common.
Diagnosis without_numbers(Diagnosis diagnosis);

/// What is certain: `cell/wrong_value` for wrong cells, whatever may explain them, and `no_refusal/result`
/// for a result that a repaired argument may explain. Others as they are.
Diagnosis without_guess(Diagnosis diagnosis);

/// `wrong_meaning/shifted_forward[0]`, `argument_written/index`; empty for `none`.
std::string to_string(const Diagnosis& diagnosis);
std::optional<Diagnosis> parse_diagnosis(std::string_view text);

/// Whether the subject is an argument, which may have another name in another API.
bool is_about_argument(DiagnosisKind kind);

/// The sentence for a person, for kinds that the diagnosis alone describes: wrong meanings, repaired indices,
/// reasons for a weak or open verdict. Empty for others.
std::string sentence(const Diagnosis& diagnosis);

/// Guesses at what explains every cell of a wrong result, the likeliest first.
using LikelyCauses = std::vector<Diagnosis>;
/// Whether one of them is this one, apart from numbers.
bool names(const LikelyCauses& causes, const Diagnosis& one);
/// The explanation with a line for each.
std::string with_causes(std::string explanation, const LikelyCauses& causes);

}  // namespace scatterproof::spec
