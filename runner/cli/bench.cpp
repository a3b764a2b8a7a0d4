// SPDX-License-Identifier: Apache-2.0
// `bench`: rows on engines, judged and timed, beside the floor of this machine and the peers.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>

#include "bench/data.hpp"
#include "bench/expected.hpp"
#include "bench/machine.hpp"
#include "bench/spatter.hpp"
#include "bench/timing.hpp"
#include "cli.hpp"
#include "scatterproof/reports/timing.hpp"
#include "select.hpp"
#include "version.hpp"

namespace scatterproof::runner::cli {
namespace fs = std::filesystem;
namespace {

std::atomic<bool> interrupted_flag{false};

/// The first Ctrl-C ends the run after the repetition it falls into; a second one ends the process.
void on_interrupt(int signal) {
  interrupted_flag = true;
  std::signal(signal, SIG_DFL);
}

/// What is timed when nobody names engines: the fast ones of this process, and the peers.
constexpr const char* usual_engines[] = {"openmp", "openmp-deterministic", "torch", "onnxruntime", "numpy"};

struct BenchFlags {
  std::vector<std::string> what;
  std::vector<std::string> engines;
  std::vector<int> threads = {1, 2};
  std::string out;
  std::string google_json;
  std::string import_file;
  std::string before;
  int repetitions = 0;
  std::uint64_t seed = 0;
  bool quick = false;
  bool list = false;
};

/// A row that takes this many times as long as in the run it is compared with has become slower.
constexpr double slower = 1.5;

class BenchCommand {
 public:
  BenchCommand(const BenchFlags& flags, const Context& context) : flags_(flags), context_(context) {}

  int execute() {
    for (int (BenchCommand::*step)() : {&BenchCommand::load, &BenchCommand::select, &BenchCommand::check_rows,
                                        &BenchCommand::check_files, &BenchCommand::open_engines})
      if (const int code = (this->*step)(); code != as_expected || finished_) return code;
    return time();
  }

