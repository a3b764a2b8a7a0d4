// SPDX-License-Identifier: Apache-2.0
// `fuzz`: generated calls on engines, judged by the spec; failures shrunk, saved and shown.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "execute.hpp"
#include "fuzz/driver.hpp"
#include "session.hpp"
#include "version.hpp"

namespace scatterproof::runner::cli {
namespace {

using fuzz::Wishes;

constexpr std::uint64_t default_calls = 20'000;

struct FuzzFlags {
  SessionFlags session;
  std::vector<std::string> apis;
  bool all = false;
  std::uint64_t calls = 0;
  std::string time;
  std::string shard;
  int jobs = 0;
  bool valid = false;
  bool broken = false;
  std::string rule;
};

/// `60`, `60s`, `5m`, `1h`: seconds; 0 when it is none of these.
double read_time(const std::string& text) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    return 0;
  }
  const std::string unit = text.substr(used);
  const double seconds = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  return value > 0 ? value * seconds : 0;
}

spec::Error flag_error(std::string what, std::string hint = {}) {
  return {"", {}, std::move(what), std::move(hint), ""};
}

class FuzzCommand {
 public:
  FuzzCommand(const FuzzFlags& flags, const Context& context)
      : flags_(flags), context_(context), session_(flags.session, context) {}

  int execute() {
    handle_interrupts();
    if (const int code = load(); code != as_expected) return code;
    if (const int code = session_.load_baselines(); code != as_expected) return code;
    if (const int code = session_.open_engines(*specs_, false); code != as_expected) return code;
    if (const int code = session_.open_reports(""); code != as_expected) return code;
    const spec::Header header = session_.header();
    session_.sinks().run_started(header);
    judging_begins();
    const fuzz::Fuzzed fuzzed = fuzz_all();
    return finish(fuzzed);
  }

 private:
  int load() {
    auto specs = load_specs(flags_.session.specs, context_.places);
    if (!specs) return report_errors(specs.errors());
    specs_ = std::make_unique<spec::SpecLibrary>(std::move(specs).value());
    spec::Errors errors;
    choose_apis(errors);
    choose_calls(errors);
    return errors.empty() ? static_cast<int>(as_expected) : report_errors(errors);
  }

  void choose_apis(spec::Errors& errors) {
    std::vector<std::string> known;
    for (const spec::OpSpec& op : specs_->all()) known.push_back(op.api);
    if (flags_.apis.empty() && !flags_.all)
      errors.push_back(flag_error("fuzz what?", "--api GLOB (as in --api 'torch.*'), or --all"));
    for (const std::string& glob : flags_.apis)
      if (std::none_of(known.begin(), known.end(),
                       [&](const auto& api) { return matches_glob(glob, api); })) {
        const auto near = spec::nearest(glob, known);
        errors.push_back(
            flag_error(fmt::format("no API matches '{}'", glob),
                       near ? fmt::format("did you mean '{}'?", *near) : "'spec list' names them"));
      }
    for (const spec::OpSpec& op : specs_->all())
      if (flags_.all || std::any_of(flags_.apis.begin(), flags_.apis.end(),
                                    [&](const std::string& glob) { return matches_glob(glob, op.api); }))
        plan_.apis.push_back(&op);
  }

