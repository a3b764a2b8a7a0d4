// SPDX-License-Identifier: Apache-2.0
// `baseline write|check|prune|explain`: files of expected failures, kept up with runs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "options.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/baseline/baseline_groups.hpp"
#include "scatterproof/runner/baseline/baseline_text.hpp"
#include "scatterproof/runner/catalogue/api_names.hpp"
#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/files/replace_file.hpp"
#include "scatterproof/runner/run/execute.hpp"
#include "scatterproof/runner/run/proofs.hpp"
#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "streams.hpp"

namespace scatterproof::runner::cli {
namespace {

struct BaselineFlags {
  const engines::Places& places;
  std::string file = {};
  std::vector<std::string> from = {};
};

std::string today() { return utc_now().substr(0, 10); }

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

/// `baseline.yaml:12: torch.gather/rule/* on torch: mismatch`
std::string line_of(const BaselineEntry& entry) {
  std::vector<std::string_view> verdicts;
  for (const spec::Verdict verdict : entry.verdicts) verdicts.push_back(name(verdict));
  return spec::one_line(fmt::format("{}:{}: {} on {}: {}{}{}", entry.file, entry.line, cases_of(entry),
                                    entry.engine_glob, fmt::join(verdicts, ", "),
                                    entry.diagnosis_globs.empty() ? "" : ", ",
                                    fmt::join(entry.diagnosis_globs, ", ")));
}

// write

/// A failure of an engine that its run did not expect, as far as it says anything about the engine.
bool is_new(const spec::Record& record) {
  return fails(record.disposition) && is_failure(record.verdict) && record.verdict != spec::Verdict::infra;
}

/// What `write` does not write entries for, in a sentence each.
void say_left_out(const std::vector<spec::Record>& records, const Baseline& there) {
  const auto count = [&](const auto& holds) {
    return static_cast<std::size_t>(std::ranges::count_if(records, holds));
  };
  const std::size_t infra = count([](const auto& one) { return one.verdict == spec::Verdict::infra; });
  const std::size_t flaky =
      count([](const auto& one) { return one.disposition == spec::Disposition::flaky; });
  if (infra > 0)
    say(fmt::format("left out: {}, which says nothing about an engine",
                    counted(infra, "infra verdict", "infra verdicts")));
  if (flaky > 0) say(fmt::format("left out: {}", counted(flaky, "flaky call", "flaky calls")));
  for (const BaselineEntry& entry : there.entries())
    if (is_expired(entry, today()) &&
        std::ranges::any_of(records, [&](const auto& one) { return is_new(one) && describes(entry, one); }))
      say(fmt::format("left out: {}: expired on {}; give it another day, or repair what it describes",
                      line_of(entry), entry.expires));
}

/// Of each entry with `call`: which calls that one matches.
void say_told_apart(const std::vector<BaselineEntry>& entries, const std::vector<spec::Record>& records) {
  for (const BaselineEntry& entry : entries) {
    if (entry.call_glob.empty()) continue;
    std::uint64_t failed = 0;
    std::map<std::string, const spec::Record*> ids;
    for (const spec::Record& record : records)
      if (is_new(record) && describes(entry, record)) failed += record.count, ids[record.id] = &record;
    std::uint64_t passed = 0, alike = 0;
    for (const auto& [id, record] : ids) {
      passed += record->passed;
      for (const spec::CallGlob& one : record->call_globs)
        if (one.glob == entry.call_glob) alike += one.passed;
    }
    fmt::print(
        "note: the entry of {} excuses calls that match \"{}\": {} that failed, and {} of {} that passed\n",
        cases_of(entry), entry.call_glob, failed == 1 ? "the one" : fmt::format("all {}", failed), alike,
        passed);
  }
}

int write_entries(const BaselineFlags& flags) {
  const auto runs = read_streams(flags.from);
  if (!runs) return usage_error(runs.errors());
  const bool exists = std::filesystem::exists(flags.file);
  Baseline there(today());
  if (exists)
    if (const spec::Errors errors = there.add(flags.file); !errors.empty()) return usage_error(errors);
  const std::vector<spec::Record> records = records_of(*runs);
  const auto wanted = [&](const spec::Record& record) {
    return is_new(record) && std::ranges::none_of(there.entries(), [&](const BaselineEntry& entry) {
             return describes(entry, record);
           });
  };
  const bool any_whole =
      std::ranges::any_of(*runs, [](const spec::Run& run) { return run.trailer && run.trailer->whole; });
  const std::vector<BaselineEntry> entries =
      entries_for(records, wanted, today(), any_whole ? Ran::everything : Ran::a_selection);
  say_left_out(records, there);
  if (entries.empty()) {
    fmt::print("nothing to add: no entry is missing for an unexpected failure\n");
    return as_expected;
  }
  const auto text = with_entries(flags.file, exists ? text_of_file(flags.file) : "", entries);
  if (!text) return usage_error(text.errors());
  if (const spec::Errors errors = replace_file(flags.file, *text); !errors.empty())
    return usage_error(errors);
  const auto failures = static_cast<std::size_t>(std::ranges::count_if(records, wanted));
  fmt::print("{}: {} added for {}\n", flags.file, counted(entries.size(), "entry", "entries"),
             counted(failures, "failure", "failures"));
  say_told_apart(entries, records);
  const auto wide = static_cast<std::size_t>(std::ranges::count_if(entries, [](const BaselineEntry& one) {
    return one.call_glob.empty() && std::ranges::any_of(one.diagnosis_globs, [](const std::string& glob) {
             return glob.starts_with("cell/");
           });
  }));
  if (wide > 0)
    fmt::print(
        "note: {} wrong values in these cases whatever their cause: no known mistake explains all failures, "
        "and "
        "nothing simple tells their calls from those that passed\n"
        "  hint: more generated calls may tell; once you know which calls fail, a `call:` such as \"*=f64*\" "
        "keeps an entry from excusing a second mistake\n",
        wide == 1 ? "1 entry excuses" : fmt::format("{} entries excuse", wide));
  fmt::print("fill in each reason: \"{}\"; `scatterproof baseline check {}` names those that are left\n",
             unfilled_reason, flags.file);
  return as_expected;
}

// check

bool covers_optional(const std::string& wide, const std::string& narrow) {
  return wide.empty() || (!narrow.empty() && covers_glob(wide, narrow));
}

/// Whether every failure that the second entry describes is described by the first.
bool covers(const BaselineEntry& wide, const BaselineEntry& narrow) {
  const auto has_verdict = [&](spec::Verdict verdict) {
    return std::ranges::find(wide.verdicts, verdict) != wide.verdicts.end();
  };
  const auto has_diagnosis = [&](const std::string& glob) {
    return std::ranges::any_of(wide.diagnosis_globs,
                               [&](const std::string& one) { return covers_glob(one, glob); });
  };
  const auto has_case = [&](const CaseGlob& other) {
    return std::ranges::any_of(wide.cases,
                               [&](const CaseGlob& one) { return covers_glob(one.glob, other.glob); });
  };
  return std::ranges::all_of(narrow.cases, has_case) && covers_glob(wide.engine_glob, narrow.engine_glob) &&
         covers_optional(wide.operation_glob, narrow.operation_glob) &&
         (wide.versions.empty() || wide.versions == narrow.versions) &&
         std::ranges::all_of(narrow.verdicts, has_verdict) &&
         (wide.diagnosis_globs.empty() ||
          (!narrow.diagnosis_globs.empty() && std::ranges::all_of(narrow.diagnosis_globs, has_diagnosis))) &&
         covers_optional(wide.message_glob, narrow.message_glob) &&
         covers_optional(wide.call_glob, narrow.call_glob);
}

/// Whether a run on this machine can have an engine that the entry is about. Those named by a path or command
/// are the user's own, and anywhere; `case` and `formula` always take part.
bool has_engine(const BaselineEntry& entry, const std::vector<engines::EngineListing>& listings) {
  if (spec::is_named_by_path(entry.engine_glob) || entry.engine_glob.starts_with("faulty:")) return true;
  for (const char* name : {case_engine_name, proof_engine_name})
    if (matches_glob(entry.engine_glob, name)) return true;
  return std::ranges::any_of(listings, [&](const engines::EngineListing& listing) {
    const std::size_t at = listing.name.find('@');
    const std::string version = at == std::string::npos ? tool_version() : listing.name.substr(at + 1);
    return listing.installed && (speaks_of(entry, listing.name, version) ||
                                 std::ranges::any_of(listing.forms, [&](const auto& form) {
                                   return speaks_of(entry, form.name, version);
                                 }));
  });
}

/// No run here shows that such an entry is stale: it may have a wrong name, or be about another machine.
void say_without_engine(const std::vector<BaselineEntry>& entries, const engines::Places& places) {
  constexpr std::size_t most_named = 5;
  const std::vector<engines::EngineListing> listings = engines::list_engines(places);
  std::vector<std::string> without;
  for (const BaselineEntry& entry : entries)
    if (!has_engine(entry, listings))
      without.push_back(spec::one_line(fmt::format("line {} ({}{}{})", entry.line, entry.engine_glob,
                                                   entry.versions.empty() ? "" : " ", entry.versions)));
  if (without.empty()) return;
  const std::size_t more = without.size() - std::min(without.size(), most_named);
  const bool one = without.size() == 1;
  without.resize(without.size() - more);
  fmt::print("note: {} that no run here has, so it does not show whether {} stale: {}{}\n",
             counted(more + without.size(), "entry is about an engine", "entries are about engines"),
             one ? "it is" : "they are", fmt::join(without, ", "),
             more > 0 ? fmt::format(" and {} more", more) : "");
}

/// An entry whose API is written wrong excuses nothing, and without the API no run shows it. A note: the API
/// may be one of the user's own specs.
void say_without_api(const std::vector<BaselineEntry>& entries, const engines::Places& places) {
  const auto specs = load_specs("", places);
  if (!specs) return;  // a run says why
  for (const BaselineEntry& entry : entries)
    for (const CaseGlob& one : entry.cases) {
      const std::string api = one.glob.substr(0, one.glob.find('/'));
      if (api.find_first_of("*?[") != std::string::npos || specs->find(api)) continue;
      fmt::print("note: no shipped spec is of '{}' (line {}): {}\n", spec::one_line(api), entry.line,
                 hint_at_api(api, *specs));
    }
}

int check_entries(const BaselineFlags& flags) {
  Baseline baseline(today());
  if (const spec::Errors errors = baseline.add(flags.file); !errors.empty()) return usage_error(errors);
  std::size_t findings = 0;
  const auto find = [&](const BaselineEntry& entry, const std::string& what) {
    ++findings;
    fmt::print("{}: {}{}\n", line_of(entry), what,
               entry.owner.empty() ? "" : " (owner: " + spec::one_line(entry.owner) + ")");
  };
  const std::vector<BaselineEntry>& entries = baseline.entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].reason == unfilled_reason) find(entries[i], "the reason is not filled in");
    if (is_expired(entries[i], today())) find(entries[i], "expired on " + entries[i].expires);
    const auto covered_by = std::ranges::find_if(entries, [&](const BaselineEntry& wide) {
      const bool is_first = &wide < &entries[i];  // of two that cover each other, the first stays
      return &wide != &entries[i] && covers(wide, entries[i]) && (is_first || !covers(entries[i], wide));
    });
    if (covered_by != entries.end())
      find(entries[i], fmt::format("covered by the entry in line {}", covered_by->line));
  }
  say_without_engine(entries, flags.places);
  say_without_api(entries, flags.places);
  fmt::print("{}: {}, {}\n", flags.file, counted(entries.size(), "entry", "entries"),
             findings == 0 ? "nothing to do" : counted(findings, "finding", "findings"));
  return findings == 0 ? as_expected : unexpected;
}

