// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/diagnosis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace scatterproof::spec {
namespace {

using Kind = DiagnosisKind;

struct Entry {
  Kind kind;
  std::string_view text;
  std::string_view sentence = "";  ///< {subject}, and {a} and {b} for the numbers
};

constexpr Entry table[] = {
    {Kind::writes_lost, "wrong_meaning/every_write_lost",
     "no write has an effect: all cells keep their start value"},
    {Kind::all_zero, "wrong_meaning/every_cell_zero", "every cell is zero"},
    {Kind::transposed, "wrong_meaning/transposed", "the result is transposed"},
    {Kind::nan_forgotten, "wrong_meaning/nan_forgotten", "a NaN is forgotten, with every value before it"},
    {Kind::first_wins, "wrong_meaning/first_value_wins",
     "the first of several colliding values wins, not the last"},
    {Kind::one_alone, "wrong_meaning/one_value_alone",
     "of several colliding values, one alone is combined (x[index] += src?)"},
    {Kind::assigned_instead_of_combined, "wrong_meaning/values_assigned_instead_of_combined",
     "values are assigned instead of combined by {subject}"},
    {Kind::other_combiner, "wrong_meaning/other_combiner", "values are combined by {subject}"},
    {Kind::start_left_out, "wrong_meaning/start_left_out", "the start value is left out"},
    {Kind::start_counted, "wrong_meaning/start_counted", "the start value is counted, but must not be"},
    {Kind::counted_twice, "wrong_meaning/every_value_counted_twice", "every value is counted twice"},
    {Kind::mean_of_one_too_many, "wrong_meaning/mean_of_one_too_many", "the mean divides by one too many"},
    {Kind::mean_of_one_too_few, "wrong_meaning/mean_of_one_too_few", "the mean divides by one too few"},
    {Kind::other_dimension, "wrong_meaning/other_dimension",
     "the index is applied along dimension {a} instead of {b}"},
    {Kind::written_too_far, "wrong_meaning/written_too_far",
     "every write lands one cell too far along dimension {a} (off-by-one in the index?)"},
    {Kind::written_too_early, "wrong_meaning/written_too_early",
     "every write lands one cell too early along dimension {a} (off-by-one in the index?)"},
    {Kind::shifted_back, "wrong_meaning/shifted_back",
     "every value is shifted back by one along dimension {a} (off-by-one in the index?)"},
    {Kind::shifted_forward, "wrong_meaning/shifted_forward",
     "every value is shifted forward by one along dimension {a} (off-by-one in the index?)"},
    {Kind::clamped_to_first, "wrong_meaning/clamped_to_first",
     "some writes land at the first position of dimension {a} (a clamped index?)"},
    {Kind::clamped_to_last, "wrong_meaning/clamped_to_last",
     "some writes land at the last position of dimension {a} (a clamped index?)"},
    {Kind::narrowed, "wrong_meaning/narrowed", "values are narrowed to {subject} on the way"},
    {Kind::one_value_lost, "wrong_meaning/one_value_lost",
     "each wrong cell lost one of its values (a lost update?)"},
    {Kind::one_value_counted_twice, "wrong_meaning/one_value_counted_twice",
     "each wrong cell counts one of its values twice"},
    {Kind::flushed_to_zero, "wrong_meaning/flushed_to_zero", "subnormal numbers are flushed to zero"},
    {Kind::compared_narrowly, "wrong_meaning/compared_narrowly", "values are compared as {subject}"},
    {Kind::counted_narrowly, "wrong_meaning/counted_narrowly",
     "the values of a mean are counted in {subject}, which is too narrow"},
    {Kind::tail_left_out, "wrong_meaning/tail_left_out",
     "what lies behind the last whole block of {subject} is left out"},
    {Kind::strides_ignored, "wrong_meaning/strides_ignored", "{subject} is read as if it were contiguous"},
    {Kind::column_major, "wrong_meaning/column_major", "{subject} is read in column-major order"},
    {Kind::strides_of_index, "wrong_meaning/strides_of_index",
     "{subject} is addressed by the strides of the index"},
    {Kind::never_written, "wrong_meaning/never_written",
     "the wrong cells were never written: they hold what their memory held before the call"},

    {Kind::cells_kept_start, "cell/start_kept"},
    {Kind::cells_untouched, "cell/untouched_changed"},
    {Kind::cells_other, "cell/wrong_value"},

    {Kind::form_count, "form/tensor_count"},
    {Kind::form_dtype, "form/dtype"},
    {Kind::form_shape, "form/shape"},
    {Kind::form_transposed, "form/transposed", "the result is the right one, transposed"},
    {Kind::argument_written, "argument_written"},
    {Kind::foreign_memory, "foreign_memory",
     "the result depends on memory that is neither an argument nor the result"},
    {Kind::rows_mixed, "rows_mixed"},
    {Kind::differs_when_repeated, "differs_when_repeated",
     "the call is judged right at one execution, and fails at another"},
    {Kind::race, "race",
     "threads race, or their number matters: the call is right with one thread, and fails with several"},
    {Kind::unrepeatable, "unrepeatable",
     "the document leaves the call open, and the engine answers it in one way and then in another"},
    {Kind::inconsistent, "inconsistent",
     "the document leaves the call open, and the engine answers it in one way and in another"},
    {Kind::mixed_practice, "mixed_practice",
     "of two calls that break the rule in the same way, one is refused and one is not"},

    {Kind::gradient_value, "gradient/wrong_value"},
    {Kind::gradient_of_nothing, "gradient/of_what_does_not_matter"},
    {Kind::gradient_missing, "gradient/missing"},
    {Kind::gradient_form, "gradient/form"},
    {Kind::gradient_shares, "gradient/shares_of_tie"},
    {Kind::gradient_survivor, "gradient/no_single_survivor"},
    {Kind::gradient_tangent, "gradient/wrong_tangent"},
    {Kind::gradient_modes, "gradient/modes_disagree", "forward and reverse mode have different derivatives"},
    {Kind::gradient_second, "gradient/second_order"},
    {Kind::gradient_forward, "gradient/forward_changed",
     "the call gives another result when a gradient is asked for"},

    {Kind::each_write_gets_all, "gradient_mistake/each_write_gets_all",
     "each of the values assigned to a cell gets its cotangent"},
    {Kind::start_gets_all, "gradient_mistake/start_gets_all",
     "the start value of a cell that is written gets its cotangent"},
    {Kind::start_takes_part, "gradient_mistake/start_takes_part",
     "a start value that does not count takes part"},
    {Kind::start_takes_share, "gradient_mistake/start_takes_share",
     "a start value that does not count takes a share, which is lost"},
    {Kind::other_factors_left_out, "gradient_mistake/other_factors_left_out",
     "the other factors of a product are left out"},
    {Kind::each_of_tie_gets_all, "gradient_mistake/each_of_tie_gets_all",
     "each of the values that tie gets all of the cotangent"},
    {Kind::none_of_tie_gets_any, "gradient_mistake/none_of_tie_gets_any",
     "none of the values that tie gets anything"},
    {Kind::counted_in_u8, "gradient_mistake/counted_in_u8",
     "the values that meet in a cell are counted in u8"},
    {Kind::counted_in_f16, "gradient_mistake/counted_in_f16",
     "the values that meet in a cell are counted in f16, up to 2048"},
    {Kind::counted_in_bf16, "gradient_mistake/counted_in_bf16",
     "the values that meet in a cell are counted in bf16, up to 256"},
    {Kind::cells_not_added, "gradient_mistake/cells_not_added",
     "the cotangents of several cells that reach an element are not added: one of them is taken"},
    {Kind::product_divided, "gradient_mistake/product_divided",
     "the whole product is divided by a factor, and one is 0 or the product leaves the range"},

    {Kind::no_refusal, "no_refusal/result"},
    {Kind::no_refusal_of_empty, "no_refusal/empty_result"},
    {Kind::index_wrapped, "index_repair/wrapped_once",
     "the engine seems to wrap the negative values of {subject} once, by {a}"},
    {Kind::index_clamped, "index_repair/clamped",
     "the engine seems to clamp the values of {subject} to 0 .. {a}"},
    {Kind::index_modulo, "index_repair/modulo",
     "the engine seems to take the values of {subject} modulo {a}"},
    {Kind::index_dropped, "index_repair/dropped",
     "the engine seems to write nothing where {subject} is out of range"},
    {Kind::index_filled, "index_repair/filled",
     "the engine seems to fill the cells where {subject} is out of range with one value"},
    {Kind::index_ambiguous, "index_repair/ambiguous",
     "the engine seems to repair {subject}; more than one repair explains the result"},
    {Kind::axis_modulo, "argument_repair/modulo", "the engine seems to take {subject} modulo {a}"},
    {Kind::argument_cast, "argument_repair/cast",
     "the engine seems to convert {subject} to another argument's dtype"},
    {Kind::argument_broadcast, "argument_repair/broadcast", "the engine seems to broadcast {subject}"},
    {Kind::argument_cut, "argument_repair/cut",
     "the engine seems to use only the first positions of {subject}"},
    {Kind::unexpected_refusal, "unexpected_refusal"},
    {Kind::wrong_refusal, "wrong_refusal"},
    {Kind::allowed_refusal, "allowed_refusal"},
    {Kind::changed_though_refused, "changed_though_refused"},

    {Kind::refused, "refused"},
    {Kind::refused_after_writing, "refused_after_writing"},
    {Kind::produced, "produced"},

    {Kind::nothing_written, "vacuous/nothing_written", "no cell is written"},
    {Kind::all_cells_free, "vacuous/all_cells_free", "the document leaves every written cell free"},
    {Kind::start_would_pass, "vacuous/start_would_pass", "a call that does nothing would pass too"},
    {Kind::zeros_would_pass, "vacuous/zeros_would_pass", "a result of zeros would pass too"},
    {Kind::bound_too_wide, "vacuous/bound_too_wide",
     "in every cell the bound is wider than the smallest contribution: a lost one might not show"},
    {Kind::undefined, "open/undefined", "the document leaves this undefined"},
    {Kind::silent, "open/silent", "the document does not say what happens here"},
    {Kind::documented_to_vary, "open/documented_to_vary"},
    {Kind::gradient_open, "open/gradient"},

    {Kind::printed_form, "printed/form"},
    {Kind::printed_value, "printed/value"},
    {Kind::case_mislabelled, "case/mislabelled"},
    {Kind::case_contradicts_spec, "case/contradicts_spec"},
    {Kind::formula_differs, "formula/differs_from_meaning"},
    {Kind::formula_is_right, "formula/marked_wrong_but_right"},
    {Kind::formula_never_executed, "formula/never_executed"},
    {Kind::relation_violated, "relation_violated"},
    {Kind::not_comparable, "not_comparable"},

    {Kind::crash_by_signal, "crash/signal"},
    {Kind::crash_by_exit, "crash/exit_status"},
    {Kind::crash_of_none, "crash/of_no_call_alone"},
    {Kind::misbehaviour, "crash/misbehaviour"},
    {Kind::timeout, "timeout"},
    {Kind::garbled, "garbled"},
    {Kind::unavailable, "unavailable"},
    {Kind::unsupported, "unsupported"},
    {Kind::unsound_bag, "unsound_bag"},
    {Kind::time_limit, "limit/time"},
    {Kind::size_limit, "limit/size"},
};

constexpr auto kinds = [] {
  std::array<Kind, std::size(table)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = table[i].kind;
  return all;
}();

/// Checks that the table lists every kind, in order.
static_assert([] {
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (static_cast<std::size_t>(kinds[i]) != i + 1) return false;
  return kinds.back() == Kind::size_limit;
}());

/// Precondition: not `none`.
const Entry& entry_of(Kind kind) { return table[static_cast<std::size_t>(kind) - 1]; }

bool is_subject_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         std::string_view("_.+-").find(c) != std::string_view::npos;
}

