// SPDX-License-Identifier: Apache-2.0
// What engines did differently in one run than in another, whatever the documents allow. Only a few bytes of
// each record are in memory; what is printed is read from the streams again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scatterproof/spec/core/stable_hash.hpp"
#include "scatterproof/spec/record/failure_key.hpp"
#include "scatterproof/spec/record/record.hpp"
#include "scatterproof/spec/record/stream_file.hpp"

namespace scatterproof::runner {

/// One side of a comparison: a stream, and what its records are compared by.
class ComparedRun {
 public:
  /// Opens a stream, and gives each record to what it is given.
  using Open = std::function<spec::Result<spec::StreamFile>(const spec::TakeRecord& look)>;
  /// Of the stream only the records that are `wanted`.
  static spec::Result<ComparedRun> read(const Open& open,
                                        const std::function<bool(const spec::Record&)>& wanted);

  const spec::StreamFile& stream() const { return *stream_; }
  std::size_t records() const { return entries_.size(); }
  /// The first engine with records of two versions: `torch 1.13.1 and 2.13.0`; empty: there is none.
  const std::string& several_versions() const { return several_versions_; }

  /// Calls that were generated, of the engine that has the most.
  std::uint64_t generated() const;

  /// A record, without its words.
  struct Entry {
    spec::TextHash key;           ///< of its id; so far not of its engine
    std::uint64_t behaviour = 0;  ///< of everything but the elements of its result
    std::uint64_t digest = 0;     ///< of its result
    std::uint64_t place = 0;      ///< in the stream
    std::uint32_t engine = 0;     ///< a number
    bool is_offered = false;      ///< by its engine
    bool is_allowed = false;      ///< what the engine did
    bool is_of_many = false;      ///< it stands for many calls, and several of them have one id
  };
  bool has_one_engine() const { return engines_.size() == 1; }
  /// The entries in the order of their keys, which hold the engine's name if asked. They are not kept.
  std::vector<Entry> take_entries(bool by_engine);

 private:
  void add(const spec::Record& record, std::uint64_t place);

  struct Engine {
    std::uint32_t number = 0;
    std::string version;
    std::uint64_t generated = 0;  ///< calls
  };
  std::optional<spec::StreamFile> stream_;
  std::vector<Entry> entries_;
  std::map<std::string, Engine> engines_;  ///< by name without version
  std::string several_versions_;
};

/// One call, or one kind of generated calls, that two runs do not agree about.
struct Change {
  enum class Kind {
    changed,  ///< another verdict, another kind of outcome, or another result of a call that is open or fails
    appeared,  ///< the engine offers the call now; or generated calls end in a way that did not occur before
    vanished,  ///< the reverse
    other_result  ///< another result, and the document allowed both
  };
  /// As far as failures tell: a new failure or a worse one is worse, and the reverse is better.
  enum class Direction { worse, other, better };
  Kind kind = Kind::changed;
  Direction direction = Direction::other;
  spec::Severity severity = spec::Severity::no_verdict;  ///< of the failure that makes it worse or better
  std::optional<std::uint64_t> before;  ///< the place of a record; none: no generated call ended like `after`
  std::optional<std::uint64_t> after;   ///< none: the reverse
  std::string order = {};               ///< elements of the failing call, API, id and engine
  spec::TextHash like = {};             ///< of what it has in common with similar changes
};
/// What it is, for a person: `supported now`.
std::string_view words_for(const Change& change);
std::string_view name(Change::Direction direction);

/// The records of a change: one or both are there.
struct ChangedRecords {
  std::optional<spec::Record> before;
  std::optional<spec::Record> after;
  const spec::Record& either() const { return after ? *after : *before; }
};
/// Reads them again. The error: a stream has changed.
spec::Result<ChangedRecords> records_of(const Change& change, const ComparedRun& before,
                                        const ComparedRun& after);

struct Difference {
  std::vector<Change> changes;  ///< by direction, severity, kind, API, and id
  std::size_t same = 0;         ///< calls, or kinds of generated calls
  std::size_t only_before = 0;  ///< calls that only the earlier run made: nothing is known of them
  std::size_t only_after = 0;
  bool compared() const { return same > 0 || !changes.empty(); }
};

/// Calls are identified by their id and their engine's name without its version; if each side has one engine,
/// the names do not matter. Precondition: no side has two versions of an engine (several_versions). Takes the
/// entries of both. The errors: a stream changed while it was read.
spec::Result<Difference> difference(ComparedRun& before, ComparedRun& after);

/// `mismatch (wrong_meaning/shifted_back): produced i64[2] [1, 2]`
std::string behaviour_text(const spec::Record& record);

/// Changes grouped: those that are worse or better by the failure that appeared or is gone
/// (spec::FailureKey), over operations; others by everything but the case and the values. The worst come
/// first, then the largest groups. They point into `changes`.
std::vector<std::vector<const Change*>> alike(const std::vector<Change>& changes);

}  // namespace scatterproof::runner
