// SPDX-License-Identifier: Apache-2.0
// The words in which an outcome is judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace scatterproof::spec {

enum class Verdict : std::uint8_t {
  pass,      ///< the document allows the outcome, and the call could have shown a fault
  weak,      ///< a vacuous pass: the outcome is allowed, but the call proves little; `explanation` says why
  mismatch,  ///< a result the document does not allow
  wrong_error,       ///< refused, as required, but with another kind of error than promised
  missing_error,     ///< the document requires a refusal; a result came
  unexpected_error,  ///< the document defines a result; a refusal came
  crash,             ///< the process died: wrong even where the document promises nothing
  timeout,           ///< no answer within the limit
  unsupported,       ///< the engine says it does not offer this
  open,              ///< the document leaves this free (or calls it undefined): nothing to judge
  infra,    ///< the machinery failed (garbled reply, engine could not start): says nothing about the API
  disputed  ///< the case and its spec contradict each other: says nothing about the engine
};
std::string_view name(Verdict verdict);
/// Whether the document allows the outcome: a pass, be it vacuous.
constexpr bool is_allowed(Verdict verdict) { return verdict == Verdict::pass || verdict == Verdict::weak; }
/// Whether it fails a run unless a baseline entry matches.
constexpr bool is_failure(Verdict verdict) {
  return !is_allowed(verdict) && verdict != Verdict::unsupported && verdict != Verdict::open;
}
std::optional<Verdict> parse_verdict(std::string_view name);

/// How the values were judged (docs/understand/judging.md): from the sharpest to the widest.
enum class ComparisonMode : std::uint8_t {
  none,     ///< no values were compared (refusals, open, crashes)
  exact,    ///< one bit pattern is right
  member,   ///< one of a few listed values: the contributions that collide, the two roundings of an integer
            ///< mean
  lattice,  ///< floats, but every order of combination is exact, so one bit pattern is right
  bound     ///< within a proven distance of the exact result, whatever the order
};
std::string_view name(ComparisonMode mode);
std::optional<ComparisonMode> parse_comparison_mode(std::string_view name);

}  // namespace scatterproof::spec