 private:
  int load() {
    auto specs = load_specs("", context_.places);
    if (!specs) return report_errors(specs.errors());
    specs_ = std::make_unique<spec::SpecLibrary>(std::move(specs).value());
    const std::string shipped = context_.places.data + "/cases/bench";
    if (!flags_.import_file.empty()) {
      auto imported = bench::import_spatter(flags_.import_file, shipped + "/B4.yaml", *specs_);
      if (!imported) return report_errors(imported.errors());
      for (const std::string& note : imported->notes) fmt::print(stderr, "note: {}\n", note);
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

  int add(spec::Result<std::vector<bench::Row>> rows) {
    if (!rows) return report_errors(rows.errors());
    std::ranges::move(rows.value(), std::back_inserter(rows_));
    return as_expected;
  }

  /// The rows that a glob names; all when there is none.
  int select() {
    std::vector<std::string> globs;
    for (const std::string& word : flags_.what)
      if (!word.ends_with(".yaml")) globs.push_back(word);
    std::vector<std::string> ids;
    for (const bench::Row& row : rows_) ids.push_back(row.id);
    if (const auto errors = unmatched(globs, ids, "'{}' is the id of no row",
                                      "`scatterproof bench --list` shows every id; * matches anything");
        !errors.empty())
      return report_errors(errors);
    if (!globs.empty())
      std::erase_if(rows_, [&](const bench::Row& row) {
        return std::ranges::none_of(globs, [&](const auto& glob) { return matches_glob(glob, row.id); });
      });
    if (rows_.empty()) {
      fmt::print(stderr, "nothing to time\n");
      return nothing_ran;
    }
    if (flags_.list) {
      for (const bench::Row& row : rows_) fmt::print("{}\n", row.id);
      finished_ = true;
    }
    return as_expected;
  }

  /// A row that is refused is found before anything is timed: by making it small.
  int check_rows() {
    spec::Errors errors;
    for (const bench::Row& row : rows_)
      if (auto data = bench::make_data(row, *specs_, flags_.seed, bench::small_size(row)); !data)
        errors.insert(errors.end(), data.errors().begin(), data.errors().end());
    return errors.empty() ? static_cast<int>(as_expected) : report_errors(errors);
  }

  /// Files are opened before minutes are spent on what goes into them.
  int check_files() {
    const auto refuse = [](const std::string& file) {
      return report_errors({{file, {}, "the file cannot be written", "", ""}});
    };
    if (!flags_.google_json.empty() && !std::ofstream(flags_.google_json)) return refuse(flags_.google_json);
    if (!flags_.before.empty()) {
      auto before = spec::read_timings(flags_.before);
      if (!before) return report_errors(before.errors());
      before_ = std::move(before).value();
    }
    if (flags_.out.empty()) return as_expected;
    std::error_code ignored;
    fs::create_directories(flags_.out, ignored);
    const std::string file = flags_.out + "/timings.jsonl";
    stream_.open(file);
    return stream_ ? static_cast<int>(as_expected) : refuse(file);
  }

  int open_engines() {
    const bool named = !flags_.engines.empty();
    std::vector<std::string> names = flags_.engines;
    if (!named) names.assign(std::begin(usual_engines), std::end(usual_engines));
    bool missing = false;
    for (const std::string& name : names) {
      auto engine = engines::make_engine(name, *specs_, context_.places);
      if (!engine && named) return report_errors(engine.errors());
      const std::string reason = engine ? (*engine)->start() : engine.errors().front().what;
      if (reason.empty())
        engines_.push_back(std::move(engine).value());
      else
        fmt::print(stderr, "{}: {} is not timed: {}\n", named ? "error" : "note", name, reason);
      missing = missing || !reason.empty();
    }
    return missing && named ? engine_missing : as_expected;
  }

  int time() {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    progress("measuring this machine");
    bench::TimingRequest request;
    std::set<int> threads(flags_.threads.begin(), flags_.threads.end());
    threads.insert(1);  // numpy's
    run_.machine = bench::measure_machine(std::vector<int>(threads.begin(), threads.end()));
    run_.machine.versions = libraries();
    run_.machine.versions["scatterproof"] = tool_version();
    for (const auto& engine : engines_) run_.machine.versions[engine->info().name] = engine->info().version;
    if (stream_.is_open()) stream_ << spec::to_json_line(run_.machine) << std::endl;
    request.rows = rows_;
    request.engines = engines_;
    request.specs = specs_.get();
    request.machine = run_.machine;
    request.threads = flags_.threads;
    request.repetitions = flags_.repetitions > 0 ? flags_.repetitions : flags_.quick ? 5 : 10;
    request.seed = flags_.seed;
    request.google_json = flags_.google_json;
    request.interrupted = &interrupted_flag;
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
    const auto engine =
        std::ranges::find_if(engines_, [&](const auto& one) { return one->info().name == record.engine; });
    return record.verdict == spec::name(spec::Verdict::unexpected_error) && engine != engines_.end() &&
           !(*engine)->info().framework.empty();
  }

  int finish() {
    const reports::Style style = terminal_style();
    reports::print_timing_table(std::cout, style, run_);
    bool worse = false;
    if (!flags_.before.empty()) {
      const auto comparison = reports::compare_timings(before_, run_, slower);
      reports::print_comparison(std::cout, style, comparison);
      worse = !comparison.slower.empty() || comparison.compared == 0;
    }
    std::cout.flush();
    if (!flags_.out.empty()) {
      const auto written = reports::write_timing_reports(run_, flags_.out);
      if (!written) return report_errors(written.errors());
      stream_.close();
      if (!stream_)
        return report_errors({{flags_.out + "/timings.jsonl", {}, "it could not be written whole", "", ""}});
    }
    if (interrupted_flag) {
      fmt::print(stderr, "interrupted: {} rows and engines were timed\n", run_.records.size());
      return interrupted;
    }
    if (run_.records.empty()) return nothing_ran;
    return wrong_ || worse ? unexpected : as_expected;
  }

  /// On stderr, only for a person who looks at it.
  static void progress(const std::string& what) {
    if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K{}", what);
  }

  const BenchFlags& flags_;
  const Context& context_;
  std::unique_ptr<spec::SpecLibrary> specs_;
  std::vector<bench::Row> rows_;
  std::vector<std::unique_ptr<engines::Engine>> engines_;
  std::ofstream stream_;
  spec::TimingRun before_;
  spec::TimingRun run_;
  bool wrong_ = false;
  bool finished_ = false;
};

}  // namespace

void add_bench(CLI::App& app, Context& context) {
  auto* verb = app.add_subcommand("bench", "Times engines beside the machine's floor and the peers");
  auto flags = std::make_shared<BenchFlags>();
  verb->add_option("what", flags->what, "Globs on row ids, or row files; everything shipped when left out");
  verb->add_flag("--quick", flags->quick, "The quick set: smaller rows, fewer repetitions, two minutes");
  verb->add_option("--engine", flags->engines, "Only this engine; may be repeated")->allow_extra_args(false);
  verb->add_option("--threads", flags->threads, "Numbers of threads, such as 1,2")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 1024));
  verb->add_option("--repetitions", flags->repetitions, "Of each row: 10, or 5 with --quick, when left out")
      ->check(CLI::Range(1, 1000));
  verb->add_flag("--list", flags->list, "Only prints the ids of the rows");
  verb->add_option("--out", flags->out, "Writes timings.jsonl, summary.md and plots")->type_name("FOLDER");
  verb->add_option("--json", flags->google_json, "Google Benchmark's report, which its compare.py reads")
      ->type_name("FILE");
  auto* import_flag =
      verb->add_option("--import", flags->import_file, "Times the configurations of a JSON file of Spatter's")
          ->type_name("FILE");
  import_flag->excludes("--quick");
  verb->add_option(
          "--compare", flags->before,
          fmt::format("An earlier timings.jsonl: what now takes {} times as long is an error", slower))
      ->type_name("FILE");
  verb->add_option("--seed", flags->seed, "Of the data");
  verb->callback([flags, &context] { context.exit_code = BenchCommand(*flags, context).execute(); });
}

}  // namespace scatterproof::runner::cli
