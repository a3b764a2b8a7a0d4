// SPDX-License-Identifier: Apache-2.0
// `bench`: rows on engines, judged and timed, with the floor of this machine and the peers.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>
#include <span>

#include "bench_workers.hpp"
#include "options.hpp"
#include "scatterproof/reports/timing.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/bench/data.hpp"
#include "scatterproof/runner/bench/expected.hpp"
#include "scatterproof/runner/bench/machine.hpp"
#include "scatterproof/runner/bench/spatter.hpp"
#include "scatterproof/runner/bench/timing.hpp"
#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/runner/select/suggest.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "session.hpp"

namespace scatterproof::runner::cli {
namespace fs = std::filesystem;
namespace {

/// What is timed when no engines are named: the fast ones of this process, and the peers.
constexpr const char* usual_engines_for_gradients[] = {"torch"};
constexpr const char* usual_engines[] = {"openmp", "openmp-deterministic", "torch", "onnxruntime", "numpy"};

struct BenchFlags {
  std::vector<std::string> what;
  SessionFlags session;
  std::vector<int> threads = {1, 2};
  std::string out;
  std::string google_json;
  std::string import_file;
  int repetitions = 0;
  bool quick = false;
  bool list = false;
  bool workers = false;
  bool gradients = false;
};

class BenchCommand {
 public:
  BenchCommand(const BenchFlags& flags, const Context& context)
      : flags_(flags), context_(context), session_(flags.session, context) {}

  int execute() {
    handle_interrupts();
    for (int (BenchCommand::*step)() :
         {&BenchCommand::load, &BenchCommand::differentiate, &BenchCommand::select, &BenchCommand::check_rows,
          &BenchCommand::check_files, &BenchCommand::open_engines})
      if (const int code = (this->*step)(); code != as_expected || finished_) return code;
    return time();
  }

 private:
  int load() {
    auto specs = load_specs("", context_.places);
    if (!specs) return usage_error(specs.errors());
    specs_ = std::make_unique<spec::SpecLibrary>(std::move(specs).value());
    const std::string shipped = context_.places.data + "/spec/data/benchmarks";
    if (!flags_.import_file.empty()) {
      auto imported = bench::import_spatter(flags_.import_file, shipped + "/B4.yaml", *specs_);
      if (!imported) return usage_error(imported.errors());
      for (const std::string& note : imported->notes) say("note: " + note);
      rows_ = std::move(imported.value().rows);
      return as_expected;
    }
    std::vector<std::string> files;
    for (const std::string& word : flags_.what)
      if (word.ends_with(".yaml")) files.push_back(word);
    return files.empty() ? add(bench::load_row_folder(shipped, *specs_, flags_.quick)) : load(files);
  }

  int load(const std::vector<std::string>& files) {
    for (const std::string& file : files)
      if (const int code = add(bench::load_rows(file, *specs_, flags_.quick)); code != as_expected)
        return code;
    return as_expected;
  }

  int add(spec::Result<std::vector<bench::BenchmarkRow>> rows) {
    if (!rows) return usage_error(rows.errors());
    std::ranges::move(rows.value(), std::back_inserter(rows_));
    return as_expected;
  }

  int differentiate() {
    if (flags_.gradients) rows_ = bench::gradient_rows(rows_, *specs_);
    return as_expected;
  }

  /// The rows that a glob names; all when there is none.
  int select() {
    std::vector<std::string> globs;
    for (const std::string& word : flags_.what)
      if (!word.ends_with(".yaml")) globs.push_back(word);
    std::vector<std::string> ids;
    for (const bench::BenchmarkRow& row : rows_) ids.push_back(row.id);
    if (const auto errors = unmatched(globs, ids, "no row matches '{}'",
                                      "`scatterproof bench --list` prints every id; * matches anything");
        !errors.empty())
      return usage_error(errors);
    if (!globs.empty())
      std::erase_if(rows_, [&](const bench::BenchmarkRow& row) {
        return std::ranges::none_of(globs, [&](const auto& glob) { return matches_glob(glob, row.id); });
      });
    if (rows_.empty()) {
      say("error: no row was selected");
      return nothing_ran;
    }
    if (flags_.list) {
      for (const bench::BenchmarkRow& row : rows_) fmt::print("{}\n", row.id);
      finished_ = true;
    }
    return as_expected;
  }

