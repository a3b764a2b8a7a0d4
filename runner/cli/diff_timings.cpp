// SPDX-License-Identifier: Apache-2.0
#include "diff_timings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "scatterproof/runner/bench/timing_diff.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/select/suggest.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner::cli {
namespace {

using bench::SpeedChange;
using bench::TimingChange;
using bench::TimingDifference;

/// The stream's records of one engine.
spec::Result<spec::TimingRun> of_engine(const std::string& file, const std::string& engine) {
  auto run = spec::read_timings(file);
  if (!run) return run;
  std::set<std::string> engines;
  for (const spec::TimingRecord& record : run->records) engines.insert(record.engine);
  if (!engines.contains(engine)) {
    const std::vector<std::string> known(engines.begin(), engines.end());
    return spec::Error{
        .file = file,
        .what = fmt::format("there are no times of '{}'", engine),
        .hint = did_you_mean(engine, known, "name an engine as the file does, with its version")};
  }
  std::erase_if(run.value().records, [&](const spec::TimingRecord& one) { return one.engine != engine; });
  return run;
}

/// A whole stream; with two versions of an engine it would not be known which of them to compare.
spec::Result<spec::TimingRun> whole(const std::string& file) {
  auto run = spec::read_timings(file);
  if (!run) return run;
  std::map<std::string, std::string> versions;
  for (const spec::TimingRecord& record : run->records) {
    const std::string name = spec::without_release(record.engine);
    const auto [first, is_new] = versions.emplace(name, record.engine);
    if (!is_new && first->second != record.engine)
      return spec::Error{.file = file,
                         .what = fmt::format("the benchmark has {} and {}", first->second, record.engine),
                         .hint = fmt::format("compare them: scatterproof diff {} {} --timings {}",
                                             first->second, record.engine, file)};
  }
  return run;
}

std::string place_words(const TimingChange& one) {
  const spec::TimingRecord& now = one.times.after;
  return fmt::format("{} on {}, {}, {}", spec::one_line(now.row), spec::one_line(now.engine),
                     reports::threads_words(now.threads), now.in_place ? "in place" : "out of place");
}

void print(const TimingChange& one) {
  if (one.wrong) {
    fmt::print("wrong      {}: {}\n", place_words(one), spec::one_line(one.times.after.verdict));
    return;
  }
  fmt::print("{:10} {}: {} -> {}, {:.2f} times as long, p = {:.2g}\n", name(one.verdict.change),
             place_words(one), reports::time_words(spec::spread(one.times.before.seconds).median),
             reports::time_words(spec::spread(one.times.after.seconds).median), one.verdict.ratio,
             one.verdict.p_holm);
}

void print(const TimingDifference& found, const TimingDiffFlags& flags) {
  for (const TimingChange& one : found.rows)
    if (one.wrong || one.verdict.change != SpeedChange::same || flags.verbosity > 0) print(one);
  if (found.only_before + found.only_after > 0)
    fmt::print("not compared: {} rows timed only in {}, {} only in {}\n", found.only_before, flags.before,
               found.only_after, flags.after);
  if (!found.same_machine) fmt::print("the machines differ, which alone may explain a difference\n");
  if (const std::size_t needed = found.repetitions_needed(); needed > 0)
    fmt::print("too few repetitions to decide any row; use bench --repetitions {}\n", needed);
  fmt::print("Summary: {} slower, {} faster, {} the same, {} undecided, {} wrong now\n",
             found.count(SpeedChange::slower), found.count(SpeedChange::faster),
             found.count(SpeedChange::same), found.count(SpeedChange::undecided), found.wrong());
}

}  // namespace

int diff_timings(const TimingDiffFlags& flags) {
  const bool by_engine = !flags.timings.empty();
  const auto before = by_engine ? of_engine(flags.timings, flags.before) : whole(flags.before);
  const auto after = by_engine ? of_engine(flags.timings, flags.after) : whole(flags.after);
  spec::Errors errors;
  for (const auto* side : {&before, &after})
    if (!*side) errors.insert(errors.end(), side->errors().begin(), side->errors().end());
  if (!errors.empty()) return usage_error(errors);
  const TimingDifference found = bench::timing_difference(
      *before, *after, by_engine ? reports::PairBy::row : reports::PairBy::engine, flags.limits);
  print(found, flags);
  if (spec::Errors failed = write_file(flags.json, [&] { return bench::as_json(found).dump(1) + "\n"; });
      !failed.empty())
    return usage_error(failed);
  if (found.rows.empty()) return nothing_ran;
  return found.wrong() + found.count(SpeedChange::slower) > 0 ? unexpected : as_expected;
}

}  // namespace scatterproof::runner::cli