  void choose_calls(spec::Errors& errors) {
    if (!flags_.rule.empty() && std::none_of(plan_.apis.begin(), plan_.apis.end(),
                                             [&](const auto* op) { return op->rule(flags_.rule); }))
      errors.push_back(flag_error(fmt::format("no chosen API has a rule '{}'", flags_.rule),
                                  "'spec show API' lists them"));
    std::erase_if(plan_.apis, [&](const auto* op) { return !flags_.rule.empty() && !op->rule(flags_.rule); });
    plan_.wishes = {flags_.valid    ? Wishes::Sides::valid
                    : flags_.broken ? Wishes::Sides::broken
                                    : Wishes::Sides::both,
                    flags_.rule};
    plan_.seed = flags_.session.seed;
    plan_.calls = flags_.calls;
    if (!flags_.time.empty() && (plan_.seconds = read_time(flags_.time)) == 0)
      errors.push_back(flag_error(fmt::format("'{}' is no time", flags_.time), "as in 60s, 5m, 1h"));
    if (plan_.calls == 0 && flags_.time.empty()) plan_.calls = default_calls;
    if (!flags_.shard.empty()) {
      auto shard = Shard::parse(flags_.shard);
      if (shard)
        plan_.shard = *shard;
      else
        errors.insert(errors.end(), shard.errors().begin(), shard.errors().end());
    }
    plan_.jobs =
        flags_.jobs > 0 ? flags_.jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    plan_.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(flags_.session.timeout * 1000));
    plan_.interrupted = &was_interrupted();
  }

  fuzz::Engines open_engines() const {
    fuzz::Engines engines;
    for (const auto& open : session_.header().engines)
      if (open.state == "ready")
        if (auto engine = engines::make_engine(open.name, *specs_, context_.places);
            engine && (*engine)->start().empty())
          engines.push_back(std::move(engine).value());
    return engines;
  }

  fuzz::Fuzzed fuzz_all() {
    const bool visible = isatty(STDERR_FILENO);
    const auto progress = [visible](std::uint64_t judged, std::uint64_t failed) {
      if (visible) fmt::print(stderr, "\r\033[K{} calls judged, {} failed", judged, failed);
    };
    fuzz::Fuzzed fuzzed = fuzz::fuzz(
        plan_, [this] { return open_engines(); }, progress);
    if (visible) fmt::print(stderr, "\r\033[K");
    return fuzzed;
  }

  spec::Record record_of(const fuzz::Kind& kind, const fuzz::Tally& tally) {
    spec::Record record;
    record.id = fmt::format("{}/fuzz/{}", kind.api, kind.rule.empty() ? "valid" : kind.rule);
    record.api = kind.api;
    record.engine = kind.engine;
    for (const auto& engine : session_.engines())
      if (engine->info().name == kind.engine) {
        record.version = engine->info().version;
        record.device = engine->info().device;
      }
    record.verdict = kind.verdict;
    record.rung = tally.rung;
    record.count = tally.count;
    record.seed = plan_.seed;
    record.explanation = tally.reason;
    if (tally.first)
      record.explanation = fmt::format("{}\nthe call: {}", tally.first->judgement.explanation,
                                       spec::to_string(tally.first->made.call));
    session_.baseline().reconcile(record);
    return record;
  }

  int finish(const fuzz::Fuzzed& fuzzed) {
    std::size_t unexpected_records = 0, records = 0;
    for (const auto& [kind, tally] : fuzzed.kinds) {
      const spec::Record record = record_of(kind, tally);
      unexpected_records += record.disposition == spec::Disposition::unexpected;
      ++records;
      session_.sinks().call_judged(record);
    }
    spec::Trailer trailer;
    trailer.ended = utc_now();
    trailer.interrupted = fuzzed.stopped;
    trailer.records = records;
    trailer.exit_code = !fuzzed.errors.empty()   ? usage
                        : fuzzed.stopped         ? interrupted
                        : unexpected_records > 0 ? unexpected
                        : records == 0           ? nothing_ran
                                                 : as_expected;
    session_.sinks().run_finished(trailer);
    fmt::print(stderr, "{} calls made, {} judged, seed {}, digest {:016x}\n", fuzzed.made, fuzzed.judged,
               plan_.seed, fuzzed.digest);
    if (!fuzzed.errors.empty()) return report_errors(fuzzed.errors);
    if (const std::string failed = session_.sinks().failed(); !failed.empty())
      return report_errors({{"", {}, failed, "", ""}});
    return trailer.exit_code;
  }

  const FuzzFlags& flags_;
  const Context& context_;
  Session session_;
  std::unique_ptr<spec::SpecLibrary> specs_;
  fuzz::Plan plan_;
};

}  // namespace

void add_fuzz(CLI::App& app, Context& context) {
  CLI::App* verb =
      app.add_subcommand("fuzz", "Makes calls from the specs' rules, and judges engines by them");
  auto flags = std::make_shared<FuzzFlags>();
  verb->add_option("--api", flags->apis, "APIs to make calls of; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  verb->add_flag("--all", flags->all, "Every API there is a spec of");
  add_session(*verb, flags->session);
  auto* cases = verb->add_option("--cases", flags->calls, "How many calls to make, over all APIs")
                    ->check(CLI::PositiveNumber);
  verb->add_option("--time", flags->time, "How long to make calls: 60s, 5m, 1h")->excludes(cases);
  verb->add_option("--seed", flags->session.seed, "The same seed makes the same calls")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("-j,--jobs", flags->jobs, "Threads, each with engines of its own; all cores when left out")
      ->check(CLI::Range(1, 1024));
  verb->add_option("--shard", flags->shard, "Makes part I of N of the calls")->type_name("I/N");
  auto* valid = verb->add_flag("--valid", flags->valid, "Only calls that obey every rule");
  auto* broken = verb->add_flag("--broken", flags->broken, "Only calls that break a rule");
  auto* rule = verb->add_option("--rule", flags->rule, "Only calls that break this rule")->type_name("ID");
  broken->excludes(valid);
  rule->excludes(valid)->excludes(broken);
  verb->add_option("--specs", flags->session.specs, "Another folder of specs")->type_name("FOLDER");
  verb->callback([flags, &context] { context.exit_code = FuzzCommand(*flags, context).execute(); });
}

}  // namespace scatterproof::runner::cli