// prune and explain

/// The file's entries, having seen all records.
spec::Result<Baseline> reconciled(const std::string& file, const std::vector<spec::Run>& runs) {
  Baseline baseline(today());
  if (const spec::Errors errors = baseline.add(file); !errors.empty()) return errors;
  for (spec::Record record : records_of(runs)) baseline.reconcile(record);
  return baseline;
}

int prune_entries(const BaselineFlags& flags) {
  const auto runs = read_streams(flags.from);
  if (!runs) return usage_error(runs.errors());
  const auto baseline = reconciled(flags.file, *runs);
  if (!baseline) return usage_error(baseline.errors());
  std::set<int> lines;
  for (const spec::Run& run : *runs)
    for (const spec::StaleEntry& stale :
         baseline->stale(run.trailer && run.trailer->whole, run.header.engines))
      if (lines.insert(stale.line).second)
        fmt::print("{}\n", spec::one_line(fmt::format("{}:{}: {}", stale.file, stale.line, stale.text)));
  if (lines.empty()) {
    fmt::print("nothing to remove: no entry is stale\n");
    return as_expected;
  }
  const auto text = without_entries(flags.file, text_of_file(flags.file), lines);
  if (!text) return usage_error(text.errors());
  if (const spec::Errors errors = replace_file(flags.file, *text); !errors.empty())
    return usage_error(errors);
  fmt::print("{}: {} removed\n", flags.file, counted(lines.size(), "entry", "entries"));
  return as_expected;
}

