// SPDX-License-Identifier: Apache-2.0
// One judged call, and the stream of judged calls of a run: every report is a replay of this stream.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/core/diagnosis.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/core/tensor.hpp"
#include "scatterproof/spec/core/verdict.hpp"

namespace scatterproof::spec {

/// Behind the id of a case: a record about its gradients.
inline constexpr std::string_view gradient_suffix = "/gradient";

/// How a verdict compares with the baseline. The verdict itself stays as it is.
enum class Disposition {
  as_expected,  ///< pass, weak, open, unsupported with no entry
  unexpected,   ///< a failing verdict that no baseline entry describes
  known,        ///< an expected failure: a baseline entry describes it
  flaky,        ///< a failing verdict, not so when a freshly started engine was asked again
  expired       ///< a failing verdict that only a baseline entry describes whose day has passed
};
/// Whether a call that stands like this fails its run, whatever else was asked for.
inline bool fails(Disposition disposition) {
  return disposition == Disposition::unexpected || disposition == Disposition::expired;
}
std::string_view name(Disposition disposition);
std::optional<Disposition> parse_disposition(std::string_view name);

/// What happened, in short, so that two runs can be compared where nothing was judged.
struct OutcomeSummary {
  std::string kind;  ///< produced, refused, unsupported, crashed, timed_out, garbled, unavailable
  std::vector<std::string> classes = {};  ///< of a refusal: the exception's classes, or the refusal kind
  std::vector<std::string> wrote = {};    ///< of a refusal: the arguments that had been changed by then
  std::string dtype = {};                 ///< of one result; and so for the next three
  Shape shape = {};
  std::string digest = {};  ///< of dtype, shape and elements, in 16 hexadecimal digits
  std::string values = {};  ///< as printed; empty when there are many
};

/// A glob that the calls of a record match.
struct CallGlob {
  std::string glob;
  std::uint64_t passed = 0;  ///< calls with the record's id that passed and that it matches too
  friend bool operator==(const CallGlob&, const CallGlob&) = default;
};

struct Record {
  std::string id;  ///< the case's id; of generated calls `torch.gather/fuzz/valid`, or the broken rule's id
                   ///< for `valid`
  std::string api;
  std::string operation = {};  ///< the canonical operation or family of the API; empty: it has none, or the
                               ///< stream is of an earlier release
  std::string engine;          ///< `reference`, `torch@2.13.0`
  std::string version;         ///< the engine's own version
  std::string device;
  Verdict verdict = Verdict::infra;
  ComparisonMode mode = ComparisonMode::none;
  Disposition disposition = Disposition::as_expected;
  Diagnosis diagnosis;  ///< what went wrong; none for a plain pass, and in streams of version 1
  std::optional<OutcomeSummary>
      outcome;                      ///< of one call; absent for many, and in streams of earlier releases
  std::vector<std::string> broken;  ///< ids of the rules that the call breaks
  Diagnosis practice;       ///< of a call that breaks rules: what the engine did with it, without numbers
  std::string recast;       ///< of a case in another dtype than its file's: that dtype, `f32`
  std::string explanation;  ///< the same for a person, and more
  LikelyCauses causes;      ///< of wrong cells; in streams of earlier releases part of the explanation
  std::string message;      ///< of a refusal: all that the engine said
  std::string reproduce;    ///< one shell line
  std::string
      known_reason;        ///< the baseline entry's reason and link; of an expired one also its place and day
  std::string known_file;  ///< the baseline that has the entry; empty: there is none
  int known_line = 0;      ///< of that file
  std::vector<Verdict> retried;  ///< of a failure: what freshly started engines got, one after the other
  std::optional<double> bound;
  std::optional<double> sensitivity;
  std::string file;            ///< where the case is written; empty where no file holds it
  int line = 0;                ///< of that file; 0: not known
  std::string snippet;         ///< a standalone reproducer in the framework's own language; may be empty
  std::uint64_t elements = 0;  ///< in the tensors of a failing call; 0: not known, or it did not fail
  std::uint64_t count = 1;     ///< generated calls with the same judgement
  /// Of a generated call that fails: its number among its API's calls; of several that fail in the same way,
  /// the first.
  std::optional<std::uint64_t> number = {};
  /// Of generated calls with wrong cells: what is simple about each of them, and about the one that is shown.
  std::vector<CallGlob> call_globs = {};
  std::uint64_t passed = 0;  ///< generated calls with this id that passed; 0: not known, or none did
  std::uint64_t seed = 0;
  double call_seconds = 0;  ///< inside the engine, 0 when it cannot tell
  double judge_seconds = 0;
};

struct EngineSummary {
  std::string name;
  std::string version;
  std::string device;
  std::string state;          ///< `ready`, or `unavailable: reason`
  std::string declared = {};  ///< the name that a worker gives itself; may be empty
};

/// The first record of a stream.
struct Header {
  int stream_version = 2;
  std::string tool_version;
  std::string run;      ///< names this run among all runs; empty in streams of earlier releases
  std::string started;  ///< UTC, ISO 8601
  std::string command_line;
  std::string machine;  ///< CPU, cores, OS
  std::string host;     ///< the machine's name; empty when not known
  std::uint64_t seed = 0;
  std::map<std::string, std::string> libraries;
  std::vector<EngineSummary> engines;
  std::size_t planned = 0;     ///< calls planned, whether they can be judged or not
  bool allow_fixed = false;    ///< entries that no longer happen do not fail the run
  bool fail_on_flaky = false;  ///< flaky calls do
  int jobs = 0;                ///< engines or threads at work at once; 0: not known
  std::string shard = {};      ///< which part of its calls this run makes, as I/N; empty: all
};

/// A baseline entry that no longer happens, or never matched.
struct StaleEntry {
  std::string file;
  int line = 0;
  std::string text;    ///< what the entry said, and what happened instead
  bool fixed = false;  ///< its cases ran and did not fail in that way; false: it matched no case
};

/// A limit that the user set for the run as a whole, such as a least coverage, and that the run did not keep.
struct FailedGate {
  std::string gate;  ///< the option that sets the limit, without its dashes: `min-coverage`
  std::string text;  ///< the figure and the limit, in one sentence
};

/// An engine that few calls of a run reached: all others were unsupported.
struct Reach {
  std::string engine;
  std::size_t calls = 0;
  std::size_t reached = 0;
  std::vector<std::string> never = {};  ///< what no call had that reached it, in words: `of rank 3 or more`
};

/// Calls that were not executed because others of the API had timed out on this engine. They have no records.
struct Skipped {
  std::string engine;
  std::string api;
  std::uint64_t calls = 0;
};

/// The last record of a stream. A stream without one was cut off.
struct Trailer {
  std::string ended;
  bool interrupted = false;
  std::size_t records = 0;
  int exit_code = 0;
  std::vector<StaleEntry> stale;
  std::string resume;  ///< a shell line that resumes an interrupted run
  bool whole = false;  ///< every case that engines offer was judged: what an entry did not match is not there
  double calls_per_second = 0;  ///< executed, from the first to the last; 0: not known, or a resumed run
  std::vector<FailedGate> gates = {};
  std::vector<Reach> reach = {};  ///< of the engines that few calls reached
  std::string next = {};          ///< a shell line that tests further; may be empty
  std::vector<Skipped> skipped = {};
  std::vector<std::string> unreached = {};  ///< APIs that were chosen and had no generated call
  /// Of a shard: baseline entries for several cases that none of its records matched. What no shard matched
  /// is stale.
  std::vector<StaleEntry> unmatched = {};
};

/// Whether a call, or a baseline entry, fails the run that has this header.
inline bool fails(const Header& header, Disposition disposition) {
  return fails(disposition) || (header.fail_on_flaky && disposition == Disposition::flaky);
}
inline bool fails(const Header& header, const Record& record) { return fails(header, record.disposition); }
inline bool fails(const Header& header, const StaleEntry& entry) {
  return !entry.fixed || !header.allow_fixed;
}

/// A whole run, as reports see it when they cannot stream.
struct Run {
  Header header;
  std::vector<Record> records;
  std::optional<Trailer> trailer;  ///< absent: the stream was cut off
};

/// JSON lines, one object a line; fields in docs/formats/record-format.md and
/// spec/data/schema/record.schema.json.
std::string to_json_line(const Header& header);
std::string to_json_line(const Record& record);
std::string to_json_line(const Trailer& trailer);
/// Reads a stream back. A cut-off last line is tolerated (no trailer); any other bad line is an error with
/// its number.
Result<Run> read_stream(const std::string& path);

}  // namespace scatterproof::spec
