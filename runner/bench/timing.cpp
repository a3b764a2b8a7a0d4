// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/bench/timing.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "floor.hpp"
#include "scatterproof/runner/bench/data.hpp"
#include "scatterproof/runner/bench/expected.hpp"

namespace scatterproof::runner::bench {
namespace {

/// The minimum length of a repetition: tiny calls are executed thousands of times for one.
constexpr double shortest_repetition = 0.002;

/// One row on one engine by one call, with a number of threads.
struct Measurement {
  const BenchmarkRow* row = nullptr;
  engines::Engine* engine = nullptr;
  const CallPlan* plan = nullptr;
  std::size_t peer = 0;  ///< 0: the row's own call; else the peer of this number, from 1
  engines::TimingOptions options;

  std::string name() const {
    return fmt::format("{}/{}/{}{}/{}", row->id, engine->info().name, plan->api,
                       options.in_place ? "" : "/out_of_place", options.threads);
  }
};

// ---- the plan

bool takes(const engines::Engine& engine, const CallPlan& plan, bool own) {
  const std::string& framework = engine.info().framework;
  return framework.empty() ? own : plan.api.starts_with(framework + ".");
}

/// The row's own call first, then its peers.
std::vector<const CallPlan*> calls_of(const BenchmarkRow& row) {
  std::vector<const CallPlan*> calls = {&row.call};
  for (const CallPlan& peer : row.peers) calls.push_back(&peer);
  return calls;
}

/// In place or not: the row's own way first, then each other way in which an available peer works.
std::vector<bool> ways(const BenchmarkRow& row, const TimingRequest& request) {
  std::vector<bool> all = {row.call.in_place};
  for (const auto& engine : request.engines)
    for (const CallPlan& peer : row.peers)
      if (takes(*engine, peer, false) && std::ranges::find(all, peer.in_place) == all.end())
        all.push_back(peer.in_place);
  return all;
}

/// An engine by one call, with each number of threads; numpy has one thread.
void add_measurements(std::vector<Measurement>& measurements, const Measurement& measurement,
                      std::span<const int> threads) {
  const bool single = measurement.engine->info().framework == "numpy";
  for (const int count : single ? std::vector<int>{1} : std::vector<int>(threads.begin(), threads.end())) {
    measurements.push_back(measurement);
    measurements.back().options.threads = count;
  }
}

std::vector<Measurement> plan_row(const BenchmarkRow& row, const TimingRequest& request) {
  std::vector<Measurement> measurements;
  const auto calls = calls_of(row);
  // Peers that work in another way than the row belong to the first of the native engines.
  std::vector<bool> native_ways = ways(row, request);
  for (const auto& engine : request.engines) {
    const bool native = engine->info().framework.empty();
    for (std::size_t peer = 0; peer < calls.size(); ++peer) {
      if (!takes(*engine, *calls[peer], peer == 0)) continue;
      for (const bool in_place : native ? native_ways : std::vector<bool>{calls[peer]->in_place})
        add_measurements(measurements,
                         {.row = &row,
                          .engine = engine.get(),
                          .plan = calls[peer],
                          .peer = peer,
                          .options = {1, in_place}},
                         request.threads);
    }
    if (native) native_ways = {row.call.in_place};
  }
  return measurements;
}

// ---- one row

/// A row's data, its correct result, and its floor.
class ReadyRow {
 public:
  ReadyRow(const BenchmarkRow& row, const TimingRequest& request)
      : row_(row), request_(request), data_(make(whole)), small_(make(small_size(row))) {
    expected_ = reference_result(data_);
    engines::Walk walk;
    make_walk(data_.kernel, walk);
    traffic_ = count_traffic(walk, request.machine.cache_bytes);
    traffic_.from_zeros = row.gradient;
  }

  const BenchmarkRow& row() const { return row_; }
  const RowData& data() const { return data_; }
  const spec::Call& call(const Measurement& measurement) const {
    return measurement.peer == 0 ? data_.call : data_.peers[measurement.peer - 1];
  }

  /// The verdict on the call at reduced size; `pass` for a call without a spec.
  const spec::Judgement& judged(const Measurement& measurement) {
    const auto [at, fresh] =
        judged_.try_emplace({measurement.engine, measurement.peer}, spec::Judgement{spec::Verdict::pass});
    const spec::OpSpec* spec = request_.specs->find(measurement.plan->api);
    const spec::Call& small = measurement.peer == 0 ? small_.call : small_.peers[measurement.peer - 1];
    if (fresh && spec)
      at->second =
          run_and_judge(*measurement.engine, small, *spec, row_.gradient ? &small_.cotangent : nullptr);
    return at->second;
  }

  std::string difference(const spec::Outcome& outcome) const {
    return bench::difference(expected_, row_.gradient ? gradient_of(outcome) : outcome, data_.kernel.combine);
  }

