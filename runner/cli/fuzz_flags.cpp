// SPDX-License-Identifier: Apache-2.0
#include "fuzz_flags.hpp"

#include <CLI/CLI.hpp>

#include "options.hpp"

namespace scatterproof::runner::cli {
namespace {

/// Which APIs, and which of their calls.
void add_choices(CLI::App& verb, FuzzFlags& flags) {
  auto* apis = verb.add_option("--api", flags.apis, "API or glob on APIs to make calls of; repeatable")
                   ->type_name("API")
                   ->allow_extra_args(false)
                   ->group(group::select);
  auto* all =
      verb.add_flag("--all", flags.all, "Make calls of every API that has a spec")->group(group::select);
  verb.add_option("--from", flags.from, "Make calls similar to this case: its id or its file")
      ->type_name("ID")
      ->excludes(apis)
      ->excludes(all)
      ->group(group::select);
  add_shard(verb, flags.shard, "Make only part I of N of the calls, such as 1/4");
  add_specs(verb, flags.session.specs);
  auto* valid =
      verb.add_flag("--valid", flags.valid, "Only calls that obey every rule")->group(group::generate);
  auto* broken =
      verb.add_flag("--broken", flags.broken, "Only calls that break a rule")->group(group::generate);
  verb.add_option("--rule", flags.rule, "Only calls that break this rule")
      ->type_name("RULE")
      ->excludes(valid)
      ->excludes(broken)
      ->group(group::generate);
  broken->excludes(valid);
  verb.add_flag(
          "--practice", flags.practice,
          "Break rules as often where no document promises an error, to see what engines do there; else "
          "one call in ten does")
      ->excludes(valid)
      ->group(group::generate);
  verb.add_flag("--large", flags.large, "Make much larger tensors too (docs/use/fuzz.md)")
      ->group(group::generate);
}

/// What happens to a failing call.
void add_shrinking(CLI::App& verb, FuzzFlags& flags) {
  constexpr double an_hour = 3600;
  add_duration(verb, "--shrink-time", flags.shrink_seconds, an_hour,
               "Longest time to make one failing call small")
      ->default_str("2s, or 10s in a worker")
      ->group(group::report);
  verb.add_option("--save", flags.save, "Save failing calls in this folder, and run what it holds first")
      ->type_name("FOLDER")
      ->default_str(flags.save)
      ->group(group::report);
}

}  // namespace

void add_fuzz_flags(CLI::App& verb, FuzzFlags& flags) {
  add_choices(verb, flags);
  auto* cases = add_number(verb, "--cases", flags.calls, 1,
                           "How many calls to generate, in equal shares for the chosen APIs")
                    ->default_str(std::to_string(default_calls))
                    ->group(group::generate);
  constexpr double a_month = 30 * 86400;
  add_duration(verb, "--time", flags.seconds, a_month,
               "How long to make calls and shrink failures, instead of --cases")
      ->excludes(cases)
      ->group(group::generate);
  auto* corpus = verb.add_option("--corpus", flags.corpus,
                                 "Keep the calls in this file; if it is there, judge the calls that it holds "
                                 "instead of making new ones")
                     ->type_name("FILE")
                     ->group(group::generate);
  add_number(verb, "--seed", flags.session.seed, 0, "Seed of the calls: the same seed makes the same calls")
      ->default_str("0")
      ->group(group::generate);
  add_session(verb, flags.session);
  add_jobs(verb, flags.session.jobs, "Threads, each with engines of its own");
  auto* relations =
      verb.add_flag("--relations", flags.relations, "Check metamorphic relations instead of the specs")
          ->excludes(corpus)
          ->group(group::judge);
  auto* gradients = verb.add_flag("--gradients", flags.session.gradients,
                                  "Judge the gradients of calls that obey every rule, and their results with "
                                  "them, on engines that have gradients")
                        ->excludes(corpus)
                        ->excludes(relations)
                        ->group(group::judge);
  for (const char* other : {"--broken", "--rule", "--practice"}) gradients->excludes(verb.get_option(other));
  add_gates(verb, flags.session.gates)
      ->excludes(corpus)
      ->excludes(relations)
      ->excludes(gradients)
      ->excludes(verb.get_option("--shard"));
  verb.add_flag("--statistics", flags.statistics, "Print what the calls were like, for each API")
      ->group(group::report);
  verb.add_flag("-x,--exitfirst", flags.stop_at_first,
                "Stop at the first failure of a generated call that no baseline expects")
      ->group(group::execute);
  add_shrinking(verb, flags);
}

}  // namespace scatterproof::runner::cli
