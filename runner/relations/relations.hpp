// SPDX-License-Identifier: Apache-2.0
// Relations between calls that need no oracle: made of a call, executed beside it, and compared with it. What
// there is to check is data: spec/families, docs/families.md.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "scatterproof/engines/engine.hpp"
#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/family/family.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::relations {

/// The relations that a call of this API can be asked about; those of its family.
std::vector<const spec::Relation*> relations_of(const spec::OpSpec& spec,
                                                const spec::FamilyLibrary& families);

/// Whom to ask, and by what. All outlive the check.
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
  std::string sentence;  ///< which calls, where they differ, and what each holds there
  spec::Call first;
  spec::Call second;  ///< made of the first; the same where that is what is wrong with it
  spec::Outcome first_outcome;
  spec::Outcome second_outcome;
  std::optional<spec::Coords> at;  ///< the first cell of the second's result that differs; empty: not a cell
  std::string documented;          ///< the engine's own word on such differences; empty: it promises none
};
/// Nothing was compared, and why not.
struct NotApplicable {
  std::string reason;
};
using Answer = std::variant<Holds, Violated, NotApplicable>;

/// One answer a question. The calls of all questions are executed together, in the engine's batches; calls
/// made of a result follow in batches of their own. A call that the document makes no promise for is not
/// asked about, and only those relations that are about refusals too ask about one that must be refused.
std::vector<Answer> check_relations(const Setting& setting, std::span<const Question> questions);
/// The same for one: to look at it again, and to shrink it.
Answer check_relation(const Setting& setting, const spec::Relation& relation, const spec::Call& call);

}  // namespace scatterproof::runner::relations