  /// A record without verdict and times.
  spec::TimingRecord record(const Measurement& measurement) const {
    const Floor floor =
        floor_of(traffic_, measurement.options.in_place, request_.machine, measurement.options.threads);
    spec::TimingRecord record;
    record.row = row_.id;
    record.benchmark = row_.benchmark;
    record.operation = row_.operation;
    record.distribution = row_.distribution;
    record.dtype = spec::name(data_.kernel.data.dtype());
    record.index_dtype = spec::name(data_.kernel.index.dtype());
    record.lookups = static_cast<std::int64_t>(traffic_.lookups);
    record.row_bytes = static_cast<std::int64_t>(traffic_.run_bytes);
    record.table_bytes = static_cast<std::int64_t>(traffic_.table_bytes);
    record.engine = measurement.engine->info().name;
    record.device = measurement.engine->info().device;
    record.call = measurement.plan->api;
    record.threads = measurement.options.threads;
    record.in_place = measurement.options.in_place;
    record.bytes_algorithmic = floor.bytes_algorithmic;
    record.bytes_floor = floor.bytes;
    record.floor_seconds = floor.seconds;
    return record;
  }

 private:
  /// Every row was tried at reduced size before timing: a row that cannot be made now is a bug.
  RowData make(std::int64_t largest) const {
    auto data = make_data(row_, *request_.specs, request_.seed, largest);
    if (!data) throw std::logic_error(spec::to_string(data.errors()));
    return *std::move(data);
  }

  const BenchmarkRow& row_;
  const TimingRequest& request_;
  RowData data_;
  RowData small_;
  spec::Tensor expected_;
  Traffic traffic_;
  std::map<std::pair<engines::Engine*, std::size_t>, spec::Judgement> judged_;
};

// ---- one measurement

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

spec::Verdict verdict_of(const spec::Outcome& outcome) {
  using spec::Verdict;
  if (std::holds_alternative<spec::Produced>(outcome.what)) return Verdict::mismatch;
  if (std::holds_alternative<spec::Refused>(outcome.what)) return Verdict::unexpected_error;
  if (std::holds_alternative<spec::Unsupported>(outcome.what)) return Verdict::unsupported;
  if (std::holds_alternative<spec::Crashed>(outcome.what)) return Verdict::crash;
  if (std::holds_alternative<spec::TimedOut>(outcome.what)) return Verdict::timeout;
  return Verdict::infra;
}

/// A measurement that was judged: ready to be timed, or with the reason why not.
struct ReadyMeasurement {
  spec::TimingRecord record;
  std::unique_ptr<engines::TimedCall> timed;  ///< null when there is nothing to time

  /// An outcome in words says the verdict too.
  void fail(spec::Verdict verdict, std::string note) {
    record.verdict = spec::name(verdict);
    if (const std::string before = record.verdict + ": "; note.starts_with(before))
      note.erase(0, before.size());
    record.note = std::move(note);
    timed.reset();
  }
};

ReadyMeasurement make_ready(const Measurement& measurement, ReadyRow& row) {
  ReadyMeasurement ready{row.record(measurement), nullptr};
  const spec::Judgement& judged = row.judged(measurement);
  if (!is_allowed(judged.verdict)) {
    ready.fail(judged.verdict, "at reduced size: " + first_line(judged.explanation));
    return ready;
  }
  const spec::Call& call = row.call(measurement);
  engines::TimingOptions options = measurement.options;
  std::optional<spec::GradientQuestion> question;
  if (measurement.row->gradient) options.gradient = &question.emplace(row.data().question(call));
  engines::PreparedCall prepared = measurement.engine->prepare(call, options);
  if (const std::string wrong = row.difference(prepared.outcome); !wrong.empty()) {
    ready.fail(verdict_of(prepared.outcome), wrong);
    return ready;
  }
  ready.record.verdict = spec::name(judged.verdict);
  ready.timed = std::move(prepared.timed);
  if (!ready.timed) {
    ready.fail(spec::Verdict::unsupported, "the engine cannot time it");
    return ready;
  }
  const auto warm = ready.timed->repeat(1);
  if (const auto* outcome = std::get_if<spec::Outcome>(&warm))
    ready.fail(verdict_of(*outcome), spec::to_string(*outcome));
  return ready;
}

// ---- all measurements

/// Keeps, of an engine's calls for one purpose, only the fastest, and every wrong one.
std::vector<spec::TimingRecord> best_of(std::vector<spec::TimingRecord> records) {
  const auto same_purpose = [](const spec::TimingRecord& a, const spec::TimingRecord& b) {
    return a.engine == b.engine && a.threads == b.threads && a.in_place == b.in_place;
  };
  const auto better = [](const spec::TimingRecord& a, const spec::TimingRecord& b) {
    if (a.seconds.empty() || b.seconds.empty()) return b.seconds.empty() && !a.seconds.empty();
    return spec::spread(a.seconds).minimum < spec::spread(b.seconds).minimum;
  };
  std::vector<spec::TimingRecord> best;
  for (spec::TimingRecord& record : records) {
    const bool harmless = !record.seconds.empty() || record.verdict == spec::name(spec::Verdict::unsupported);
    const auto before = std::ranges::find_if(best, [&](const auto& other) {
      return harmless && same_purpose(other, record) &&
             (!other.seconds.empty() || other.verdict == spec::name(spec::Verdict::unsupported));
    });
    if (before == best.end())
      best.push_back(std::move(record));
    else if (better(record, *before))
      *before = std::move(record);
  }
  return best;
}

/// Called by Google Benchmark, measurement by measurement, once for each repetition.
class TimingSession {
 public:
  explicit TimingSession(const TimingRequest& request) : request_(request) {
    for (const BenchmarkRow& row : request.rows)
      for (Measurement& measurement : plan_row(row, request)) measurements_.push_back(std::move(measurement));
  }