std::optional<std::vector<std::int64_t>> parse_numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (const char *at = text.data(), *const end = at + text.size();;) {
    std::int64_t number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc{}) return {};
    numbers.push_back(number);
    if (rest == end) return numbers;
    if (*rest != ',') return {};
    at = rest + 1;
  }
}

}  // namespace

std::span<const DiagnosisKind> all_diagnosis_kinds() { return kinds; }

std::string as_subject(std::string_view text) {
  std::string subject(text);
  std::ranges::replace_if(
      subject, [](char c) { return !is_subject_character(c); }, '_');
  return subject;
}

Diagnosis without_numbers(Diagnosis diagnosis) {
  diagnosis.numbers.clear();
  return diagnosis;
}

Diagnosis without_guess(Diagnosis diagnosis) {
  const bool about_cells = diagnosis.kind >= Kind::writes_lost && diagnosis.kind <= Kind::cells_other;
  const bool about_repair = diagnosis.kind >= Kind::index_wrapped && diagnosis.kind <= Kind::argument_cut;
  if (about_cells) return {.kind = Kind::cells_other};
  return about_repair ? Diagnosis{.kind = Kind::no_refusal} : diagnosis;
}

std::string to_string(const Diagnosis& diagnosis) {
  if (diagnosis.kind == Kind::none) return "";
  std::string text(entry_of(diagnosis.kind).text);
  if (!diagnosis.subject.empty()) text += "/" + diagnosis.subject;
  if (!diagnosis.numbers.empty()) text += fmt::format("[{}]", fmt::join(diagnosis.numbers, ","));
  return text;
}

