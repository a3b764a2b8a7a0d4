// SPDX-License-Identifier: Apache-2.0
// `diff`: what changed between two runs, or two versions of an engine.
#include "scatterproof/runner/streams/diff.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "diff_timings.hpp"
#include "options.hpp"
#include "scatterproof/reports/difference.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/baseline/baseline.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/files/replace_file.hpp"
#include "scatterproof/runner/files/state.hpp"
#include "scatterproof/runner/history/history.hpp"
#include "scatterproof/runner/select/suggest.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "scatterproof/spec/record/timing.hpp"
#include "streams.hpp"

namespace scatterproof::runner::cli {
namespace {

struct DiffFlags {
  std::string before;
  std::string after;
  std::string timings;
  std::string json;
  std::string html;
  std::string markdown;
  std::optional<double> ratio;
  int verbosity = 0;
};

spec::Error no_calls_on(const std::string& engine) {
  return {.what = fmt::format("no kept run, and none in the history, has calls on {}", engine),
          .hint = fmt::format("run them first: scatterproof run -e {}", engine)};
}

/// The newest run of the history with records of an engine in one version.
spec::Result<ComparedRun> run_of_history(const std::string& place, const std::string& engine) {
  auto opened = history::History::open_existing(place);
  if (!opened) return opened.errors();
  history::History history = std::move(opened).value();
  const auto newest = history.newest_run_of(engine);
  if (!newest) return newest.errors();
  const auto is_wanted = [&](const spec::Record& record) { return history::is_of(engine, record); };
  const auto run = [&](const auto& look) { return history.run(*newest, look); };
  return newest->empty() ? no_calls_on(engine) : ComparedRun::read(run, is_wanted);
}

/// The records of one engine in one version, from the newest kept stream that has any.
spec::Result<ComparedRun> kept_run_of(const std::string& engine) {
  const auto is_wanted = [&](const spec::Record& record) { return record.engine == engine; };
  for (const std::string& path : kept_streams()) {
    auto run =
        ComparedRun::read([&](const auto& look) { return spec::StreamFile::open(path, look); }, is_wanted);
    if (!run || run->records() == 0) continue;  // of another version of this program, or being written
    say(fmt::format("{}: {} of {}", engine, path, run->stream().header().started));
    return run;
  }
  const std::string place = history::usual_place();
  if (!history::may_exist(place)) return no_calls_on(engine);
  auto run = run_of_history(place, engine);
  if (run) say(fmt::format("{}: {}", engine, place));
  return run;
}

/// What a word of the command line names: a stream, or an engine with its version.
spec::Result<ComparedRun> run_named(const std::string& word) {
  if (!std::filesystem::exists(word)) {
    if (word.find('@') != std::string::npos) return kept_run_of(word);
    const spec::Error missing = missing_file(word);
    return spec::Error{.what = missing.what,
                       .hint = "name a stream, or an engine with its version: torch@2.13.0"};
  }
  auto run = ComparedRun::read([&](const auto& look) { return spec::StreamFile::open(word, look); }, {});
  if (!run) return run;
  say_if_cut_off(run->stream());
  if (const std::string& several = run->several_versions(); !several.empty())
    return spec::Error{.file = word,
                       .what = fmt::format("the run has {}", several),
                       .hint = "compare them by name: scatterproof diff ENGINE@A ENGINE@B"};
  return run;
}

/// The runs, and what became otherwise.
struct Found {
  const ComparedRun& before;
  const ComparedRun& after;
  Difference difference;
};

/// What to know of runs that generated calls and did not make the same ones; empty: they did, or made none.
std::string note_on_calls(const ComparedRun& before, const ComparedRun& after) {
  const std::uint64_t seed = before.stream().header().seed, other = after.stream().header().seed;
  const std::uint64_t calls = before.generated(), others = after.generated();
  if (calls == 0 || others == 0 || (calls == others && seed == other)) return "";
  return fmt::format(
      "both runs are of fuzz, and made other calls ({} of seed {}, then {} of seed {}): they differ by "
      "chance. "
      "To compare them, give both the same --seed and --cases, or the calls of one file: fuzz --corpus FILE",
      calls, seed, others, other);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string outcome_text(const std::optional<spec::Record>& record) {
  return record ? spec::one_line(behaviour_text(*record)) : "no generated call ended like this";
}

/// `mismatch (cell/wrong_value)`, `open, practice produced`, or `none`.
std::string verdict_text(const std::optional<spec::Record>& record) {
  if (!record) return "none";
  const std::string diagnosis =
      is_failure(record->verdict) ? to_string(without_guess(record->diagnosis)) : "";
  const std::string practice = to_string(without_numbers(record->practice));
  return fmt::format("{}{}{}", name(record->verdict), diagnosis.empty() ? "" : " (" + diagnosis + ")",
                     practice.empty() || practice == diagnosis ? "" : ", practice " + practice);
}

/// `torch`; or both, where the runs are of different frameworks or kernels.
std::string engines_text(const ChangedRecords& changed) {
  const std::string after = changed.either().engine;
  if (!changed.before || !changed.after) return after;
  const std::string before = changed.before->engine;
  return spec::without_release(before) == spec::without_release(after) ? after : before + ", then " + after;
}

/// What the calls of a group have in common.
struct InCommon {
  std::set<std::string> apis, operations;
  std::set<std::string> before, after;  ///< verdicts
};

/// `44 calls of 27 APIs on torch: mismatch (cell/wrong_value), now open or pass`
std::string title_of(std::size_t calls, const InCommon& group, const std::string& engines) {
  const std::string before = fmt::format("{}", fmt::join(group.before, " or ")),
                    after = fmt::format("{}", fmt::join(group.after, " or "));
  const std::string apis =
      group.apis.size() == 1 ? *group.apis.begin()
      : group.operations.size() == 1
          ? fmt::format("{} APIs", group.apis.size())
          : fmt::format("{} APIs ({} operations)", group.apis.size(), group.operations.size());
  return fmt::format("{} call{} of {} on {}: {}, {}", calls, calls == 1 ? "" : "s", apis, engines, before,
                     before == after ? "with another outcome" : "now " + after);
}

/// Groups of changes for a person, the worst first; of other results that the document allows only if asked.
spec::Result<reports::DifferencePage> difference_page(const Found& found, bool with_other_results) {
  reports::DifferencePage page;
  page.tool_version = tool_version();
  for (const std::vector<const Change*>& group : alike(found.difference.changes)) {
    if (group.front()->kind == Change::Kind::other_result && !with_other_results) continue;
    InCommon common;
    reports::DifferenceGroup shown;
    shown.direction = name(group.front()->direction);
    shown.calls = group.size();
    std::optional<ChangedRecords> first;
    for (const Change* change : group) {
      auto records = records_of(*change, found.before, found.after);
      if (!records) return records.errors();
      if (shown.ids.size() < reports::most_ids) shown.ids.push_back(records->either().id);
      common.apis.insert(records->either().api);
      common.operations.insert(operation_of(records->either()));
      common.before.insert(verdict_text(records->before));
      common.after.insert(verdict_text(records->after));
      if (!first) first = std::move(records).value();
    }
    const std::optional<spec::Record>& telling = first->after ? first->after : first->before;
    shown.title = title_of(group.size(), common, engines_text(*first));
    shown.before = outcome_text(first->before);
    shown.after = outcome_text(first->after);
    const spec::Record& told = telling->explanation.empty() && first->before ? *first->before : *telling;
    shown.explanation = with_causes(told.explanation, told.causes);
    shown.reproduce = first->either().reproduce;
    page.groups.push_back(std::move(shown));
  }
  return page;
}

void print_outcomes(const reports::DifferenceGroup& group) {
  fmt::print("  before: {}\n  after: {}\n", group.before, group.after);
  if (!group.explanation.empty()) fmt::print("    {}\n", spec::one_line(first_line(group.explanation)));
  if (!group.reproduce.empty()) fmt::print("  reproduce: {}\n", spec::one_line(group.reproduce));
}

/// A line for each group; of the worst one also what happened in its first call.
void print(const reports::DifferencePage& page) {
  const std::string_view worse = name(Change::Direction::worse);
  for (const reports::DifferenceGroup& group : page.groups) {
    fmt::print("{} {}; {}{}\n", group.direction, spec::one_line(group.title),
               spec::one_line(group.ids.front()),
               group.calls > 1 ? fmt::format(" and {} more", group.calls - 1) : "");
    if (&group == page.groups.data() && group.direction == worse) print_outcomes(group);
  }
  if (page.groups.size() > 1 && page.groups[1].direction == worse)
    fmt::print("\nwhat happened in the other groups: --markdown FILE, --html FILE; in each call: -v\n");
}

/// With -v: each change, with what happened.
spec::Errors print_each(const Found& found) {
  for (const std::vector<const Change*>& group : alike(found.difference.changes))
    for (const Change* change : group) {
      const auto records = records_of(*change, found.before, found.after);
      if (!records) return records.errors();
      const spec::Record& either = records->either();
      fmt::print("\n{} {} on {}: {}\n", name(change->direction), spec::one_line(either.id),
                 spec::one_line(either.engine), words_for(*change));
      for (const auto& [when, record] :
           {std::pair("before", &records->before), std::pair("after", &records->after)}) {
        fmt::print("  {}: {}\n", when, outcome_text(*record));
        if (*record && !(*record)->explanation.empty())
          fmt::print("    {}\n", spec::one_line(first_line((*record)->explanation)));
      }
      if (!either.reproduce.empty()) fmt::print("  reproduce: {}\n", spec::one_line(either.reproduce));
    }
  return {};
}

/// The pages that were asked for.
spec::Errors write_pages(const DiffFlags& flags, const reports::DifferencePage& page) {
  using Write = void (*)(std::ostream&, const reports::DifferencePage&);
  for (const auto& [file, write] :
       {std::pair<const std::string&, Write>(flags.html, reports::write_difference_page),
        std::pair<const std::string&, Write>(flags.markdown, reports::write_difference_markdown)}) {
    if (file.empty()) continue;
    std::ostringstream text;
    write(text, page);
    if (spec::Errors errors = replace_file(file, text.str()); !errors.empty()) return errors;
  }
  return {};
}

int compare_runs(const DiffFlags& flags) {
  if (!flags.json.empty())
    return usage_error({{.what = "--json writes the difference of two benchmarks, and these are runs"}});
  auto before = run_named(flags.before);
  auto after = run_named(flags.after);
  spec::Errors errors;
  for (const auto* side : {&before, &after})
    if (!*side) errors.insert(errors.end(), side->errors().begin(), side->errors().end());
  if (!errors.empty()) return usage_error(errors);
  auto different = difference(before.value(), after.value());
  if (!different) return usage_error(different.errors());
  const Found both{*before, *after, std::move(different).value()};
  const Difference& found = both.difference;
  std::array<std::size_t, 3> counts{};
  std::size_t others = 0;
  for (const Change& change : found.changes)
    ++(change.kind == Change::Kind::other_result ? others
                                                 : counts[static_cast<std::size_t>(change.direction)]);
  using enum Change::Direction;
  const auto count = [&](Change::Direction direction) { return counts[static_cast<std::size_t>(direction)]; };
  auto made = difference_page(both, flags.verbosity > 0);
  if (!made) return usage_error(made.errors());
  reports::DifferencePage page = std::move(made).value();
  page.before = flags.before, page.after = flags.after;
  page.note = note_on_calls(*before, *after);
  page.summary = fmt::format("{} worse, {} other, {} better, {} the same", count(worse), count(other),
                             count(better), found.same + others);
  if (errors = write_pages(flags, page); !errors.empty()) return usage_error(errors);
  if (!page.note.empty()) fmt::print("note: {}\n\n", page.note);
  if (flags.verbosity == 0)
    print(page);
  else if (errors = print_each(both); !errors.empty())
    return usage_error(errors);
  if (others > 0)
    fmt::print("\n{} calls have other results, and the document allows both{}\n", others,
               flags.verbosity == 0 ? " (-v shows them)" : "");
  if (found.only_before + found.only_after > 0)
    fmt::print("\nnot compared: {} calls only in {}, {} only in {}\n", found.only_before, flags.before,
               found.only_after, flags.after);
  fmt::print("\nSummary: {}\n", page.summary);
  if (!found.compared()) return nothing_ran;
  return found.changes.size() == others ? as_expected : unexpected;
}

int compare(const DiffFlags& flags) {
  const bool before = spec::is_timing_stream(flags.before), after = spec::is_timing_stream(flags.after);
  if (flags.timings.empty() && before != after)
    return usage_error({{.file = before ? flags.before : flags.after,
                         .what = "this is a benchmark, and the other is none",
                         .hint = "compare two runs, or two benchmarks"}});
  if (before || !flags.timings.empty()) {
    if (!flags.html.empty() || !flags.markdown.empty())
      return usage_error({{.what = "--html and --markdown are about two runs, and these are benchmarks"}});
    bench::SpeedLimits limits;
    limits.ratio = flags.ratio.value_or(limits.ratio);
    return diff_timings({.before = flags.before,
                         .after = flags.after,
                         .timings = flags.timings,
                         .json = flags.json,
                         .limits = limits,
                         .verbosity = flags.verbosity});
  }
  if (!flags.json.empty() || flags.ratio)
    return usage_error({{.what = "--json and --ratio are about two benchmarks, and these are runs"}});
  return compare_runs(flags);
}

}  // namespace

void add_diff(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "diff",
       .purpose = "Show what changed between two runs, or which benchmarks got faster or slower",
       .examples = {{"scatterproof diff torch-2.12.jsonl torch-2.13.jsonl", "the streams of two runs"},
                    {"scatterproof diff torch@2.12.0 torch@2.13.0", "the newest kept runs on these versions"},
                    {"scatterproof diff before/timings.jsonl after/timings.jsonl",
                     "two benchmarks: what became faster or slower, beyond noise"}},
       .group = "Inspect"});
  auto flags = std::make_shared<DiffFlags>();
  verb->add_option("before", flags->before,
                   "The earlier run: a stream, a benchmark's timings.jsonl, or ENGINE@VERSION")
      ->type_name("RUN")
      ->required();
  verb->add_option("after", flags->after, "The later run")->type_name("RUN")->required();
  verb->add_flag("-v,--verbose", flags->verbosity,
                 "Print every change, also results that the document allows; of benchmarks every row")
      ->group(group::report);
  verb->add_option("--timings", flags->timings, "Compare the times of two engines in this timings.jsonl")
      ->type_name("FILE")
      ->check(existing_path())
      ->group(group::select);
  add_ratio(*verb, "--ratio", flags->ratio,
            "Of two benchmarks: by which factor medians must differ, at least, to count as a change")
      ->default_str(fmt::format("{}", bench::SpeedLimits{}.ratio))
      ->group(group::judge);
  verb->add_option("--json", flags->json, "Write the difference of two benchmarks, for programs")
      ->type_name("FILE")
      ->group(group::report);
  verb->add_option("--html", flags->html, "Write the changes of two runs as a self-contained HTML page")
      ->type_name("FILE")
      ->group(group::report);
  verb->add_option("--markdown", flags->markdown, "Write the changes of two runs in Markdown, for a comment")
      ->type_name("FILE")
      ->group(group::report);
  verb->callback([flags, &context] { context.exit_code = compare(*flags); });
}

}  // namespace scatterproof::runner::cli
