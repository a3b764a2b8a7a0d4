// SPDX-License-Identifier: Apache-2.0
// What engines did otherwise in one run than in another, whatever the documents allow.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::runner {

/// One call, or one kind of generated calls, that two runs do not agree about.
struct Change {
  enum class Kind {
    changed,  ///< another verdict, another kind of outcome, or another result of a call that is open or fails
    appeared,  ///< the engine offers the call now; or a way in which generated calls end that did not come up before
    vanished,     ///< the reverse
    other_result  ///< another result, and the document allowed both
  };
  Kind kind = Kind::changed;
  const spec::Record* before = nullptr;  ///< null: no generated call ended like `after`
  const spec::Record* after = nullptr;   ///< null: the reverse
  const spec::Record& either() const { return after ? *after : *before; }
};
std::string_view name(Change::Kind kind);

struct Difference {
  std::vector<Change> changes;  ///< by kind, API, and id; they point into the records compared
  std::size_t same = 0;         ///< calls, or kinds of generated calls
  std::size_t only_before = 0;  ///< calls that only the earlier run made: nothing is known of them
  std::size_t only_after = 0;
  bool compared() const { return same > 0 || !changes.empty(); }
};

/// Calls are told apart by their id and their engine's name without its version; where each side has one engine, the
/// names do not matter. Precondition: no side has two versions of an engine (several_versions).
Difference difference(const std::vector<spec::Record>& before, const std::vector<spec::Record>& after);

/// An engine of which there are records in two versions: `torch 1.13.1 and 2.13.0`; empty: there is none.
std::string several_versions(const std::vector<spec::Record>& records);

/// `mismatch (wrong_meaning/shifted_back): produced i64[2] [1, 2]`
std::string behaviour_text(const spec::Record& record);

/// Changes that are alike in everything but the case and the values, in the order of the first of each.
std::vector<std::vector<Change>> alike(const std::vector<Change>& changes);

}  // namespace scatterproof::runner
