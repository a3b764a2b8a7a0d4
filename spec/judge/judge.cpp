// SPDX-License-Identifier: Apache-2.0
// The judge: takes what the document allows and what happened, returns a verdict.
#include "scatterproof/spec/judge/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string.h>

#include <algorithm>

#include "explain.hpp"
#include "refusal_message.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "vices.hpp"

namespace scatterproof::spec {
namespace {

using namespace judging;

using Kind = DiagnosisKind;

Judgement word(Verdict verdict, Diagnosis diagnosis, std::string explanation) {
  return {.verdict = verdict, .diagnosis = std::move(diagnosis), .explanation = std::move(explanation)};
}

std::string with_reason(std::string text, const Reason& reason) {
  const std::string because = reason.text();
  return because.empty() ? text : text + "\nbecause " + because;
}

/// The same, of a refusal.
Judgement word(Verdict verdict, Kind kind, const Refused& refused, std::string explanation) {
  const std::string first = refused.error_classes.empty() ? "" : refused.error_classes.front();
  Judgement judgement = word(verdict, {.kind = kind, .subject = as_subject(first)}, std::move(explanation));
  judgement.message = refused.message;
  return judgement;
}

/// `RuntimeError: index out of range`: the most informative line of the message.
std::string refusal_text(const Refused& refused) {
  const std::string line = telling_line(refused.message);
  const std::string kind =
      refused.error_classes.empty() ? "an error of no class" : refused.error_classes.front();
  return line.empty() ? kind : kind + ": " + line;
}

std::string produced_text(const Produced& produced) {
  if (produced.tensors.empty()) return "no tensor";
  const Tensor& first = produced.tensors.front();
  return fmt::format("{}{} {}", name(first.dtype()), to_string(first.shape()), to_string(first, 16));
}

// Outcomes that do not depend on the document: the engine's process or the machinery failed.

Diagnosis crash(const Crashed& crashed) {
  if (!crashed.misbehaviour.empty()) return {.kind = Kind::misbehaviour};
  const char* abbreviation = sigabbrev_np(crashed.signal);
  const std::string signal =
      abbreviation ? std::string("SIG") + abbreviation : std::to_string(crashed.signal);
  if (crashed.of_no_call_alone)
    return {.kind = Kind::crash_of_none, .subject = crashed.signal == 0 ? "exit" : signal};
  if (crashed.signal == 0) return {.kind = Kind::crash_by_exit, .numbers = {crashed.exit_status}};
  return {.kind = Kind::crash_by_signal, .subject = signal};
}

std::optional<Judgement> word_on_failure(const Outcome& outcome) {
  if (const auto* crashed = std::get_if<Crashed>(&outcome.what))
    return word(Verdict::crash, crash(*crashed), to_string(outcome));
  if (std::holds_alternative<TimedOut>(outcome.what))
    return word(Verdict::timeout, {.kind = Kind::timeout}, to_string(outcome));
  if (std::holds_alternative<Garbled>(outcome.what))
    return word(Verdict::infra, {.kind = Kind::garbled}, to_string(outcome));
  if (std::holds_alternative<Unavailable>(outcome.what))
    return word(Verdict::infra, {.kind = Kind::unavailable}, to_string(outcome));
  if (const auto* unsupported = std::get_if<Unsupported>(&outcome.what))
    return word(Verdict::unsupported, {.kind = Kind::unsupported}, unsupported->reason);
  return std::nullopt;
}

// A refusal is required.

/// Whether a refusal uses refusal kinds. An engine without a framework may also be a user's own program that
/// reports its language's exceptions; the first class distinguishes the two.
bool speaks_kinds(const Refused& refused) {
  constexpr std::string_view kinds[] = {"rank", "shape", "dtype", "index", "axis", "value"};
  return !refused.error_classes.empty() &&
         std::ranges::find(kinds, refused.error_classes.front()) != std::end(kinds);
}

/// `refused with index: ..`, or `raised IndexError: ..`.
std::string refused_words(const Refused& refused) {
  return (speaks_kinds(refused) ? "refused with " : "raised ") + refusal_text(refused);
}

Judgement on_kind(const RefusalExpected& expected, const Refused& refused, const Reason& because) {
  if (expected.native.empty() || refused.error_classes.front() == expected.native)
    return {.verdict = Verdict::pass};
  return word(
      Verdict::wrong_error, Kind::wrong_refusal, refused,
      with_reason(fmt::format("refused with {}, expected a refusal of kind {} (docs/understand/terms.md)",
                              refusal_text(refused), expected.native),
                  because));
}

Judgement on_refusal(const RefusalExpected& expected, const Refused& refused, const Reason& because) {
  const std::vector<std::string>& accepted = expected.classes;
  const auto answers = [&](const std::string& one) {
    return std::find(accepted.begin(), accepted.end(), one) != accepted.end();
  };
  if (accepted.empty() || std::any_of(refused.error_classes.begin(), refused.error_classes.end(), answers))
    return {.verdict = Verdict::pass};
  return word(Verdict::wrong_error, Kind::wrong_refusal, refused,
              with_reason(fmt::format("{}, expected {}", refused_words(refused), fmt::join(accepted, " or ")),
                          because));
}

// A result is defined.

/// A fault of the whole result, and its words; `none`: no fault.
struct Fault {
  Diagnosis diagnosis;
  std::string text;
  LikelyCauses causes = {};

