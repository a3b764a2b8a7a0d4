// SPDX-License-Identifier: Apache-2.0
// Writes benchmark records as JSON lines and reads them back (spec/data/schema/timing.schema.json).
#include <charconv>
#include <filesystem>
#include <fstream>
#include <utility>

#include "json_lines.hpp"
#include "lines.hpp"
#include "scatterproof/spec/core/verdict.hpp"
#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::spec {
namespace {

constexpr int timing_version = 2;
constexpr std::size_t longest_first_line = 1 << 16;  // bytes; it names a machine

/// Version 1 called a record's benchmark its family.
const char* benchmark_key(int version) { return version == 1 ? "family" : "benchmark"; }

ordered_json by_threads(const std::map<int, double>& rates) {
  ordered_json object = ordered_json::object();
  for (const auto& [threads, rate] : rates) object[std::to_string(threads)] = finite(rate);
  return object;
}

std::map<int, double> read_rates(const Fields& fields, const char* key) {
  std::map<int, double> rates;
  for (const auto& [name, value] : fields.object(key).items()) {
    int threads = 0;
    const auto end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data(), end, threads);
    if (parsed.ec != std::errc() || parsed.ptr != end || threads < 1)
      throw Malformed(fmt::format("'{}' of '{}' is not a number of threads", name, key));
    if (!value.is_number() || value.get<double>() < 0)
      throw Malformed(fmt::format("'{}' of '{}' is not a rate", name, key));
    rates[threads] = value.get<double>();
  }
  return rates;
}

std::vector<double> read_seconds(const Fields& fields) {
  std::vector<double> seconds;
  for (const json& one : fields.list("seconds")) {
    if (!one.is_number() || !(one.get<double>() > 0)) throw Malformed("'seconds' must hold numbers above 0");
    seconds.push_back(one.get<double>());
  }
  return seconds;
}

double read_amount(const Fields& fields, const char* key) {
  const double amount = fields.number(key);
  if (amount < 0) throw Malformed(fmt::format("'{}' is below 0", key));
  return amount;
}

int read_version(const Fields& fields) {
  const int version = fields.small_count("timing_version");
  if (version < 1 || version > timing_version)
    throw Malformed(
        fmt::format("timing version {} is unknown: this program reads 1 to {}", version, timing_version));
  return version;
}

MachineRecord read_machine(const Fields& fields) {
  MachineRecord machine;
  machine.when = fields.text("when");
  machine.cpu = fields.text("cpu");
  machine.cores = fields.small_count("cores");
  machine.cache_bytes = fields.size("cache_bytes");
  machine.copy_bytes_per_second = read_rates(fields, "copy_bytes_per_second");
  machine.random_lines_per_second = read_rates(fields, "random_lines_per_second");
  machine.random_updates_per_second = read_rates(fields, "random_updates_per_second");
  machine.versions = fields.texts("versions");
  return machine;
}

TimingRecord read_timing(const Fields& fields, int version) {
  TimingRecord record;
  record.row = fields.text("row");
  record.benchmark = fields.text(benchmark_key(version));
  record.operation = fields.text("operation");
  record.distribution = fields.text("distribution");
  record.dtype = fields.text("dtype");
  record.index_dtype = fields.text("index_dtype");
  record.lookups = fields.size("lookups");
  record.row_bytes = fields.size("row_bytes");
  record.table_bytes = fields.size("table_bytes");
  record.engine = fields.text("engine");
  record.device = fields.text("device");
  record.call = fields.text("call");
  record.threads = fields.small_count("threads");
  if (record.threads < 1) throw Malformed("'threads' is below 1");
  record.in_place = fields.boolean("in_place");
  const Verdict verdict = fields.word("verdict", parse_verdict);
  record.verdict = name(verdict);
  record.note = fields.text("note");
  record.executions = fields.size("executions");
  record.seconds = read_seconds(fields);
  // A fast but wrong result must not enter a ratio, wherever the file comes from.
  if (!record.seconds.empty() && !is_allowed(verdict))
    throw Malformed(fmt::format("times of a call with verdict '{}'", record.verdict));
  record.bytes_algorithmic = read_amount(fields, "bytes_algorithmic");
  record.bytes_floor = read_amount(fields, "bytes_floor");
  record.floor_seconds = read_amount(fields, "floor_seconds");
  return record;
}

/// A file while it is read, line by line.
class TimingReader {
 public:
  /// Takes one line; throws Malformed.
  void take(const StreamLine& line) {
    if (!line.whole) throw Malformed("the last line is cut off: the benchmark was stopped");
    const json object = parse_line(line.text);
    const Fields fields(object);
    const std::string type = fields.text("type");
    if (type == "machine") {
      if (has_machine_) throw Malformed("a second machine: records of two runs cannot be compared");
      version_ = read_version(fields);
      run_.machine = read_machine(fields);
      has_machine_ = true;
    } else if (!has_machine_) {
      throw Malformed("the file does not begin with the machine");
    } else if (type == "timing") {
      run_.records.push_back(read_timing(fields, version_));
    } else {
      throw fields.unknown_word("type", type);
    }
  }

  bool has_machine() const { return has_machine_; }
  TimingRun take_run() { return std::move(run_); }

 private:
  TimingRun run_;
  int version_ = timing_version;
  bool has_machine_ = false;
};

}  // namespace

std::string to_json_line(const MachineRecord& machine) {
  ordered_json object;
  object["type"] = "machine";
  object["timing_version"] = timing_version;
  object["when"] = machine.when;
  object["cpu"] = machine.cpu;
  object["cores"] = machine.cores;
  object["cache_bytes"] = machine.cache_bytes;
  object["copy_bytes_per_second"] = by_threads(machine.copy_bytes_per_second);
  object["random_lines_per_second"] = by_threads(machine.random_lines_per_second);
  object["random_updates_per_second"] = by_threads(machine.random_updates_per_second);
  object["versions"] = machine.versions;
  return one_line(object);
}

std::string to_json_line(const TimingRecord& record) {
  ordered_json object;
  object["type"] = "timing";
  object["row"] = record.row;
  object["benchmark"] = record.benchmark;
  object["operation"] = record.operation;
  object["distribution"] = record.distribution;
  object["dtype"] = record.dtype;
  object["index_dtype"] = record.index_dtype;
  object["lookups"] = record.lookups;
  object["row_bytes"] = record.row_bytes;
  object["table_bytes"] = record.table_bytes;
  object["engine"] = record.engine;
  object["device"] = record.device;
  object["call"] = record.call;
  object["threads"] = record.threads;
  object["in_place"] = record.in_place;
  object["verdict"] = record.verdict;
  object["note"] = record.note;
  object["executions"] = record.executions;
  object["seconds"] = record.seconds;
  object["bytes_algorithmic"] = finite(record.bytes_algorithmic);
  object["bytes_floor"] = finite(record.bytes_floor);
  object["floor_seconds"] = finite(record.floor_seconds);
  return one_line(object);
}

Result<TimingRun> read_timings(const std::string& path) {
  TimingReader reader;
  auto source = LineSource::open(path);
  if (!source) return source.errors();
  const Errors errors = read_lines(
      path, source.value(), [&](const StreamLine& line) { reader.take(line); },
      [&] { return reader.has_machine(); });
  if (!errors.empty()) return errors;
  return reader.take_run();
}

bool is_timing_stream(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return false;  // what is read from a pipe is gone
  std::string line(longest_first_line, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(file.gcount()));
  const json first = json::parse(line.substr(0, line.find('\n')), nullptr, false);
  return first.is_object() && first.value("type", json()) == "machine";
}

}  // namespace scatterproof::spec