/// Why no record matched.
std::string why_none(const BaselineEntry& entry, const CaseGlob& one) {
  if (!entry.call_glob.empty()) return "it has 'call', and no record says that all of its calls match";
  if (one.contradicted > 0)
    return fmt::format("{} of its cases ran, and did not fail in this way", one.contradicted);
  return "none of its cases ran on such an engine";
}

int explain_entries(const BaselineFlags& flags) {
  const auto runs = read_streams(flags.from);
  if (!runs) return usage_error(runs.errors());
  const auto baseline = reconciled(flags.file, *runs);
  if (!baseline) return usage_error(baseline.errors());
  const std::vector<spec::Record> records = records_of(*runs);
  const auto print = [](const spec::Record& record) {
    fmt::print("  {} on {}: {} {}\n", spec::one_line(record.id), spec::one_line(record.engine),
               name(record.verdict), spec::one_line(to_string(record.diagnosis)));
  };
  for (const BaselineEntry& entry : baseline->entries()) {
    fmt::print("{}{}\n", line_of(entry), is_expired(entry, today()) ? ", expired on " + entry.expires : "");
    for (const CaseGlob& one : entry.cases)
      if (one.matched == 0)
        fmt::print("  no record{}: {}\n", entry.cases.size() > 1 ? " of " + spec::one_line(one.glob) : "",
                   why_none(entry, one));
    for (const spec::Record& record : records)
      if (describes(entry, record)) print(record);
  }
  const auto unmatched = [&](const spec::Record& record) {
    return is_new(record) && std::ranges::none_of(baseline->entries(), [&](const auto& entry) {
             return describes(entry, record);
           });
  };
  if (std::ranges::any_of(records, unmatched)) fmt::print("unexpected failures that match no entry\n");
  for (const spec::Record& record : records)
    if (unmatched(record)) print(record);
  return as_expected;
}

