// SPDX-License-Identifier: Apache-2.0
#include "spec_status.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <ranges>
#include <set>
#include <span>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/trial/ask.hpp"

namespace scatterproof::runner::cli {
namespace {

/// By API: the engines that offer it, and the forms that were tried.
struct Executors {
  using ByApi = std::map<std::string, std::vector<std::string>>;
  ByApi releases;
  ByApi forms;
};

constexpr std::size_t most_tried = 4;  // cases of an API on a form
constexpr std::chrono::milliseconds form_timeout{60'000};

/// A few cases of an API that engine takes as far as it has declared, its documents' examples first.
std::vector<const spec::Call*> some_calls(const std::string& api, const std::vector<spec::Case>& cases,
                                          const engines::Engine& engine) {
  std::vector<const spec::Call*> examples, others;
  for (const spec::Case& one : cases)
    if (one.call.api == api && one.unsupported.empty() && !one.breaks && engine.supports(one.call).yes)
      (one.id.find("/doc/") != one.id.npos ? examples : others).push_back(&one.call);
  examples.insert(examples.end(), others.begin(), others.end());
  examples.resize(std::min(examples.size(), most_tried));
  return examples;
}

/// `torch:compile`, `torch:compile refuses` or `torch:compile fails`: it gives a result for some call, or
/// reports for all of them that it does not compile them, or neither.
std::string tried(const std::string& form, const std::string& api, const std::vector<spec::Case>& cases,
                  engines::Engine& engine) {
  bool refuses = true;
  for (const spec::Call* call : some_calls(api, cases, engine)) {
    const spec::Outcome outcome = ask(engine, std::span(&call, 1), form_timeout).front();
    if (std::holds_alternative<spec::Produced>(outcome.what)) return form;
    refuses &= std::holds_alternative<spec::Unsupported>(outcome.what);
  }
  return form + (refuses ? " refuses" : " fails");
}

/// Starts every installed release of the frameworks, and the forms of the newest.
Executors find_executors(const std::vector<const spec::OpSpec*>& chosen, const spec::SpecLibrary& library,
                         const std::vector<spec::Case>& cases, const engines::Places& places) {
  Executors found;
  std::set<std::string> seen;
  for (const engines::EngineListing& listing : installed_releases(places)) {
    const bool newest = seen.insert(spec::without_release(listing.name)).second;
    const auto engine = find_engine(listing.name, library, places);
    if (!engine || !(*engine)->start().empty()) continue;
    const std::vector<std::string> apis = (*engine)->info().apis;
    for (const std::string& api : apis) found.releases[api].push_back(listing.name);
    const auto offers = [&](const spec::OpSpec* op) {
      return std::ranges::find(apis, op->api) != apis.end();
    };
    if (!newest || std::ranges::none_of(chosen, offers)) continue;
    for (const auto& form : listing.forms) {
      const auto formed = find_engine(form.name, library, places);
      if (!formed || !(*formed)->start().empty()) continue;
      for (const spec::OpSpec* op : chosen | std::views::filter(offers))
        found.forms[op->api].push_back(tried(form.name, op->api, cases, **formed));
    }
  }
  return found;
}

/// Who executes an API's calls.
std::string executed_by(const spec::OpSpec& op, const Executors& executors) {
  std::vector<std::string> names;
  if (!op.kernel.op.empty()) names.push_back("native");
  for (const auto* by_api : {&executors.releases, &executors.forms})
    if (const auto found = by_api->find(op.api); found != by_api->end())
      names.insert(names.end(), found->second.begin(), found->second.end());
  return names.empty() ? "the spec alone" : fmt::format("{}", fmt::join(names, ", "));
}

using Counts = std::map<std::string, std::size_t>;

/// By API.
Counts count_cases(const std::vector<spec::Case>& cases, const spec::SpecLibrary& library) {
  Counts counts;
  for (const spec::OpSpec& op : library.all()) counts[op.api] = 0;
  for (const spec::Case& one : cases) counts[one.call.api] += one.unsupported.empty();
  return counts;
}

/// How many APIs and cases there are, by framework.
void print_sums(const std::vector<const spec::OpSpec*>& chosen, const Counts& cases) {
  Counts apis, of_framework;
  std::size_t all = 0;
  for (const spec::OpSpec* op : chosen) {
    ++apis[op->framework];
    of_framework[op->framework] += cases.at(op->api);
    all += cases.at(op->api);
  }
  fmt::print("| framework | APIs | cases |\n|---|---|---|\n");
  for (const auto& [framework, count] : apis)
    fmt::print("| {} | {} | {} |\n", framework, count, of_framework[framework]);
  fmt::print("| all | {} | {} |\n\n", chosen.size(), all);
}

}  // namespace

void print_status(const std::vector<const spec::OpSpec*>& chosen, const HeldTexts& held,
                  const spec::SpecLibrary& library, const std::vector<spec::Case>& cases,
                  const engines::Places& places) {
  // The cases of an API that others are variants of are executed as theirs too.
  std::vector<spec::Case> all_cases = cases;
  spec::add_variants(all_cases, library);
  const Counts counts = count_cases(all_cases, library);
  const Executors executors = find_executors(chosen, library, all_cases, places);
  fmt::print(
      "# Status of the documents\n\n"
      "Made by `scatterproof spec documents --status` (docs/understand/documents.md): how much of each API's "
      "document\n"
      "specs and cases speak for, and who executes its calls. A share is of the text's clauses; APIs may "
      "share a\n"
      "text. `native` stands for the engines that need no framework. Calls of the same API out of place, in "
      "place and as a\n"
      "method are APIs of their own here. A release is named where its worker offers the API. A compiled "
      "form is "
      "named\n"
      "where it gave a result for one of {} cases of the API, `refuses` where it compiles none of them, and "
      "`fails` "
      "where\n"
      "all that it compiles fail; forms are those of the newest release.\n\n",
      most_tried);
  print_sums(chosen, counts);
  fmt::print(
      "| API | cases | text | clauses | covered | omitted | uncovered | executed by "
      "|\n|---|---|---|---|---|---|---|---|\n");
  const auto share = [](std::size_t part, std::size_t all) {
    return all == 0 ? std::string("-")
                    : fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / static_cast<double>(all));
  };
  for (const spec::OpSpec* op : chosen) {
    const auto own = std::ranges::find_if(op->documents, [](const auto& one) { return !one.text.empty(); });
    const auto found = own == op->documents.end() ? held.end() : held.find(own->text);
    if (found == held.end() || !found->second.text.missing.empty()) {
      fmt::print("| {} | {} | not available | | | | | {} |\n", op->api, counts.at(op->api),
                 executed_by(*op, executors));
      continue;
    }
    const auto& [text, audit] = found->second;
    const std::size_t all = audit.clauses.size();
    fmt::print("| {} | {} | {} of {} | {} | {} | {} | {} | {} |\n", op->api, counts.at(op->api), own->text,
               text.from, all, share(audit.covered(), all), share(audit.omitted(), all),
               share(audit.uncovered(), all), executed_by(*op, executors));
  }
}

}  // namespace scatterproof::runner::cli
