// SPDX-License-Identifier: Apache-2.0
// One input, put to every member: what each did, and by what readings it can be explained.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/runner/compare/input_classes.hpp"
#include "scatterproof/runner/compare/members.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/core/verdict.hpp"
#include "scatterproof/spec/family/comparison.hpp"

namespace scatterproof::runner::compare {

/// What a member's own document says of the call.
enum class Promised : std::uint8_t { result, refusal, undefined, open };

/// What a member did with an input.
struct Observation {
  enum class Kind : std::uint8_t {
    absent,  ///< the API cannot express it, the engine does not take it, or the member was not asked
    refused,
    refused_after_writing,  ///< an argument had been changed by then
    crashed,                ///< or hung
    produced
  };
  Kind kind = Kind::absent;
  std::string why_absent = {};
  std::uint64_t readings = 0;  ///< of a result: those of `explanations_of` that explain it, by bit
  spec::Outcome outcome = {};  ///< unless absent
  Promised promised = Promised::open;
  bool keeps_word = true;    ///< false: its own document forbids the outcome
  std::string because = {};  ///< the sentence of the document, in our words; empty: there is none
};

/// The result, the class of the exception, or how the process ended; in one line.
std::string shown(const Observation& answer);

/// Whether two answers cannot come from one way of interpreting the input: one is a refusal and the other a
/// result, or no reading explains both results. An absent answer differs from none.
bool differ(const Observation& a, const Observation& b);

/// The members whose result is one that the family's meaning gives for this input, whatever input they were
/// asked about.
std::vector<std::size_t> those_that_gave(const spec::FamilyComparison& comparison, const Input& input,
                                         std::span<const Observation> answers);

/// A candidate explanation: one reading or several together; none is the common meaning as it is.
using Explanation = std::vector<const spec::CallReading*>;
/// The explanations tried for an input of these classes, by the bits of Observation::readings: at most 64.
/// Where the common meaning of a class is open, each has one of its readings.
std::vector<Explanation> explanations_of(const spec::FamilyComparison& comparison,
                                         const std::vector<std::size_t>& classes);
/// `as defined`, or the ids of its readings joined by ` and `.
std::string name_of(const Explanation& explanation);
/// The first explanation under which the family's meaning allows the result; null: there is none.
std::optional<Explanation> explanation_of(const spec::FamilyComparison& comparison,
                                          const spec::FamilyCall& said, const spec::Outcome& outcome);

struct ComparisonSetting {
  const spec::FamilyComparison& comparison;
  std::span<const FamilyMember> members;
  std::chrono::milliseconds timeout{10'000};  ///< a call
  /// Whether a member is not to be asked about an input, of those given to `ask`; empty: all are.
  std::function<bool(std::size_t member, const Input& input)> skips = {};
  /// Told each outcome soon, before `skips` decides about the engine's later inputs; may be empty.
  std::function<void(std::size_t member, const Input& input, const spec::Outcome& outcome)> saw = {};
};

/// The answers of every member to every input: [input][member]. Each engine is asked in a thread of its own,
/// which calls `skips` and `saw`. The answer of a member that was skipped is absent, without a reason.
std::vector<std::vector<Observation>> ask(const ComparisonSetting& setting, std::span<const Input> inputs);

/// The call with which a member says it, or why it cannot.
std::variant<spec::Call, std::string> call_of(const spec::FamilyComparison& comparison,
                                              const FamilyMember& member, const spec::FamilyCall& said);

}  // namespace scatterproof::runner::compare