  /// A row that is refused is found before anything is timed: by making it small.
  int check_rows() {
    spec::Errors errors;
    for (const bench::BenchmarkRow& row : rows_)
      if (auto data = bench::make_data(row, *specs_, flags_.session.seed, bench::small_size(row)); !data)
        errors.insert(errors.end(), data.errors().begin(), data.errors().end());
    return errors.empty() ? static_cast<int>(as_expected) : usage_error(errors);
  }

  /// Files are opened before minutes are spent on what goes into them.
  int check_files() {
    const auto refuse = [](const std::string& file) {
      return usage_error({{.file = file, .what = "cannot write the file"}});
    };
    if (!flags_.google_json.empty() && !std::ofstream(flags_.google_json)) return refuse(flags_.google_json);
    if (flags_.out.empty()) return as_expected;
    std::error_code ignored;
    fs::create_directories(flags_.out, ignored);
    const std::string file = flags_.out + "/timings.jsonl";
    stream_.open(file);
    return stream_ ? static_cast<int>(as_expected) : refuse(file);
  }

  int open_engines() {
    const std::span<const char* const> usual = flags_.gradients
                                                   ? std::span<const char* const>(usual_engines_for_gradients)
                                                   : std::span<const char* const>(usual_engines);
    const int code = session_.open_engines(*specs_, {usual.begin(), usual.end()});
    if (code != as_expected) return code;
    for (const spec::EngineSummary& engine : session_.absent())
      say(fmt::format("note: {} is not timed: {}", engine.name, engine.state));
    return as_expected;
  }

  int time() {
    work_begins();
    progress("measuring this machine");
    bench::TimingRequest request;
    std::set<int> threads(flags_.threads.begin(), flags_.threads.end());
    threads.insert(1);  // numpy's
    run_.machine = bench::measure_machine(std::vector<int>(threads.begin(), threads.end()));
    run_.machine.versions = libraries();
    run_.machine.versions["scatterproof"] = tool_version();
    for (const auto& engine : session_.engines())
      run_.machine.versions[engine->info().name] = engine->info().version;
    if (stream_.is_open()) stream_ << spec::to_json_line(run_.machine) << std::endl;
    request.rows = rows_;
    request.engines = session_.engines();
    request.specs = specs_.get();
    request.machine = run_.machine;
    request.threads = flags_.threads;
    request.repetitions = flags_.repetitions > 0 ? flags_.repetitions : flags_.quick ? 5 : 10;
    request.seed = flags_.session.seed;
    request.google_json = flags_.google_json;
    request.interrupted = &was_interrupted();
    request.progress = [this](const std::string& what) { progress(what); };
    request.record = [this](const spec::TimingRecord& record) { take(record); };
    bench::time_rows(request);
    progress("");
    return finish();
  }

  void take(const spec::TimingRecord& record) {
    if (stream_.is_open()) stream_ << spec::to_json_line(record) << std::endl;
    wrong_ = wrong_ || (record.seconds.empty() && !is_declined(record));
    run_.records.push_back(record);
  }

  /// Not done rather than done wrong: unsupported, or refused by a framework, which is for `run` to judge.
  bool is_declined(const spec::TimingRecord& record) const {
    if (record.verdict == spec::name(spec::Verdict::unsupported)) return true;
    const auto engine = std::ranges::find_if(
        session_.engines(), [&](const auto& one) { return one->info().name == record.engine; });
    return record.verdict == spec::name(spec::Verdict::unexpected_error) &&
           engine != session_.engines().end() && !(*engine)->info().framework.empty();
  }

