// SPDX-License-Identifier: Apache-2.0
// `selftest`: whether generated calls catch engines with one fault and specs with one thing wrong.
#include "scatterproof/runner/selftest/selftest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "options.hpp"
#include "scatterproof/engines/faulty/faulty.hpp"
#include "scatterproof/runner/run/progress.hpp"
#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/runner/select/suggest.hpp"
#include "scatterproof/runner/selftest/equivalents.hpp"
#include "scatterproof/runner/selftest/mutants.hpp"
#include "scatterproof/runner/selftest/rounds.hpp"
#include "scatterproof/runner/selftest/try_drawn.hpp"
#include "session.hpp"

namespace scatterproof::runner::cli {
namespace {

using selftest::SelftestResult;

struct SelftestFlags {
  std::uint64_t cases = 100'000;
  std::uint64_t seed = 1;
  std::uint64_t count = 0;  ///< of drawn faults, tried instead of the named ones
  int jobs = 1;
  bool gradients = false;  ///< the drawn faults are of gradients
  bool engine_faults = false;
  bool spec_mutants = false;
  std::string specs;
  std::string equivalents;
  std::vector<std::string> globs;
};

/// The names of all faults and mutants there are.
std::vector<std::string> all_names(const spec::SpecLibrary& specs) {
  std::vector<std::string> names;
  for (const auto& fault : engines::list_faults()) names.push_back("faulty:" + std::string(fault.name));
  for (const spec::OpSpec* op : selftest::tried_specs(specs))
    for (const selftest::Mutant& mutant : selftest::mutants_of(*op)) names.push_back(mutant.name);
  return names;
}

class SelftestCommand {
 public:
  SelftestCommand(const SelftestFlags& flags, const Context& context) : flags_(flags), context_(context) {}

  int execute() {
    handle_interrupts();
    const auto specs = load_specs(flags_.specs, context_.places);
    if (!specs) return usage_error(specs.errors());
    if (flags_.count > 0) return draw(*specs);
    const std::string path = flags_.equivalents.empty()
                                 ? context_.places.data + "/runner/selftest/equivalents.yaml"
                                 : flags_.equivalents;
    const auto equivalents = selftest::load_equivalents(path);
    if (!equivalents) return usage_error(equivalents.errors());
    const std::vector<std::string> names = all_names(*specs);
    if (const auto errors = unknown_names(*equivalents, path, names); !errors.empty())
      return usage_error(errors);
    if (const auto errors =
            unmatched(flags_.globs, names, "no fault or mutant is called '{}'",
                      "`scatterproof selftest --cases 1` prints the names; * matches anything");
        !errors.empty())
      return usage_error(errors);
    equivalents_ = *equivalents;

    work_begins();
    const selftest::Options options = make_options(*specs);
    const bool both = flags_.engine_faults == flags_.spec_mutants;
    std::vector<SelftestResult> tried;
    if (both || flags_.engine_faults) append(tried, try_faults(*specs, options));
    if (both || flags_.spec_mutants) append(tried, try_mutants(*specs, options));
    progress_.finish();
    if (tried.empty() && !was_interrupted()) {
      say("error: no fault or mutant of this kind has such a name");
      return exit_code({.anything = false});
    }
    return exit_code({.unexpected = !print(tried)});
  }

 private:
  int draw(const spec::SpecLibrary& specs) {
    work_begins();
    const auto tried = try_drawn(specs, flags_.seed, flags_.count, make_options(specs), flags_.gradients);
    progress_.finish();
    if (was_interrupted()) return exit_code({});  // a share of what was tried so far says nothing
    fmt::print("{}", summary(tried, flags_.cases));
    return exit_code({.unexpected = !all_killed(tried)});
  }

  static void append(std::vector<SelftestResult>& to, std::vector<SelftestResult> from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  }

  selftest::Options make_options(const spec::SpecLibrary& specs) {
    selftest::Options options;
    options.cases = flags_.cases;
    options.jobs = flags_.jobs;
    options.calls = selftest::generated_calls(specs, flags_.seed);
    options.gradient_calls = selftest::generated_calls(specs, flags_.seed, true);
    options.stopped = [] { return was_interrupted().load(); };
    options.wanted = [this](const std::string& name) {
      return flags_.globs.empty() || std::any_of(flags_.globs.begin(), flags_.globs.end(),
                                                 [&](const auto& glob) { return matches_glob(glob, name); });
    };
    options.tried = [this](const std::string& name) { progress_.doing(name); };
    return options;
  }