  const std::vector<Measurement>& measurements() const { return measurements_; }

  void execute(std::size_t number, benchmark::State& state) {
    if (request_.interrupted && *request_.interrupted) return state.SkipWithError("interrupted");
    if (current_ != number) switch_to(number);
    if (!ready_.timed)
      return state.SkipWithError((ready_.record.verdict + ": " + ready_.record.note).c_str());
    while (state.KeepRunningBatch(state.max_iterations)) {
      const auto taken = ready_.timed->repeat(state.max_iterations);
      if (const auto* outcome = std::get_if<spec::Outcome>(&taken)) {
        ready_.fail(verdict_of(*outcome), spec::to_string(*outcome));
        return state.SkipWithError(ready_.record.note.c_str());
      }
      state.SetIterationTime(std::get<double>(taken));
    }
    state.counters["bytes_floor"] = ready_.record.bytes_floor;
    state.counters["floor_seconds"] = ready_.record.floor_seconds;
  }

  /// All repetitions of the current measurement are over.
  void finish(const std::vector<benchmark::BenchmarkReporter::Run>& runs) {
    if (request_.interrupted && *request_.interrupted) return;
    for (const auto& run : runs) {
      if (run.run_type != benchmark::BenchmarkReporter::Run::RT_Iteration || run.error_occurred) continue;
      ready_.record.executions = run.iterations;
      ready_.record.seconds.push_back(run.real_accumulated_time / static_cast<double>(run.iterations));
    }
    if (ready_.record.verdict != spec::name(spec::Verdict::pass) &&
        ready_.record.verdict != spec::name(spec::Verdict::weak))
      ready_.record.seconds.clear();
    done_.push_back(ready_.record);
    const std::size_t next = *current_ + 1;
    if (next == measurements_.size() || measurements_[next].row != measurements_[*current_].row) flush();
  }

 private:
  void switch_to(std::size_t number) {
    const Measurement& measurement = measurements_[number];
    if (request_.progress) request_.progress(measurement.name());
    ready_ = {};  // before the next engine's data are made
    if (!row_ || &row_->row() != measurement.row) {
      row_.reset();
      row_.emplace(*measurement.row, request_);
    }
    ready_ = make_ready(measurement, *row_);
    current_ = number;
  }

  void flush() {
    for (const spec::TimingRecord& record : best_of(std::move(done_))) request_.record(record);
    done_.clear();
    ready_ = {};
  }

  const TimingRequest& request_;
  std::vector<Measurement> measurements_;
  std::optional<std::size_t> current_;
  std::optional<ReadyRow> row_;
  ReadyMeasurement ready_;
  std::vector<spec::TimingRecord> done_;
};

/// Hands the repetitions of each measurement back to the session; prints nothing.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(TimingSession& session) : session_(session) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    // Means and other aggregates come in a second report.
    if (!runs.empty() && runs.front().run_type == Run::RT_Iteration) session_.finish(runs);
  }

 private:
  TimingSession& session_;
};

void add_context(const spec::MachineRecord& machine) {
  for (const auto& [name, version] : machine.versions) benchmark::AddCustomContext(name, version);
  benchmark::AddCustomContext("cache_bytes", fmt::format("{}", machine.cache_bytes));
  const auto add = [](const char* what, const std::map<int, double>& rates) {
    for (const auto& [threads, rate] : rates)
      benchmark::AddCustomContext(fmt::format("{}_{}_threads", what, threads), fmt::format("{:.4g}", rate));
  };
  add("copy_bytes_per_second", machine.copy_bytes_per_second);
  add("random_lines_per_second", machine.random_lines_per_second);
  add("random_updates_per_second", machine.random_updates_per_second);
}

void initialize(const std::string& google_json) {
  static char program[] = "scatterproof";  // the report prints it at the end
  std::string out = "--benchmark_out=" + google_json;
  std::string format = "--benchmark_out_format=json";
  char* arguments[] = {program, out.data(), format.data(), nullptr};
  int count = google_json.empty() ? 1 : 3;
  benchmark::Initialize(&count, arguments);
}

}  // namespace

void time_rows(const TimingRequest& request) {
  TimingSession session(request);
  initialize(request.google_json);
  add_context(request.machine);
  for (std::size_t number = 0; number < session.measurements().size(); ++number)
    benchmark::RegisterBenchmark(
        session.measurements()[number].name().c_str(),
        [&session, number](benchmark::State& state) { session.execute(number, state); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(shortest_repetition)
        ->Repetitions(request.repetitions)
        ->ReportAggregatesOnly(false);
  Collector collector(session);
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
}

}  // namespace scatterproof::runner::bench
