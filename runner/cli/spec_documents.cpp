// SPDX-License-Identifier: Apache-2.0
// `spec documents`: checks what specs and cases rest on against the available texts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "options.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "scatterproof/spec/documents/changes.hpp"
#include "spec.hpp"
#include "spec_status.hpp"
#include "texts.hpp"

namespace scatterproof::runner::cli {
namespace {

struct DocumentFlags {
  std::vector<std::string> globs;
  std::string folder;
  std::vector<std::string> engines;
  std::vector<std::string> files;
  std::vector<std::string> from;
  std::vector<std::string> to;
  bool status = false;
};

constexpr std::size_t clause_shown = 160;  // of a clause's text

std::string clause_excerpt(const std::string& text) {
  return spec::without_middle(spec::one_line(text), clause_shown);
}

/// Where a clause stands, as errors name places.
std::string place(const std::string& name, const AvailableText& text) {
  return text.from.find('@') == text.from.npos ? text.from : fmt::format("{}/{}", text.from, name);
}

spec::Errors findings(const std::string& name, const HeldText& held) {
  spec::Errors errors = held.audit.gone;
  for (const spec::ClauseState& state : held.audit.clauses) {
    const spec::Clause& clause = state.clause;
    spec::Error error{.file = place(name, held.text), .at = {clause.line, 1}};
    if (state.uncovered()) {
      error.what =
          fmt::format("nothing speaks for this clause ({}): {}", clause.section, clause_excerpt(clause.text));
      error.hint =
          fmt::format("a part of the spec that does rests on \"{}\"", to_string(spec::anchor(clause)));
      errors.push_back(error);
    } else if (!state.unprinted.empty()) {
      error.what = fmt::format("printed here, and in nothing that rests on clause {}: {}", clause.number,
                               clause_excerpt(state.unprinted));
      error.hint = fmt::format("it has {}", fmt::join(state.covered_by, ", "));
      errors.push_back(error);
    } else if (!state.slighted.empty()) {
      error.what = fmt::format("'{}' says what the call does, or where, and the spec only omits it: {}",
                               state.slighted, clause_excerpt(clause.text));
      error.hint = fmt::format(
          "docs/understand/judging.md, section 11, says what such a sentence is worth; it is omitted by {}",
          fmt::join(state.omitted_by, ", "));
      errors.push_back(error);
    }
  }
  return errors;
}

void print_clauses(const spec::TextAudit& audit) {
  for (const spec::ClauseState& state : audit.clauses) {
    fmt::print("  {:>3} {}\n", state.clause.number, clause_excerpt(state.clause.text));
    const auto& parts = state.covered() ? state.covered_by : state.omitted_by;
    fmt::print("      {}\n", parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, "; ")));
  }
}

void print_text(const std::string& name, const HeldText& held, bool by_clause) {
  if (!held.text.missing.empty()) {
    fmt::print("{:32} not available: {}\n", name, held.text.missing);
    return;
  }
  const spec::TextAudit& audit = held.audit;
  fmt::print("{:32} {:3} clauses of {}: {} covered, {} omitted, {} uncovered{}{}{}{}\n", name,
             audit.clauses.size(), held.text.from, audit.covered(), audit.omitted(), audit.uncovered(),
             audit.gone.empty() ? "" : fmt::format(", {} gone", audit.gone.size()),
             audit.unprinted() == 0 ? "" : fmt::format(", {} unprinted", audit.unprinted()),
             audit.slighted() == 0 ? "" : fmt::format(", {} slighted", audit.slighted()),
             audit.moved == 0 ? "" : fmt::format(", {} moved", audit.moved));
  if (by_clause) print_clauses(audit);
}

/// The texts of these specs, each once: specs may share one.
HeldTexts hold(const std::vector<const spec::OpSpec*>& chosen, const spec::SpecLibrary& library,
               const std::vector<spec::Case>& cases, Texts& texts) {
  HeldTexts held;
  for (const spec::OpSpec* op : chosen)
    for (const spec::DocumentRef& document : op->documents) {
      const std::string& name = document.text_name();
      if (name.empty() || held.contains(name)) continue;
      HeldText& one = held[name];
      one.text = texts.find(document);
      if (!one.text.missing.empty()) continue;
      one.audit = spec::audit(place(name, one.text), one.text.text, spec::parts_on(name, library, cases));
      if (!document.page.empty()) std::erase_if(one.audit.clauses, &spec::ClauseState::uncovered);
    }
  return held;
}

int print_texts(const std::vector<const spec::OpSpec*>& chosen, const HeldTexts& held, bool by_clause) {
  spec::Errors errors;
  std::size_t available = 0;
  for (const auto& [name, one] : held) {
    print_text(name, one, by_clause);
    available += one.text.missing.empty();
    if (one.text.due)
      errors.push_back(
          {.what = fmt::format("the text of '{}' is missing: {}", name, one.text.missing),
           .hint = "its framework is installed: `scatterproof engines check` looks at the worker"});
    std::ranges::move(findings(name, one), std::back_inserter(errors));
  }
  for (const spec::OpSpec* op : chosen)
    for (const spec::DocumentRef& document : op->documents)
      if (document.text_name().empty())
        fmt::print("{:32} not available: {}{}\n", fmt::format("{}: {}", op->api, document.id), document.title,
                   document.url.empty() ? "" : ", " + document.url);
  print_errors(errors);
  if (available == 0)
    say("no text is available: `scatterproof engines install` a framework, or give one with --document");
  return !errors.empty() ? unexpected : available == 0 ? nothing_ran : as_expected;
}