  int finish() {
    const reports::Style style = terminal_style(context_);
    reports::print_timing_table(std::cout, style, run_);
    std::cout.flush();
    if (!flags_.out.empty()) {
      const auto written = reports::write_timing_reports(run_, flags_.out);
      if (!written) return usage_error(written.errors());
      stream_.close();
      if (!stream_)
        return usage_error({{.file = flags_.out + "/timings.jsonl", .what = "cannot write the whole file"}});
    }
    if (was_interrupted())
      say(fmt::format("interrupted: {} pairs of row and engine were timed", run_.records.size()));
    return exit_code({.unexpected = wrong_, .anything = !run_.records.empty()});
  }

  /// On stderr, only for a person who looks at it.
  static void progress(const std::string& what) {
    if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K{}", spec::one_line(what));
  }

  const BenchFlags& flags_;
  const Context& context_;
  std::unique_ptr<spec::SpecLibrary> specs_;
  std::vector<bench::BenchmarkRow> rows_;
  RunSession session_;
  std::ofstream stream_;
  spec::TimingRun run_;
  bool wrong_ = false;
  bool finished_ = false;
};

}  // namespace

void add_bench(CLI::App& app, Context& context) {
  CLI::App* verb =
      add_verb(app, context,
               {.name = "bench",
                .purpose = "Time engines against the machine's floor and peer frameworks",
                .examples = {{"scatterproof bench --quick", "the quick set, in about two minutes"},
                             {"scatterproof bench 'B3/*' -e openmp -e torch --threads 1,2 --out results",
                              "one benchmark on two engines, with a summary and plots"},
                             {"scatterproof bench --workers", "how fast calls are judged on the frameworks"}},
                .group = "Test"});
  auto flags = std::make_shared<BenchFlags>();
  auto* rows = verb->add_option("row", flags->what, "Row ids or globs on them, or row files")
                   ->type_name("ROW")
                   ->default_str("every shipped row");
  auto* workers =
      verb->add_flag("--workers", flags->workers,
                     "Judged calls per second through each framework's worker, compared with a bare loop of "
                     "the same calls, instead of rows")
          ->group(group::select);
  auto* quick = verb->add_flag("--quick", flags->quick, "The quick set: smaller rows, fewer repetitions")
                    ->group(group::select);
  auto* gradients = verb->add_flag("--gradients", flags->gradients,
                                   "Time the gradients of gathers and sums instead, as rows of their own; by "
                                   "default on torch")
                        ->group(group::select);
  auto* import = verb->add_option("--import", flags->import_file,
                                  "Time the configurations of a JSON file of Spatter instead")
                     ->type_name("FILE")
                     ->check(existing_path())
                     ->excludes(quick)
                     ->group(group::select);
  auto* list = verb->add_flag("--list", flags->list, "Only print the ids of the rows")->group(group::select);
  add_number(*verb, "--seed", flags->session.seed, 0, "Seed of the data")
      ->default_str("0")
      ->group(group::generate);
  add_engine(*verb, flags->session.engines, fmt::format("{}", fmt::join(usual_engines, ", ")));
  auto* threads = verb->add_option("--threads", flags->threads, "Numbers of threads to time with")
                      ->type_name("N,...")
                      ->default_str("1,2")
                      ->delimiter(',')
                      ->allow_extra_args(false)
                      ->check(whole_number(1, 1024))
                      ->group(group::execute);
  add_number(*verb, "--repetitions", flags->repetitions, 1, 1000, "Repetitions of each row")
      ->default_str("10, with --quick 5")
      ->group(group::execute);
  verb->add_option("--out", flags->out,
                   "Write timings.jsonl, summary.md and plots; with --workers workers.json")
      ->type_name("FOLDER")
      ->group(group::report);
  auto* json = verb->add_option("--json", flags->google_json,
                                "Write Google Benchmark's report, which its compare.py reads")
                   ->type_name("FILE")
                   ->group(group::report);
  for (CLI::Option* about_rows : {rows, quick, gradients, import, list, threads, json})
    workers->excludes(about_rows);
  verb->callback([flags, &context] {
    context.places.timed = true;
    context.exit_code =
        flags->workers
            ? bench_workers({flags->session, flags->repetitions > 0 ? flags->repetitions : 10, flags->out},
                            context)
            : BenchCommand(*flags, context).execute();
  });
}

}  // namespace scatterproof::runner::cli
