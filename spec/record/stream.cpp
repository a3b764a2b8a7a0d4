// SPDX-License-Identifier: Apache-2.0
// Reads streams of JSON lines (docs/formats/record-format.md).
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

#include "json_lines.hpp"
#include "lines.hpp"
#include "quick_record.hpp"
#include "scatterproof/spec/core/stable_hash.hpp"
#include "scatterproof/spec/record/record.hpp"
#include "scatterproof/spec/record/stream_file.hpp"

namespace scatterproof::spec {
namespace {

constexpr int oldest_version = 1;  // without diagnosis and message
constexpr int stream_version = 2;

Header read_header(const Fields& fields) {
  Header header;
  header.stream_version = fields.small_count("stream_version");
  if (header.stream_version < oldest_version || header.stream_version > stream_version)
    throw Malformed(fmt::format("stream version {} is unknown: this program reads {} to {}",
                                header.stream_version, oldest_version, stream_version));
  header.tool_version = fields.text("tool_version");
  header.run = fields.text_or_empty("run");
  header.started = fields.text("started");
  header.command_line = fields.text("command_line");
  header.machine = fields.text("machine");
  header.host = fields.text_or_empty("host");
  header.seed = fields.count("seed");
  header.planned = fields.count("planned");
  header.allow_fixed = fields.true_if_there("allow_fixed");
  header.fail_on_flaky = fields.true_if_there("fail_on_flaky");
  if (fields.has("jobs")) header.jobs = fields.small_count("jobs");
  header.shard = fields.text_or_empty("shard");
  header.libraries = fields.texts("libraries");
  for (const json& one : fields.list("engines")) {
    const Fields engine(one);
    header.engines.push_back({.name = engine.text("name"),
                              .version = engine.text("version"),
                              .device = engine.text("device"),
                              .state = engine.text("state"),
                              .declared = engine.text_or_empty("declared")});
  }
  return header;
}

OutcomeSummary read_outcome(const Fields& fields) {
  OutcomeSummary outcome{.kind = fields.text("kind")};
  if (fields.has("classes")) outcome.classes = fields.strings("classes");
  if (fields.has("wrote")) outcome.wrote = fields.strings("wrote");
  outcome.dtype = fields.text_or_empty("dtype");
  if (fields.has("shape")) outcome.shape = fields.sizes("shape");
  outcome.digest = fields.text_or_empty("digest");
  outcome.values = fields.text_or_empty("values");
  return outcome;
}

/// Words of a list.
template <class T>
std::vector<T> read_words(const Fields& fields, const char* name,
                          std::optional<T> (*parse)(std::string_view)) {
  std::vector<T> values;
  for (const std::string& word : fields.strings(name)) {
    auto value = parse(word);
    if (!value) throw Fields::unknown_word(name, word);
    values.push_back(*std::move(value));
  }
  return values;
}

Record read_record(const Fields& fields) {
  Record record;
  record.id = fields.text("id");
  record.api = fields.text("api");
  record.operation = fields.text_or_empty("operation");
  record.engine = fields.text("engine");
  record.version = fields.text("version");
  record.device = fields.text("device");
  record.verdict = fields.word("verdict", parse_verdict);
  record.mode = fields.word("rung", parse_comparison_mode);
  record.disposition = fields.word("disposition", parse_disposition);
  if (fields.has("diagnosis")) record.diagnosis = fields.word("diagnosis", parse_diagnosis);
  if (fields.has("outcome")) record.outcome = read_outcome(Fields(fields.object("outcome")));
  if (fields.has("broken")) record.broken = fields.strings("broken");
  if (fields.has("practice")) record.practice = fields.word("practice", parse_diagnosis);
  record.recast = fields.text_or_empty("recast");
  record.explanation = fields.text("explanation");
  if (fields.has("causes")) record.causes = read_words(fields, "causes", parse_diagnosis);
  record.message = fields.text_or_empty("message");
  record.reproduce = fields.text("reproduce");
  record.known_reason = fields.text_or_empty("known_reason");
  record.known_file = fields.text_or_empty("known_file");
  if (fields.has("known_line")) record.known_line = fields.small_count("known_line");
  record.file = fields.text_or_empty("file");
  if (fields.has("line")) record.line = fields.small_count("line");
  if (fields.has("retried")) record.retried = read_words(fields, "retried", parse_verdict);
  record.snippet = fields.text_or_empty("snippet");
  if (fields.has("elements")) record.elements = fields.count("elements");
  record.count = fields.has("count") ? fields.count_up_to("count", most_calls) : 1;
  if (fields.has("number")) record.number = fields.count("number");
  if (fields.has("call_globs"))
    for (const json& one : fields.list("call_globs")) {
      const Fields glob(one);
      record.call_globs.push_back({glob.text("glob"), glob.count("passed")});
    }
  if (fields.has("passed")) record.passed = fields.count("passed");
  record.bound = fields.number_if_there("bound");
  record.sensitivity = fields.number_if_there("sensitivity");
  record.seed = fields.count("seed");
  record.call_seconds = fields.number("call_seconds");
  record.judge_seconds = fields.number("judge_seconds");
  return record;
}

std::vector<StaleEntry> read_entries(const Fields& fields, const char* name) {
  std::vector<StaleEntry> entries;
  for (const json& one : fields.list(name)) {
    const Fields entry(one);
    entries.push_back(
        {entry.text("file"), entry.small_count("line"), entry.text("text"), entry.true_if_there("fixed")});
  }
  return entries;
}

Trailer read_trailer(const Fields& fields) {
  Trailer trailer;
  trailer.ended = fields.text("ended");
  trailer.interrupted = fields.boolean("interrupted");
  trailer.whole = fields.true_if_there("whole");
  trailer.records = fields.count("records");
  trailer.exit_code = fields.small_count("exit_code");
  trailer.resume = fields.text_or_empty("resume");
  trailer.stale = read_entries(fields, "stale");
  if (fields.has("unmatched")) trailer.unmatched = read_entries(fields, "unmatched");
  trailer.calls_per_second = fields.number_if_there("calls_per_second").value_or(0);
  if (fields.has("gates"))
    for (const json& one : fields.list("gates")) {
      const Fields gate(one);
      trailer.gates.push_back({gate.text("gate"), gate.text("text")});
    }
  if (fields.has("reach"))
    for (const json& one : fields.list("reach")) {
      const Fields reach(one);
      trailer.reach.push_back(
          {reach.text("engine"), reach.count("calls"), reach.count("reached"), reach.strings("never")});
    }
  trailer.next = fields.text_or_empty("next");
  if (fields.has("skipped"))
    for (const json& one : fields.list("skipped")) {
      const Fields skipped(one);
      trailer.skipped.push_back({skipped.text("engine"), skipped.text("api"), skipped.count("calls")});
    }
  if (fields.has("unreached")) trailer.unreached = fields.strings("unreached");
  return trailer;
}

/// A record, however its JSON is written; throws Malformed.
void read_any(std::string_view line, Record& record) {
  if (read_quickly(line, record)) return;
  const json object = parse_line(line);
  const Fields fields(object);
  if (fields.text("type") != "record") throw Malformed("no record");
  record = read_record(fields);
}

}  // namespace

Result<Run> read_ends(const std::string& name, const std::string& header, const std::string& end) try {
  const json first = parse_line(header), last = parse_line(end);
  return Run{.header = read_header(Fields(first)), .records = {}, .trailer = read_trailer(Fields(last))};
} catch (const Malformed& wrong) {
  return Error{.file = name, .what = wrong.what()};
}

/// A stream while it is read, line by line.
class StreamReader {
 public:
  explicit StreamReader(const TakeRecord& look) : look_(look) {}