void print_change(const spec::TextChange& change) {
  fmt::print("  {} {:>3} {}\n", change.added ? '+' : '-', change.clause.number,
             clause_excerpt(change.clause.text));
  if (!change.touches.empty()) fmt::print("      {}\n", fmt::join(change.touches, "; "));
}

/// What changed from one release to another, text by text.
int print_changes(const std::vector<const spec::OpSpec*>& chosen, const spec::SpecLibrary& library,
                  const std::vector<spec::Case>& cases, Texts& from, Texts& to) {
  std::map<std::string, const spec::DocumentRef*> documents;
  for (const spec::OpSpec* op : chosen)
    for (const spec::DocumentRef& document : op->documents)
      if (!document.text_name().empty()) documents[document.text_name()] = &document;
  std::size_t compared = 0;
  std::size_t changed = 0;
  for (const auto& [name, document] : documents) {
    const AvailableText before = from.find(*document);
    const AvailableText after = to.find(*document);
    if (!before.missing.empty() || !after.missing.empty()) continue;
    const auto found = spec::changes(before.text, after.text, spec::parts_on(name, library, cases));
    fmt::print("{:32} {:3} changes from {} to {}\n", name, found.size(), before.from, after.from);
    for (const spec::TextChange& change : found) print_change(change);
    ++compared;
    changed += found.size();
  }
  if (compared == 0) say("no text is available on both sides");
  return changed > 0 ? unexpected : compared == 0 ? nothing_ran : as_expected;
}

int hold_documents(const DocumentFlags& flags, const Context& context) {
  const auto library = load_specs(flags.folder, context.places);
  if (!library) return usage_error(library.errors());
  const auto chosen = select_specs(*library, flags.globs);
  if (!chosen) return usage_error(chosen.errors());
  const auto cases = spec::load_case_tree(context.places.data + "/cases", *library);
  if (!cases) return usage_error(cases.errors());
  if (!flags.from.empty()) {
    auto from = Texts::open(flags.from, *library, context.places);
    if (!from) return usage_error(from.errors());
    auto to = Texts::open(flags.to, *library, context.places);
    if (!to) return usage_error(to.errors());
    return print_changes(*chosen, *library, *cases, from.value(), to.value());
  }
  auto texts = Texts::open(flags.files, flags.engines, *library, context.places);
  if (!texts) return usage_error(texts.errors());
  const HeldTexts held = hold(*chosen, *library, *cases, texts.value());
  if (flags.status) {
    print_status(*chosen, held, *library, *cases, context.places);
    return as_expected;
  }
  return print_texts(*chosen, held, !flags.globs.empty());
}

}  // namespace

void add_spec_documents(CLI::App& spec, Context& context) {
  CLI::App* verb = add_verb(
      spec, context,
      {.name = "documents",
       .purpose = "Check specs and cases against the documents' text",
       .examples = {
           {"scatterproof spec documents", "every available text: a line each, and what is missing"},
           {"scatterproof spec documents torch.gather", "each clause of one, and what speaks for it"},
           {"scatterproof spec documents --from torch@2.12.0 --to torch@2.13.0",
            "which clauses changed, and what rests on them"},
           {"scatterproof spec documents --document 000=page.txt", "a text of your own"}}});
  auto flags = std::make_shared<DocumentFlags>();
  verb->add_option("api", flags->globs, "APIs or globs on them")->type_name("API")->default_str("all");
  add_specs(*verb, flags->folder);
  verb->add_option("-e,--engine", flags->engines,
                   "Ask this framework for its texts: torch, torch@2.13.0; repeatable")
      ->type_name("ENGINE")
      ->default_str("the installed release of each framework")
      ->take_all()
      ->allow_extra_args(false)
      ->group(group::select);
  verb->add_option("--document", flags->files, "Take the text of this name from a file; repeatable")
      ->type_name("NAME=FILE")
      ->take_all()
      ->allow_extra_args(false)
      ->group(group::select);
  const auto side = [&](const char* name, std::vector<std::string>& sources, const char* what) {
    return verb->add_option(name, sources, what)
        ->type_name("SOURCE")
        ->take_all()
        ->allow_extra_args(false)
        ->group(group::select);
  };
  CLI::Option* from =
      side("--from", flags->from, "Compare the texts of this engine, or NAME=FILE; repeatable");
  CLI::Option* to = side("--to", flags->to, "... with those of this one; repeatable");
  from->needs(to);
  to->needs(from);
  verb->add_flag("--status", flags->status,
                 "Print shares, and who executes what, as a Markdown table (docs/results/status.md), and "
                 "nothing else")
      ->group(group::report);
  verb->callback([flags, &context] { context.exit_code = hold_documents(*flags, context); });
}

}  // namespace scatterproof::runner::cli
