// SPDX-License-Identifier: Apache-2.0
#include "bench_workers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/bench/workers.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::runner::cli {
namespace {

/// `torch`, which means its newest release, of each framework that is installed.
std::vector<std::string> newest_releases(const engines::Places& places) {
  std::vector<std::string> names;
  for (const engines::EngineListing& listing : engines::list_engines(places)) {
    const std::size_t at = listing.name.find('@');
    if (!listing.installed || at == std::string::npos) continue;
    if (const std::string name = listing.name.substr(0, at); std::ranges::find(names, name) == names.end())
      names.push_back(name);
  }
  return names;
}

/// Calls a second: at best, and in the middle repetition.
std::string rates(const std::vector<double>& seconds) {
  if (seconds.empty()) return fmt::format("{:>9} {:>9}", "-", "-");
  const spec::Spread spread = spec::spread(seconds);
  return fmt::format("{:>9.0f} {:>9.0f}", 1 / spread.minimum, 1 / spread.median);
}

/// The share of the bare loop's rate that the judged calls reach, by repetition: the minimum and the median.
std::string shares(const bench::WorkerSpeed& speed) {
  if (speed.bare.empty()) return fmt::format("{:>6} {:>6}", "-", "-");
  std::vector<double> shares;
  for (std::size_t i = 0; i < speed.bare.size(); ++i) shares.push_back(speed.bare[i] / speed.judged[i]);
  const spec::Spread spread = spec::spread(shares);
  return fmt::format("{:>6.2f} {:>6.2f}", spread.minimum, spread.median);
}

void print(const std::vector<bench::WorkerSpeed>& speeds) {
  fmt::print("{:<24} {:^19}   {:^19}   {:^13}   {}\n{:<24} {:>9} {:>9}   {:>9} {:>9}   {:>6} {:>6}\n", "",
             "judged calls/s", "bare loop calls/s", "share", "APIs", "engine", "best", "median", "best",
             "median", "least", "median");
  for (const bench::WorkerSpeed& one : speeds)
    fmt::print("{:<24} {}   {}   {}   {}\n", spec::one_line(one.engine), rates(one.judged), rates(one.bare),
               shares(one), fmt::join(one.apis, " "));
  for (const bench::WorkerSpeed& one : speeds)
    if (!one.note.empty()) fmt::print("{}\n", spec::one_line(one.engine + ": " + one.note));
}

}  // namespace

int bench_workers(const BenchWorkersFlags& flags, const Context& context) {
  auto specs = load_specs("", context.places);
  if (!specs) return usage_error(specs.errors());
  RunSession session(flags.session, context);
  handle_interrupts();
  if (const int code = session.open_engines(*specs, newest_releases(context.places)); code != as_expected)
    return code;
  work_begins();
  std::vector<bench::WorkerSpeed> speeds;
  for (const auto& engine : session.engines()) {
    if (was_interrupted()) break;
    session.progress().doing("timing " + engine->info().name);
    speeds.push_back(bench::time_worker(*engine, {.specs = &*specs,
                                                  .repetitions = flags.repetitions,
                                                  .seed = flags.session.seed,
                                                  .interrupted = &was_interrupted()}));
    stop({&engine, 1});
  }
  session.progress().doing("");
  print(speeds);
  if (!flags.out.empty()) {
    std::error_code ignored;
    std::filesystem::create_directories(flags.out, ignored);
    if (const spec::Errors errors =
            write_file(flags.out + "/workers.json", [&] { return bench::to_json(speeds); });
        !errors.empty())
      return usage_error(errors);
  }
  return exit_code(
      {.anything = std::ranges::any_of(speeds, [](const auto& one) { return !one.judged.empty(); })});
}

}  // namespace scatterproof::runner::cli
