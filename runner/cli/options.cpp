// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <thread>

#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/select/shard_of_environment.hpp"
#include "scatterproof/runner/select/suggest.hpp"

namespace scatterproof::runner::cli {
namespace {

constexpr int most_jobs = 1024;

/// A check without a description: CLI11 would add one to the type name.
CLI::Validator check(std::function<std::string(std::string&)> finds) {
  return CLI::Validator(std::move(finds), "");
}

/// A finding as program.cpp reads it: headline, advice and hint, separated by tabs.
std::string finding(const std::string& headline, const std::string& advice, const std::string& hint = "") {
  return headline + '\t' + advice + '\t' + hint;
}

}  // namespace

spec::Error invalid_value(const std::string& option, const std::string& finding) {
  // Headline, advice and hint, separated by tabs.
  const auto advice = finding.find('\t');
  if (advice == std::string::npos) return {.what = fmt::format("{}: {}", option, finding)};
  const auto hint = finding.find('\t', advice + 1);
  std::string what = fmt::format("{} for {}", finding.substr(0, advice), option);
  if (hint > advice + 1) what += ": " + finding.substr(advice + 1, hint - advice - 1);
  return {.what = std::move(what), .hint = finding.substr(hint + 1)};
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return check([=](const std::string& text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc{} && at == end && number >= least && number <= most) return std::string();
    return finding(fmt::format("invalid number '{}'", text),
                   fmt::format("use a whole number from {} to {}", least, most));
  });
}

CLI::Validator existing_path() {
  return check([](const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return std::string();
    const spec::Error missing = missing_file(path);
    return finding(missing.what, "", missing.hint);
  });
}

CLI::Option* only_values(CLI::Option* option, const std::string& stands_for,
                         std::vector<std::string> values) {
  option->type_name(fmt::format("{}:{}", stands_for, fmt::join(values, " ")));
  return option->check(check([values = std::move(values)](const std::string& text) {
    if (std::ranges::find(values, text) != values.end()) return std::string();
    return finding(fmt::format("invalid value '{}'", text),
                   fmt::format("use one of {}", fmt::join(values, ", ")), did_you_mean(text, values, ""));
  }));
}

std::optional<double> read_duration(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  const std::string_view unit(at, static_cast<std::size_t>(end - at));
  if (unit.empty() || unit == "s") return value;
  if (unit == "ms") return value / 1000;
  if (unit == "m") return value * 60;
  if (unit == "h") return value * 3600;
  return std::nullopt;
}

namespace {

template <class Seconds>
CLI::Option* add_time(CLI::App& verb, const std::string& name, Seconds& seconds, double longest,
                      const std::string& what) {
  const auto take = [&seconds](const std::string& text) { seconds = *read_duration(text); };
  const auto finds = [longest](const std::string& text) {
    constexpr double shortest = 0.001;
    const auto read = read_duration(text);
    if (read && *read >= shortest && *read <= longest) return std::string();
    return finding(fmt::format("invalid duration '{}'", text),
                   read ? fmt::format("use a time from 1ms to {}h", longest / 3600)
                        : "use a number and a unit, such as 60s, 5m or 1h");
  };
  return verb.add_option_function<std::string>(name, take, what)->type_name("TIME")->check(check(finds));
}

}  // namespace

CLI::Option* add_duration(CLI::App& verb, const std::string& name, double& seconds, double longest,
                          const std::string& what) {
  return add_time(verb, name, seconds, longest, what);
}
CLI::Option* add_duration(CLI::App& verb, const std::string& name, std::optional<double>& seconds,
                          double longest, const std::string& what) {
  return add_time(verb, name, seconds, longest, what);
}

CLI::Option* add_number(CLI::App& verb, const std::string& name, int& number, int least, int most,
                        const std::string& what) {
  return verb.add_option(name, number, what)
      ->type_name("N")
      ->check(whole_number(static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most)));
}

CLI::Option* add_number(CLI::App& verb, const std::string& name, std::uint64_t& number, std::uint64_t least,
                        const std::string& what) {
  return verb.add_option(name, number, what)
      ->type_name("N")
      ->check(whole_number(least, std::numeric_limits<std::uint64_t>::max()));
}

namespace {

/// From `least` to `most`; nothing when it is no such number.
std::optional<double> read_real(std::string text, double least, double most) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end || !(value >= least && value <= most)) return std::nullopt;
  return value;
}

std::optional<double> read_percent(std::string text) {
  if (text.ends_with('%')) text.pop_back();
  return read_real(std::move(text), 0, 100);
}

}  // namespace

CLI::Option* add_percent(CLI::App& verb, const std::string& name, std::optional<double>& percent,
                         const std::string& what) {
  const auto take = [&percent](const std::string& text) { percent = read_percent(text); };
  const auto finds = [](const std::string& text) {
    if (read_percent(text)) return std::string();
    return finding(fmt::format("invalid share '{}'", text), "use a number from 0 to 100, in per cent");
  };
  return verb.add_option_function<std::string>(name, take, what)->type_name("PERCENT")->check(check(finds));
}

