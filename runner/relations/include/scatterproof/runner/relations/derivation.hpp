// SPDX-License-Identifier: Apache-2.0
// What a metamorphic relation derives from a call: other calls, and their required results, given the result
// of the first.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scatterproof/runner/relations/relations.hpp"
#include "scatterproof/spec/judge/bag.hpp"

namespace scatterproof::runner::relations {

/// Maps a tensor over the first call's cells, such as its result, to one over another call's cells.
using Image = std::function<spec::Tensor(const spec::Tensor&)>;

/// A call whose result follows from the first's.
struct Other {
  spec::Call call;
  Image expected = nullptr;  ///< of the first's result; null: the same
  Image settled = nullptr;   ///< of the first's settled cells; null: the same
  bool every_bit = false;    ///< also compares what no document settles, unless the engine is documented
                             ///< to vary
  bool alone = false;        ///< in a batch of its own
};

/// Calls, or why there are none.
struct Others {
  std::vector<Other> calls;
  std::string why_none;

  void add(std::variant<spec::Call, std::string> said, Image expected = nullptr, Image settled = nullptr);
};

struct Derivation {
  spec::Call first;
  Others others = {};
  std::optional<spec::Call> half = {};  ///< executed for `then` alone
  /// More, made of the result of `half`, or of the first where there is no half.
  std::function<Others(const spec::Tensor&)> then = nullptr;
  bool keeps_inputs = false;  ///< of the first call: what it wrote is checked
};

/// The call on which a relation is checked, with everything known about it.
struct RelationCall {
  const Setting& setting;
  const spec::OpSpec& spec;
  const spec::Family& family;
  const spec::Relation& relation;
  const spec::Call& call;
  spec::FamilyCall said = {};
  spec::Shape stream = {};  ///< its sizes; empty for relations that ask about any call

  bool scatters() const { return family.role("updates") != nullptr; }
  const spec::Argument& role(std::string_view name) const;
  /// What the call says, with some roles changed.
  spec::FamilyCall with(std::vector<std::pair<std::string_view, spec::Argument>> changes) const;
  /// A call of the same API that says this.
  std::variant<spec::Call, std::string> say(const spec::FamilyCall& what) const;
};

/// Derives the other calls; or says why there are none.
using Derive = std::variant<Derivation, std::string> (*)(const RelationCall&);

/// A word of the schema's `by`. Null when there is none.
struct Transformation {
  std::string_view word;
  Derive derive;
  bool any_call = false;  ///< also for calls that must be refused; only the call itself is known about these
};
const Transformation* find_transformation(std::string_view word);

std::variant<Derivation, std::string> fill_updates(const RelationCall& given);
std::variant<Derivation, std::string> gather_back(const RelationCall& given);
std::variant<Derivation, std::string> grow_table(const RelationCall& given);
std::variant<Derivation, std::string> keep_inputs(const RelationCall& given);
std::variant<Derivation, std::string> permute(const RelationCall& given);
std::variant<Derivation, std::string> relayout(const RelationCall& given);
std::variant<Derivation, std::string> repeat(const RelationCall& given);
std::variant<Derivation, std::string> restate(const RelationCall& given);
std::variant<Derivation, std::string> split(const RelationCall& given);
std::variant<Derivation, std::string> wrap_axis(const RelationCall& given);

/// The calls of other members of a family that say this and mean the same positions of the same stream; with
/// `own`, also those of the given call's own API.
Others said_by_members(const RelationCall& given, const spec::Family& family, const spec::FamilyCall& said,
                       bool own);

}  // namespace scatterproof::runner::relations