  explicit operator bool() const { return diagnosis.kind != Kind::none; }
};

Fault form_fault(const Bag& bag, const Produced& produced) {
  if (produced.tensors.size() != 1)
    return {{.kind = Kind::form_count},
            fmt::format("{} tensors came, the document defines one result", produced.tensors.size())};
  const Tensor& actual = produced.tensors.front();
  if (actual.dtype() != bag.dtype)
    return {
        {.kind = Kind::form_dtype},
        fmt::format("the result's dtype is {}, the document says {}", name(actual.dtype()), name(bag.dtype))};
  if (actual.shape() == bag.shape) return {};
  const std::string text = fmt::format("the result's shape is {}, the document says {}",
                                       to_string(actual.shape()), to_string(bag.shape));
  if (!is_transposed(bag, actual.shape(), Elements(actual))) return {{.kind = Kind::form_shape}, text};
  const Diagnosis transposed{.kind = Kind::form_transposed};
  return {transposed, text + "\n" + sentence(transposed)};
}

Fault input_fault(const Bag& bag, const Produced& produced) {
  std::vector<std::string> names;
  for (const std::string& written : produced.inputs_written)
    if (std::find(bag.may_write.begin(), bag.may_write.end(), written) == bag.may_write.end())
      names.push_back(written);
  if (names.empty()) return {};
  return {{.kind = Kind::argument_written, .subject = as_subject(fmt::format("{}", fmt::join(names, "+")))},
          fmt::format("the call wrote its input {}, which the document does not allow",
                      fmt::join(names, " and "))};
}

Fault value_fault(const Bag& bag, const Elements& actual, const Comparison& comparison,
                  const Reason& because) {
  if (comparison.failing.empty()) return {};
  const Suspect suspect{bag, actual, comparison.failing};
  LikelyCauses meanings = wrong_meanings(suspect);
  return {.diagnosis = meanings.empty() ? about_cells(suspect) : meanings.front(),
          .text = explain_mismatch(bag, actual, comparison, because.text()),
          .causes = std::move(meanings)};
}

/// The first fault gives the diagnosis; all of them are reported.
Judgement mismatch(ComparisonMode mode, const Fault& first, const Fault& second) {
  return {.verdict = Verdict::mismatch,
          .mode = mode,
          .diagnosis = first ? first.diagnosis : second.diagnosis,
          .explanation = first.text + (first && second ? "\n" : "") + second.text,
          .causes = first.causes};
}

Judgement on_result(const Bag& bag, const Produced& produced, const Reason& because) {
  if (const auto why = unsound(bag))
    return word(Verdict::infra, {.kind = Kind::unsound_bag}, "the bag is unsound: " + *why);
  const Fault wrote = input_fault(bag, produced);
  if (Fault fault = form_fault(bag, produced)) {
    fault.text = with_reason(std::move(fault.text), because);
    return mismatch(ComparisonMode::none, fault, wrote);
  }
  const Elements actual(produced.tensors.front());
  const Comparison comparison = compare(bag, actual);
  const Fault wrong = value_fault(bag, actual, comparison, because);
  Judgement judgement{.verdict = Verdict::pass, .mode = comparison.mode};
  if (wrong || wrote) judgement = mismatch(comparison.mode, wrong, wrote);
  judgement.bound = comparison.bound;
  judgement.sensitivity = comparison.sensitivity;
  if (wrong || wrote) return judgement;
  if (comparison.weak != Kind::none) {
    judgement.verdict = Verdict::weak;
    judgement.diagnosis = {.kind = comparison.weak};
    judgement.explanation = sentence(judgement.diagnosis);
  }
  if (const auto rows = whole_rows(bag, actual)) {
    judgement.rows_whole = rows->whole;
    if (!rows->whole) {
      if (judgement.verdict == Verdict::pass) judgement.diagnosis = {.kind = Kind::rows_mixed};
      judgement.explanation += (judgement.explanation.empty() ? "" : "\n") + rows->sentence;
    }
  }
  return judgement;
}

struct ByExpectation {
  const Expectation& expectation;
  const Outcome& outcome;
  bool native;