  /// Takes one line; throws Malformed.
  void take(const StreamLine& line) {
    if (has_header && !trailer && read_quickly(line.text, record_)) {
      add(line);
      return;
    }
    const json object = parse_line(line.text);
    const Fields fields(object);
    const std::string type = fields.text("type");
    if (!has_header && type != "header") throw Malformed("the stream does not begin with a header");
    if (trailer) throw Malformed("a line after the end record");
    if (type == "header") {
      if (has_header) throw Malformed("a second header");
      header = read_header(fields);
      has_header = true;
      first = line.place + line.text.size() + 1;
    } else if (type == "record") {
      record_ = read_record(fields);
      add(line);
    } else if (type == "end") {
      take_end(fields);
    } else {
      throw fields.unknown_word("type", type);
    }
  }

  Header header;
  std::optional<Trailer> trailer;
  std::size_t records = 0;
  std::uint64_t first = 0;  ///< where the first record begins
  bool has_header = false;

 private:
  void add(const StreamLine& line) {
    ++records;
    // Kinds of generated calls, which share ids, have no outcome.
    if (record_.outcome && !pairs_.insert(hash_of(record_.id, record_.engine)).second)
      throw Malformed(fmt::format("a second record of {} on {}", record_.id, record_.engine));
    if (look_) look_(record_, line.place);
  }