  /// A line for each, then what is wrong, then the totals. Returns whether every one was caught, or is a
  /// known equivalent.
  bool print(const std::vector<SelftestResult>& tried) const {
    std::size_t width = 0;
    for (const SelftestResult& one : tried) width = std::max(width, one.name.size());
    std::size_t killed = 0, equivalent = 0;
    std::vector<std::string> wrong;
    for (const SelftestResult& one : tried) {
      const auto listed = equivalents_.find(one.name);
      const bool known = listed != equivalents_.end();
      fmt::print("{:<{}}  {}\n", one.name, width, outcome(one, known ? &listed->second : nullptr));
      if (known && one.kill)
        wrong.push_back(fmt::format("{} is listed as an equivalent (line {}), but a call shows it", one.name,
                                    listed->second.at.line));
      if (!known && !one.kill) wrong.push_back(fmt::format("{} is alive: {}", one.name, one.says));
      equivalent += known ? 1 : 0;
      killed += !known && one.kill ? 1 : 0;
    }
    fmt::print("\n");
    for (const std::string& sentence : wrong) fmt::print("{}\n", sentence);
    fmt::print("killed {} of {} within {} calls; {} equivalent\n", killed, tried.size() - equivalent,
               flags_.cases, equivalent);
    return wrong.empty();
  }

  static std::string outcome(const SelftestResult& one, const selftest::Equivalent* listed) {
    if (one.kill)
      return fmt::format("{:>6} calls  {:<16}  {}", one.kill->calls, one.kill->verdict,
                         spec::to_string(one.kill->witness));
    return listed ? "equivalent: " + listed->why : "ALIVE";
  }

  const SelftestFlags& flags_;
  const Context& context_;
  selftest::Equivalents equivalents_;
  Progress progress_;
};

}  // namespace

void add_selftest(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "selftest",
       .purpose = "Check that generated calls catch faulty engines and mutated specs",
       .examples = {{"scatterproof selftest 'faulty:*'", "every faulty engine"},
                    {"scatterproof selftest 'torch.gather/*' --cases 1000 -j 2", "the mutants of one spec"},
                    {"scatterproof selftest --seed 7 --count 500", "500 random faults"},
                    {"scatterproof selftest --seed 7 --count 500 --gradients", "the same, of gradients"}},
       .group = "Test"});
  auto flags = std::make_shared<SelftestFlags>();
  CLI::Option* names =
      verb->add_option("name", flags->globs,
                       "Faults or mutants, or globs on them, such as faulty:* and torch.gather/*")
          ->type_name("NAME")
          ->default_str("all");
  verb->add_flag("--engine-faults", flags->engine_faults, "Try only faulty engines")->group(group::select);
  verb->add_flag("--spec-mutants", flags->spec_mutants, "Try only mutated specs")->group(group::select);
  add_specs(*verb, flags->specs);
  add_number(*verb, "--cases", flags->cases, 1,
             "How many calls to generate for each fault or mutant: if none fails, it counts as alive")
      ->capture_default_str()
      ->group(group::generate);
  add_number(*verb, "--seed", flags->seed, 0, "Seed of the calls, and of drawn faults")
      ->capture_default_str()
      ->group(group::generate);
  CLI::Option* count = add_number(*verb, "--count", flags->count, 1,
                                  "Draw this many faults from the seed, instead of the named ones")
                           ->group(group::select)
                           ->excludes(names);
  verb->add_flag("--gradients", flags->gradients, "Draw faults of gradients")
      ->group(group::select)
      ->needs(count);
  add_jobs(*verb, flags->jobs, "Threads");
  verb->add_option("--equivalents", flags->equivalents,
                   "Read the list of mutants that no call can distinguish here")
      ->type_name("FILE")
      ->default_str("runner/selftest/equivalents.yaml")
      ->check(existing_path())
      ->group(group::judge);
  verb->callback([flags, &context] { context.exit_code = SelftestCommand(*flags, context).execute(); });
}

}  // namespace scatterproof::runner::cli