using Work = int (*)(const BaselineFlags&);

void add(CLI::App& parent, Context& context, const VerbText& text, bool from, Work work) {
  CLI::App* verb = add_verb(parent, context, text);
  auto flags = std::make_shared<BaselineFlags>(BaselineFlags{.places = context.places});
  auto* file = verb->add_option("file", flags->file, "The baseline file")->type_name("FILE")->required();
  if (work != write_entries) file->check(existing_path());
  if (from) add_from(*verb, flags->from);
  verb->callback([flags, work, &context] { context.exit_code = work(*flags); });
}

}  // namespace

void add_baseline(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "baseline",
       .purpose = "Write files of expected failures, and keep them up to date",
       .examples = {{"scatterproof baseline write ci.yaml --from run.jsonl", "expect what failed in a run"},
                    {"scatterproof baseline check ci.yaml", "what is left to do in a file"}},
       .group = "Inspect"});
  verb->require_subcommand(1);
  add(*verb, context,
      {.name = "write",
       .purpose = "Add entries for the unexpected failures of a run; the file's own text stays",
       .examples = {{"scatterproof baseline write ci.yaml", "from the newest run that was kept"},
                    {"scatterproof baseline write ci.yaml --from run.jsonl", "from this run"}}},
      true, write_entries);
  add(*verb, context,
      {.name = "check",
       .purpose = "Find entries without a reason, expired ones, and those that others cover",
       .examples = {{"scatterproof baseline check ci.yaml", "exits with 1 when there is a finding"},
                    {"scatterproof baseline check engines/workers/torch/baseline.yaml", "a shipped file"}}},
      false, check_entries);
  add(*verb, context,
      {.name = "prune",
       .purpose = "Remove entries that no longer happen, and those that a whole run did not match",
       .examples = {{"scatterproof baseline prune ci.yaml", "by the newest run that was kept"},
                    {"scatterproof baseline prune ci.yaml --from run.jsonl", "by this run"}}},
      true, prune_entries);
  add(*verb, context,
      {.name = "explain",
       .purpose = "Print which records each entry matches, and which failures match none",
       .examples = {{"scatterproof baseline explain ci.yaml", "of the newest run that was kept"},
                    {"scatterproof baseline explain ci.yaml --from run.jsonl", "of this run"}}},
      true, explain_entries);
}

}  // namespace scatterproof::runner::cli