  void take_end(const Fields& fields) {
    Trailer end = read_trailer(fields);
    if (end.records != records)
      throw Malformed(
          fmt::format("the end record counts {} records, the stream has {}", end.records, records));
    trailer = std::move(end);
  }

  const TakeRecord& look_;
  Record record_;
  std::unordered_set<TextHash> pairs_;  ///< ids with engines
};

StreamFile::StreamFile(std::string name, std::unique_ptr<LineSource> source)
    : name_(std::move(name)), source_(std::move(source)) {}
StreamFile::~StreamFile() = default;
StreamFile::StreamFile(StreamFile&&) noexcept = default;
StreamFile& StreamFile::operator=(StreamFile&&) noexcept = default;

Result<StreamFile> StreamFile::open(const std::string& path, const TakeRecord& look) {
  auto source = LineSource::open(path);
  if (!source) return source.errors();
  return read({path, std::make_unique<LineSource>(std::move(source).value())}, look);
}

Result<StreamFile> StreamFile::of(std::string name, Spool lines, const TakeRecord& look) {
  return read({std::move(name), std::make_unique<LineSource>(std::move(lines))}, look);
}

Result<StreamFile> StreamFile::read(StreamFile stream, const TakeRecord& look) {
  StreamReader reader(look);
  const auto take = [&](const StreamLine& line) {
    try {
      reader.take(line);
    } catch (const Malformed&) {
      if (line.whole || !reader.has_header) throw;  // a writer that was stopped leaves part of a line
    }
  };
  Errors errors = read_lines(stream.name_, *stream.source_, take, [&] { return reader.has_header; });
  if (!errors.empty()) return errors;
  stream.header_ = std::move(reader.header);
  stream.trailer_ = std::move(reader.trailer);
  stream.records_ = reader.records;
  stream.first_ = reader.first;
  return stream;
}

Error StreamFile::changed() const {
  return {.file = name_, .what = "the stream changed while it was read", .hint = "try again"};
}

Errors StreamFile::each(const TakeRecord& take) const {
  LineReader lines(*source_, first_);
  StreamLine line;
  Record record;
  for (std::size_t i = 0; i < records_; ++i) try {
      if (lines.next(line) != LineReader::Read::line) return {changed()};
      read_any(line.text, record);
      take(record, line.place);
    } catch (const Malformed&) {
      return {changed()};
    }
  return {};
}

Result<Record> StreamFile::at(std::uint64_t place) const {
  constexpr std::size_t piece = 4096;  // bytes; most lines are shorter
  LineReader lines(*source_, place, piece);
  StreamLine line;
  Record record;
  try {
    if (lines.next(line) != LineReader::Read::line) return changed();
    read_any(line.text, record);
  } catch (const Malformed&) {
    return changed();
  }
  return record;
}

StoredRun stored(StreamFile stream) {
  const auto shared = std::make_shared<StreamFile>(std::move(stream));
  return {.header = shared->header(),
          .trailer = shared->trailer(),
          .records = shared->records(),
          .each = [shared](const TakeRecord& take) { return shared->each(take); }};
}

Result<Run> read_stream(const std::string& path) {
  Run run;
  const auto stream =
      StreamFile::open(path, [&](const Record& record, std::uint64_t) { run.records.push_back(record); });
  if (!stream) return stream.errors();
  run.header = stream->header();
  run.trailer = stream->trailer();
  return run;
}

}  // namespace scatterproof::spec
