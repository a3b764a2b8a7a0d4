// SPDX-License-Identifier: Apache-2.0
// The judge: what the document allows and what happened in, a verdict out.
#include "scatterproof/spec/judge/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "explain.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "vices.hpp"

namespace scatterproof::spec {
namespace {

using namespace judging;

Judgement word(Verdict verdict, std::string explanation) {
  return {.verdict = verdict, .explanation = std::move(explanation)};
}

std::string with_reason(std::string text, const Reason& reason) {
  const std::string because = reason.text();
  return because.empty() ? text : text + "\nbecause " + because;
}

/// `RuntimeError: index out of range`, the message cut at its first line.
std::string refusal_text(const Refused& refused) {
  const std::string line = refused.message.substr(0, refused.message.find('\n'));
  const std::string kind =
      refused.error_classes.empty() ? "an error of no class" : refused.error_classes.front();
  return line.empty() ? kind : kind + ": " + line;
}

std::string produced_text(const Produced& produced) {
  if (produced.tensors.empty()) return "no tensor";
  const Tensor& first = produced.tensors.front();
  return fmt::format("{}{} {}", name(first.dtype()), to_string(first.shape()), to_string(first, 16));
}

// What happened, where the document's word does not matter: the engine's process or the machinery failed.

std::optional<Judgement> word_on_failure(const Outcome& outcome) {
  if (std::holds_alternative<Crashed>(outcome.what)) return word(Verdict::crash, to_string(outcome));
  if (std::holds_alternative<TimedOut>(outcome.what)) return word(Verdict::timeout, to_string(outcome));
  if (std::holds_alternative<Garbled>(outcome.what) || std::holds_alternative<Unavailable>(outcome.what))
    return word(Verdict::infra, to_string(outcome));
  if (const auto* unsupported = std::get_if<Unsupported>(&outcome.what))
    return word(Verdict::unsupported, unsupported->reason);
  return std::nullopt;
}

// A refusal is required.

/// An engine without a framework may be a user's own program that speaks its language's exceptions: its first
/// class tells.
bool speaks_kinds(const Refused& refused) {
  constexpr std::string_view kinds[] = {"rank", "shape", "dtype", "index", "axis", "value"};
  return !refused.error_classes.empty() &&
         std::ranges::find(kinds, refused.error_classes.front()) != std::end(kinds);
}

Judgement on_kind(const RefusalExpected& expected, const Refused& refused, const Reason& because) {
  if (expected.native.empty() || refused.error_classes.front() == expected.native)
    return word(Verdict::pass, "");
  return word(Verdict::wrong_error,
              with_reason(fmt::format("refused with {}, promised is a refusal of kind {} (docs/terms.md)",
                                      refusal_text(refused), expected.native),
                          because));
}

Judgement on_refusal(const RefusalExpected& expected, const Refused& refused, const Reason& because) {
  const std::vector<std::string>& accepted = expected.classes;
  const auto answers = [&](const std::string& one) {
    return std::find(accepted.begin(), accepted.end(), one) != accepted.end();
  };
  if (accepted.empty() || std::any_of(refused.error_classes.begin(), refused.error_classes.end(), answers))
    return word(Verdict::pass, "");
  return word(Verdict::wrong_error,
              with_reason(fmt::format("refused with {}, promised is {}", refusal_text(refused),
                                      fmt::join(accepted, " or ")),
                          because));
}

// A result is defined.

std::string form_fault(const Bag& bag, const Produced& produced) {
  if (produced.tensors.size() != 1)
    return fmt::format("{} tensors came, the document defines one result", produced.tensors.size());
  const Tensor& actual = produced.tensors.front();
  if (actual.dtype() != bag.dtype)
    return fmt::format("the result's dtype is {}, the document says {}", name(actual.dtype()),
                       name(bag.dtype));
  if (actual.shape() == bag.shape) return {};
  std::string text = fmt::format("the result's shape is {}, the document says {}", to_string(actual.shape()),
                                 to_string(bag.shape));
  if (is_transposed(bag, actual.shape(), actual.values()))
    text += "\nthe whole result is the right one transposed";
  return text;
}

std::string input_fault(const Bag& bag, const Produced& produced) {
  std::vector<std::string> names;
  for (const std::string& written : produced.inputs_written)
    if (std::find(bag.may_write.begin(), bag.may_write.end(), written) == bag.may_write.end())
      names.push_back(written);
  if (names.empty()) return {};
  return fmt::format("it wrote its input {}, which the document does not allow", fmt::join(names, " and "));
}

void append_line(std::string& text, const std::string& line) {
  if (!line.empty()) text += (text.empty() ? "" : "\n") + line;
}

Judgement on_result(const Bag& bag, const Produced& produced, const Reason& because) {
  if (const auto why = unsound(bag)) return word(Verdict::infra, "the bag is unsound: " + *why);
  const std::string wrote = input_fault(bag, produced);
  if (std::string fault = form_fault(bag, produced); !fault.empty()) {
    fault = with_reason(std::move(fault), because);
    append_line(fault, wrote);
    return word(Verdict::mismatch, std::move(fault));
  }
  const std::vector<Scalar> actual = produced.tensors.front().values();
  const Comparison comparison = compare(bag, actual);
  Judgement judgement{
      .rung = comparison.rung, .bound = comparison.bound, .sensitivity = comparison.sensitivity};
  if (!comparison.failing.empty())
    judgement.explanation = explain_mismatch(bag, actual, comparison, because.text());
  append_line(judgement.explanation, wrote);
  if (!judgement.explanation.empty()) {
    judgement.verdict = Verdict::mismatch;
    return judgement;
  }
  judgement.verdict = comparison.weak.empty() ? Verdict::pass : Verdict::weak;
  judgement.explanation = comparison.weak;
  if (const auto rows = whole_rows(bag, actual)) {
    judgement.rows_whole = rows->whole;
    append_line(judgement.explanation, rows->sentence);
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
    const std::string refusal = refusal_text(std::get<Refused>(outcome.what));
    if (expectation.may_refuse)
      return word(Verdict::weak, "the document lets an engine refuse this call, and it did: " + refusal);
    return word(
        Verdict::unexpected_error,
        with_reason("refused with " + refusal + ", but the document defines a result", expectation.because));
  }
  Judgement operator()(const RefusalExpected& expected) const {
    const Reason& because = expected.because.empty() ? expectation.because : expected.because;
    if (const auto* refused = std::get_if<Refused>(&outcome.what))
      return native && speaks_kinds(*refused) ? on_kind(expected, *refused, because)
                                              : on_refusal(expected, *refused, because);
    return word(Verdict::missing_error, with_reason("a refusal is promised, but a result came: " +
                                                        produced_text(std::get<Produced>(outcome.what)),
                                                    because));
  }
  Judgement operator()(const Free& free) const {
    const Reason& because = free.because.empty() ? expectation.because : free.because;
    return word(Verdict::open, with_reason(free.undefined ? "the document leaves this undefined"
                                                          : "the document is silent here",
                                           because));
  }
};

}  // namespace

Judgement judge(const Expectation& expectation, const Outcome& outcome, bool native) {
  if (auto failure = word_on_failure(outcome)) return *std::move(failure);
  return std::visit(ByExpectation{expectation, outcome, native}, expectation.what);
}

}  // namespace scatterproof::spec
