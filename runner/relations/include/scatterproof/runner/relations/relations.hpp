// SPDX-License-Identifier: Apache-2.0
// Metamorphic relations: other calls are derived from a call, executed too, and their results compared with
// its result, without an oracle. The relations are data: spec/data/families, docs/understand/families.md.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/family/family.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::relations {

/// The relations that apply to calls of this API: those of its family.
std::vector<const spec::Relation*> relations_of(const spec::OpSpec& spec,
                                                const spec::FamilyLibrary& families);

/// The engine to check, and the specs and families to check it by. All must outlive the check.
struct Setting {
  const spec::SpecLibrary& specs;
  const spec::FamilyLibrary& families;
  engines::Engine& engine;
  std::chrono::milliseconds timeout{10'000};  ///< a call
};

/// A call, and a relation of the family of its API. Not owned.
struct Question {
  const spec::Relation* relation = nullptr;
  const spec::Call* call = nullptr;
};

struct Holds {};
struct Violated {
  std::string relation;  ///< its id
  std::string sentence;  ///< which calls differ, where, and in what values
  spec::Call first;
  spec::Call second;  ///< derived from the first; the same call where repeating it shows the fault
  spec::Outcome first_outcome;
  spec::Outcome second_outcome;
  /// The first cell of the second's result that differs; empty: the violation is not about a cell.
  std::optional<spec::Coords> at = {};
  std::string documented = {};  ///< what the engine documents about such differences; empty: nothing
};
/// Nothing was compared, and why.
struct NotApplicable {
  std::string reason;
};
using Answer = std::variant<Holds, Violated, NotApplicable>;

/// One answer for each question. The calls of all questions are executed together, in the engine's batches;
/// calls derived from a result follow in batches of their own. Calls for which the document promises nothing
/// are not checked, and calls that must be refused only by the relations that cover refusals.
std::vector<Answer> check_relations(const Setting& setting, std::span<const Question> questions);
/// The same for one question: to re-run it, and to shrink it.
Answer check_relation(const Setting& setting, const spec::Relation& relation, const spec::Call& call);

/// A relation's answer as a verdict: a violation is a mismatch, unless the engine is documented to vary in
/// this way.
spec::Judgement judgement_of(const Answer& answer);

}  // namespace scatterproof::runner::relations