CLI::Option* add_ratio(CLI::App& verb, const std::string& name, std::optional<double>& ratio,
                       const std::string& what) {
  constexpr double most = 1000;
  const auto take = [&ratio](const std::string& text) { ratio = read_real(text, 1, most); };
  const auto finds = [](const std::string& text) {
    if (read_real(text, 1, most)) return std::string();
    return finding(fmt::format("invalid ratio '{}'", text), "use a number from 1 to 1000, such as 1.2");
  };
  return verb.add_option_function<std::string>(name, take, what)->type_name("RATIO")->check(check(finds));
}

void add_selection(CLI::App& verb, CaseSelection& selection) {
  verb.add_option("case", selection.what,
                  "Case ids or globs on them, APIs, case files, folders of case files")
      ->type_name("ID")
      ->default_str("every shipped case");
  verb.add_option("--api", selection.apis,
                  "Only cases of this API, or of APIs that match this glob; repeatable")
      ->type_name("API")
      ->allow_extra_args(false)
      ->group(group::select);
  verb.add_option("-k", selection.expression,
                  "Only cases whose id or tags contain these words; join words by and, or, not, parentheses")
      ->type_name("WORDS")
      ->group(group::select);
  add_shard(verb, selection.shard, "Only part I of N of the cases, such as 1/4");
  add_specs(verb, selection.specs);
}

void add_specs(CLI::App& verb, std::string& folder) {
  verb.add_option("--specs", folder, "Read the op specs from this folder [env: SCATTERPROOF_DATA]")
      ->type_name("FOLDER")
      ->default_str("the shipped specs")
      ->check(existing_path())
      ->group(group::select);
}

void add_shard(CLI::App& verb, std::string& shard, const std::string& what) {
  // `auto` becomes what the environment says.
  const auto decide = [](std::string& text) {
    if (text != "auto") return std::string();
    const auto given = shard_of_environment([](const std::string& variable) {
      const char* value = std::getenv(variable.c_str());
      return std::string(value ? value : "");
    });
    if (!given)
      return finding("invalid value 'auto'", given.errors().front().what, given.errors().front().hint);
    say(fmt::format("shard {}, by {}", given->shard, given->variable));
    text = given->shard;
    return std::string();
  };
  verb.add_option("--shard", shard, what + "; auto: as Bazel, Slurm, Kubernetes or the CI system says")
      ->type_name("I/N")
      ->transform(CLI::Validator(decide, ""))
      ->group(group::select);
}

void add_engine(CLI::App& verb, std::vector<std::string>& engines, const std::string& when_left_out) {
  verb.add_option("-e,--engine", engines,
                  "Engine to run on: reference, torch, torch@2.13.0, so:./libmine.so, "
                  "py:MODULE:FUNCTION=API, cmd:./my-worker, recorded:FILE; repeatable. What `engines "
                  "install` installed "
                  "is in the folder SCATTERPROOF_ENGINES, if that variable is set")
      ->type_name("ENGINE")
      ->default_str(when_left_out)
      ->take_all()
      ->allow_extra_args(false)
      ->group(group::execute);
}

void add_reports(CLI::App& verb, std::vector<std::string>& reports, int& verbosity) {
  const auto finds = [](const std::string& text) {
    const std::string kind = text.substr(0, text.find('='));
    const std::vector<std::string> kinds = reports::kinds();
    if (std::ranges::find(kinds, kind) != kinds.end()) return std::string();
    return finding(fmt::format("unknown report kind '{}'", kind),
                   fmt::format("use KIND=PATH with one of {}", fmt::join(kinds, ", ")),
                   did_you_mean(kind, kinds, ""));
  };
  verb.add_option("--report", reports,
                  fmt::format("Write a report; PATH - is stdout; repeatable [kinds: {}]",
                              fmt::join(reports::kinds(), ", ")))
      ->type_name("KIND=PATH")
      ->default_str("console=-")
      ->allow_extra_args(false)
      ->check(check(finds))
      ->group(group::report);
  verb.add_flag("-v,--verbose", verbosity, "Print every record, not only failures")->group(group::report);
}

void add_jobs(CLI::App& verb, int& jobs, const std::string& what) {
  jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  add_number(verb, "-j,--jobs", jobs, 1, most_jobs, what)->default_str("all cores")->group(group::execute);
}

void add_color(CLI::App& verb, Context& context) {
  only_values(
      verb.add_option("--color", context.color,
                      "When to use colour; auto is on a terminal [env: NO_COLOR, CLICOLOR_FORCE, TERM]"),
      "WHEN", {"auto", "always", "never"})
      ->default_str("auto")
      ->group(group::general);
}

}  // namespace scatterproof::runner::cli