std::optional<Diagnosis> parse_diagnosis(std::string_view text) {
  if (text.empty()) return Diagnosis{};
  Diagnosis diagnosis;
  if (const std::size_t bracket = text.find('['); bracket != std::string_view::npos) {
    if (text.back() != ']') return {};
    auto numbers = parse_numbers(text.substr(bracket + 1, text.size() - bracket - 2));
    if (!numbers) return {};
    diagnosis.numbers = std::move(*numbers);
    text = text.substr(0, bracket);
  }
  for (const Entry& entry : table) {
    if (!text.starts_with(entry.text)) continue;
    const std::string_view rest = text.substr(entry.text.size());
    if (!rest.empty() && (rest.front() != '/' || rest.size() == 1)) continue;
    diagnosis.kind = entry.kind;
    diagnosis.subject = rest.empty() ? "" : rest.substr(1);
    if (!std::ranges::all_of(diagnosis.subject, is_subject_character)) return {};
    return diagnosis;
  }
  return {};
}

bool is_about_argument(DiagnosisKind kind) {
  return kind >= Kind::tail_left_out && kind <= Kind::strides_of_index;
}

std::string sentence(const Diagnosis& diagnosis) {
  if (diagnosis.kind == Kind::none) return "";
  std::string subject = diagnosis.subject;
  if (diagnosis.kind == Kind::other_combiner || diagnosis.kind == Kind::counted_narrowly)
    std::ranges::replace(subject, '_', ' ');
  const auto number = [&](std::size_t i) { return i < diagnosis.numbers.size() ? diagnosis.numbers[i] : 0; };
  return fmt::format(fmt::runtime(entry_of(diagnosis.kind).sentence), fmt::arg("subject", subject),
                     fmt::arg("a", number(0)), fmt::arg("b", number(1)));
}

bool names(const LikelyCauses& causes, const Diagnosis& one) {
  return std::ranges::any_of(
      causes, [&](const Diagnosis& cause) { return without_numbers(cause) == without_numbers(one); });
}

std::string with_causes(std::string explanation, const LikelyCauses& causes) {
  std::string_view before = "likely cause, as it explains every cell: ";
  for (const Diagnosis& cause : causes)
    explanation += fmt::format("\n{}{}", std::exchange(before, "or: "), sentence(cause));
  return explanation;
}

}  // namespace scatterproof::spec