  Judgement operator()(const Bag& bag) const {
    if (const auto* produced = std::get_if<Produced>(&outcome.what))
      return on_result(bag, *produced, expectation.because);
    const auto& refused = std::get<Refused>(outcome.what);
    if (expectation.may_refuse)
      return word(Verdict::weak, Kind::allowed_refusal, refused,
                  "the document lets an engine refuse this call, and it did: " + refusal_text(refused));
    return word(
        Verdict::unexpected_error, Kind::unexpected_refusal, refused,
        with_reason(refused_words(refused) + ", but the document defines a result", expectation.because));
  }
  Judgement operator()(const RefusalExpected& expected) const {
    const Reason& because = expected.because.empty() ? expectation.because : expected.because;
    if (const auto* refused = std::get_if<Refused>(&outcome.what))
      return native && speaks_kinds(*refused) ? on_kind(expected, *refused, because)
                                              : on_refusal(expected, *refused, because);
    const auto& produced = std::get<Produced>(outcome.what);
    const bool empty = !produced.tensors.empty() && produced.tensors.front().numel() == 0;
    return word(Verdict::missing_error, {.kind = empty ? Kind::no_refusal_of_empty : Kind::no_refusal},
                with_reason("the call must be refused, but it returned " + produced_text(produced), because));
  }
  Judgement operator()(const Free& free) const {
    const Reason& because = free.because.empty() ? expectation.because : free.because;
    const Diagnosis diagnosis{.kind = free.undefined ? Kind::undefined : Kind::silent};
    return word(Verdict::open, diagnosis, with_reason(sentence(diagnosis), because));
  }
};

/// The state that a refused call leaves is judged in addition to the refusal itself: a wrong refusal stays
/// the verdict.
Judgement with_arguments(const Expectation& expectation, const Refused& refused, Judgement judgement) {
  std::vector<std::string> changed;
  for (const std::string& name : refused.arguments_written)
    if (std::ranges::find(expectation.unchanged, name) != expectation.unchanged.end())
      changed.push_back(name);
  if (changed.empty()) return judgement;
  std::string text = with_reason(
      fmt::format("{}, after the call had changed {}", refused_words(refused), fmt::join(changed, " and ")),
      expectation.unchanged_because);
  if (judgement.verdict == Verdict::wrong_error || judgement.verdict == Verdict::unexpected_error) {
    judgement.explanation += "\n" + text;
    return judgement;
  }
  Judgement mismatch = word(Verdict::mismatch,
                            {.kind = Kind::changed_though_refused,
                             .subject = as_subject(fmt::format("{}", fmt::join(changed, "+")))},
                            std::move(text));
  mismatch.message = refused.message;
  return mismatch;
}

}  // namespace

bool is_written_by(const Bag& bag, const Tensor& actual, const Shape& strides) {
  if (actual.dtype() != bag.dtype || actual.shape() != bag.shape) return false;
  const Elements elements(actual);
  const Comparison comparison = compare(bag, elements);
  return is_written_by({bag, elements, comparison.failing}, strides);
}

Judgement judge(const Expectation& expectation, const Outcome& outcome, bool native) {
  if (auto failure = word_on_failure(outcome)) return *std::move(failure);
  Judgement judgement = std::visit(ByExpectation{expectation, outcome, native}, expectation.what);
  const auto* refused = std::get_if<Refused>(&outcome.what);
  return refused ? with_arguments(expectation, *refused, std::move(judgement)) : judgement;
}

}  // namespace scatterproof::spec
