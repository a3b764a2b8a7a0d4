// SPDX-License-Identifier: Apache-2.0
// Every run that was added, in a database: SQLite in a file, or PostgreSQL. No SOCI type appears here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/record/record.hpp"
#include "scatterproof/spec/record/stream_file.hpp"

namespace scatterproof::runner::history {

/// A run, without its calls.
struct RunEntry {
  std::string run;      ///< the id in its header
  std::string started;  ///< UTC, ISO 8601
  std::string command_line;
  std::string host;
  bool complete = false;  ///< its stream has an end
  int exit_code = 0;      ///< of a complete one
  std::uint64_t calls = 0;
};

/// How many calls of a run ended in the same way.
struct Count {
  std::string run;
  std::string started;
  std::string api;
  std::string engine;   ///< without its version
  std::string version;  ///< the engine's
  spec::Verdict verdict = spec::Verdict::pass;
  spec::Disposition disposition = spec::Disposition::as_expected;
  std::uint64_t calls = 0;
};

/// One call in one run.
struct CallEntry {
  std::string run;
  std::string started;
  std::string id;
  std::string engine;
  std::string version;
  spec::Verdict verdict = spec::Verdict::pass;
  spec::Disposition disposition = spec::Disposition::as_expected;
};

/// What a history is opened for.
enum class Use { read, change };

/// What adding a stream did.
enum class Added { added, completed, there_already };

class Database;

/// An open history. Several processes may use one at once; what one of them adds is stored completely or not
/// at all. Errors of the database are returned, each as one sentence.
class History {
 public:
  /// A file, which is created if it does not exist, or `postgresql://...`. Brings tables of older releases up
  /// to date. Those of a newer release, and those of other programs, are an error, and stay as they are.
  static spec::Result<History> open(const std::string& place);
  /// The same without creating anything: a history that does not exist yet is an error. To read it, its file
  /// may be read-only. Empty: the usual place.
  static spec::Result<History> open_existing(const std::string& place, Use use = Use::read);
  ~History();
  History(History&&) noexcept;

  /// Adds a run; one that is there already stays as it is, unless this stream holds more of it.
  spec::Result<Added> add(const spec::StoredRun& run);

  /// The oldest first.
  spec::Result<std::vector<RunEntry>> runs();
  /// The newest complete runs, at most `most`, without their records.
  spec::Result<std::vector<spec::Run>> newest_ends(int most);
  /// The run whose id begins so; not finding one, or several, is an error. Gives each record to `look`.
  spec::Result<spec::StreamFile> run(const std::string& id, const spec::TakeRecord& look = {});
  /// For each run, the oldest first. Empty `api` or `engine`: all; `since`: only runs that started then or
  /// later.
  spec::Result<std::vector<Count>> counts(const std::string& api, const std::string& engine,
                                          const std::string& since = "");
  /// The calls of all cases that ever failed, the oldest first. Empty `engine`: all.
  spec::Result<std::vector<CallEntry>> calls_that_failed(const std::string& engine);
  /// The newest run that has records of an engine (is_of): its id; empty: there is none.
  spec::Result<std::string> newest_run_of(const std::string& engine);
  /// Removes all runs but the newest `keep`: how many were removed.
  spec::Result<std::size_t> prune(std::size_t keep);

 private:
  explicit History(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

/// Whether the record is of an engine that is named with its version, whatever its build: 2.13.0 calls itself
/// 2.13.0+cpu.
bool is_of(const std::string& engine, const spec::Record& record);

/// The id of a run; of one of an earlier release, which has none, one that follows from its header.
std::string id_of(const spec::Header& header);

/// Where runs are kept by default: $SCATTERPROOF_HISTORY, or in the user's state folder; empty if there is
/// neither.
std::string usual_place();

/// The kinds of database, each with why it cannot be used here; empty: it can.
std::vector<std::pair<std::string, std::string>> backends();

/// A place as it may be printed: a URL without its password.
std::string shown(const std::string& place);

/// Whether there may be a history: of files, whether there is one; a server has to be asked.
bool may_exist(const std::string& place);

}  // namespace scatterproof::runner::history
