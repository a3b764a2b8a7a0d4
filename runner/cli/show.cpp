// SPDX-License-Identifier: Apache-2.0
// `show`: a case, and what its document allows for it; or a script that shows what a framework does with it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "options.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/snippet/snippet.hpp"
#include "scatterproof/runner/snippet/translate.hpp"
#include "scatterproof/runner/trial/gradients.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/oracle/prove.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "written_on_site.hpp"

namespace scatterproof::runner::cli {
namespace {

constexpr std::int64_t most_cells = 40;  // more would scroll the reader's answer away

std::string origin_of(const spec::Bag& bag, const spec::Contribution& contribution) {
  const spec::Origin& origin = contribution.origin;
  const std::string value = spec::to_string(contribution.value, bag.dtype);
  if (origin.argument < 0) return value;
  const auto& [name, shape] = bag.origins[static_cast<std::size_t>(origin.argument)];
  if (origin.coords < 0) return fmt::format("{} = {}", name, value);
  return fmt::format("{}[{}] = {}", name, fmt::join(spec::coords_of(origin.coords, shape), ","), value);
}

void print_bag(const spec::Bag& bag) {
  fmt::print("result: {}{}, cells combine by {}\n", name(bag.dtype), spec::to_string(bag.shape),
             name(bag.combine));
  std::int64_t printed = 0;
  for (std::int64_t cell = 0; cell < spec::numel(bag.shape); ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    if (bag.offsets[c] == bag.offsets[c + 1]) continue;
    if (printed++ == most_cells) {
      fmt::print("  ... and more\n");
      break;
    }
    std::vector<std::string> parts;
    if (bag.start && bag.start_counts && bag.combine != spec::Combiner::assign)
      parts.push_back(fmt::format("start {}", spec::to_string((*bag.start)[c], bag.dtype)));
    for (auto i = static_cast<std::size_t>(bag.offsets[c]); i < static_cast<std::size_t>(bag.offsets[c + 1]);
         ++i)
      parts.push_back(origin_of(bag, bag.list[i]));
    fmt::print("  out[{}]: {}\n", fmt::join(spec::coords_of(cell, bag.shape), ","), fmt::join(parts, "; "));
  }
  if (printed == 0)
    fmt::print("  no cell is written\n");
  else if (bag.start)
    fmt::print("  every other cell keeps its start value\n");
}

void print_expectation(const spec::Expectation& expectation) {
  if (!expectation.because.empty()) fmt::print("because: {}\n", expectation.because.text());
  if (const auto* bag = std::get_if<spec::Bag>(&expectation.what)) {
    print_bag(*bag);
  } else if (const auto* refusal = std::get_if<spec::RefusalExpected>(&expectation.what)) {
    fmt::print("must be refused{}: {}\n",
               refusal->classes.empty() ? "" : fmt::format(" with {}", fmt::join(refusal->classes, " or ")),
               refusal->because.text());
  } else {
    const auto& free = std::get<spec::Free>(expectation.what);
    fmt::print("{}: {}\n", free.undefined ? "undefined" : "open", free.because.text());
  }
}

/// A line of YAML: `# cases/torch/torch.gather/doc.yaml:7`.
std::string place_of(const spec::Case& one) {
  return one.file.empty() ? "# from the command line" : fmt::format("# {}:{}", one.file, one.at.line);
}

int show_case(const spec::Case& one, const spec::OpSpec& op) {
  if (!one.unsupported.empty()) {
    fmt::print("{}\n{}\n\nunsupported: {}\n", one.id, place_of(one), one.unsupported);
    return as_expected;
  }
  fmt::print("{}\n{}\n\n", spec::to_yaml(one), place_of(one));
  const auto expectation = spec::expect(op, one.call);
  if (!expectation) return usage_error(expectation.errors());
  print_expectation(*expectation);
  return as_expected;
}

int show_formula(const FormulaCase& one) {
  const spec::ProofResult proof = spec::prove(*one.spec, *one.formula);
  fmt::print("{}\n\n{}\n{} calls executed and compared with the meaning ({}{})\n", one.id, one.formula->reads,
             proof.calls, proof.bounds, proof.exhaustive ? ", every one" : ", a sample");
  if (proof.counterexample) fmt::print("they differ on {}\n", spec::to_string(*proof.counterexample));
  if (!proof.disagreement.empty()) fmt::print("{}\n", proof.disagreement);
  return as_expected;
}

/// The verdict on a case's call, translated or not; with `gradients`, on its derivative.
spec::Result<spec::Judgement> judged(const spec::Case& one, const snippet::OfferedCall& offered,
                                     engines::Engine& engine, const spec::Outcome& outcome, bool gradients) {
  const auto& [op, call] = offered;
  if (gradients) {
    const spec::Call* const asked = &call;
    auto judgement = judge_gradients(*op, engine, {&asked, 1}, engines::CallRequest{}.timeout).front();
    if (judgement) return *std::move(judgement);
    return spec::Error{.what = fmt::format("{} has no gradients to judge on {}", one.id, engine.info().name)};
  }
  const auto trial = op->api != one.call.api ? judge_call(*op, call, engine.info(), outcome)
                                             : judge_case(one, *op, engine.info(), outcome);
  if (!trial) return trial.errors();
  return trial->judgement;
}

/// What the document of a call that was translated says of it, where it gives no result.
std::string said_of_original(const spec::OpSpec& op, const spec::Call& call) {
  const auto expectation = spec::expect(op, call);
  if (!expectation || std::holds_alternative<spec::Bag>(expectation->what)) return "";
  if (const auto* refusal = std::get_if<spec::RefusalExpected>(&expectation->what))
    return "\n  which by its own document fails: " + refusal->because.text();
  const auto& free = std::get<spec::Free>(expectation->what);
  return fmt::format("\n  {} by its own document: {}", free.undefined ? "undefined" : "open",
                     free.because.text());
}

/// What scripts are written in.
struct ScriptTarget {
  const engines::EngineInfo& info;
  engines::Engine* engine;  ///< null: it is not installed, and nothing is executed
  const snippet::PythonSyntax& syntax;
  bool gradients;
};

/// A script of a call that was executed, and what it did is in its first lines; or not, if it cannot be.
spec::Result<std::string> script_of(const spec::Case& one, const snippet::OfferedCall& offered,
                                    const spec::SpecLibrary& specs, const ScriptTarget& target) {
  const auto& [op, call] = offered;
  spec::Outcome outcome;
  spec::Judgement judgement;
  if (target.engine) {
    outcome = target.engine->run_one({&call});
    auto made = judged(one, offered, *target.engine, outcome, target.gradients);
    if (!made) return made.errors();
    judgement = *std::move(made);
  }
  snippet::ObservedOutcome seen{.engine = target.info,
                                .outcome = outcome,
                                .judgement = judgement,
                                .executed = target.engine != nullptr};
  if (op->api != one.call.api)
    seen.stands_for = spec::to_string(one.call) + said_of_original(*specs.find(one.call.api), one.call);
  if (target.gradients) seen.questions = telling_questions(*op, call, target.info, judgement.diagnosis);
  return snippet::make_snippet(*op, call, target.syntax, seen);
}

/// Prints of each case a script that does the same without this program. Of several cases, those that cannot
/// be said are named and left out.
int print_scripts(const Catalogue& catalogue, const ScriptTarget& target, const engines::Places& places) {
  const auto families = load_families(places);
  if (!families) return usage_error(families.errors());
  const bool alone = catalogue.cases.size() == 1;
  bool any = false;
  spec::Errors why_none;
  for (const spec::Case& one : catalogue.cases) {
    if (!one.unsupported.empty()) {
      fmt::print("# {}: unsupported: {}\n", one.id, one.unsupported);
      continue;
    }
    const auto offered = snippet::offered_call(one.call, target.info, catalogue.specs, *families);
    if (!offered) {
      if (!alone) fmt::print("# {}: {}\n", one.id, offered.errors().front().what);
      if (why_none.empty()) {
        why_none = offered.errors();
        const std::string site = written_on_site(*catalogue.specs.find(one.call.api), target.info.framework,
                                                 catalogue.specs, *families, places);
        if (!site.empty()) why_none.front().hint += "; " + site;
      }
      continue;
    }
    const auto text = script_of(one, *offered, catalogue.specs, target);
    if (!text) return usage_error(text.errors());
    fmt::print("{}\n", *text);
    any = true;
  }
  return any || why_none.empty() ? as_expected : usage_error(why_none);
}

/// A framework that is not installed: it has the APIs that it documents.
engines::EngineInfo documented(const std::string& name, const spec::SpecLibrary& specs,
                               const engines::Places& places) {
  engines::EngineInfo info;
  info.name = name;
  info.framework = engines::framework_of(spec::without_form(name), places);
  for (const spec::OpSpec& op : specs.all())
    if (op.framework == info.framework && !op.python.empty()) info.apis.push_back(op.api);
  return info;
}

/// Runs the cases on a framework and prints their scripts; of one that is not installed, only the scripts.
int show_snippets(const Catalogue& catalogue, const std::string& name, bool gradients,
                  const engines::Places& places) {
  const auto syntax = snippet::load_python_syntax(name, places);
  if (!syntax) return usage_error(syntax.errors());
  auto engine = find_engine(name, catalogue.specs, places);
  if (!engine && (gradients || name.find('@') != std::string::npos)) return usage_error(engine.errors());
  if (!engine) {
    say(fmt::format("note: {} is not installed, so the script was not executed", name));
    const engines::EngineInfo info = documented(name, catalogue.specs, places);
    return print_scripts(catalogue, {info, nullptr, *syntax, false}, places);
  }
  if (const std::string reason = (*engine)->start(); !reason.empty()) {
    say(fmt::format("error: {} is unavailable: {}", name, reason));
    return engine_missing;
  }
  return print_scripts(catalogue, {(*engine)->info(), engine->get(), *syntax, gradients}, places);
}

}  // namespace

void add_show(CLI::App& app, Context& context) {
  CLI::App* verb =
      add_verb(app, context,
               {.name = "show",
                .purpose = "Print a case and what its document allows for it",
                .examples = {{"scatterproof show torch.gather/doc/example",
                              "the call, and where each result cell is from"},
                             {"scatterproof show torch.gather/doc/example --snippet torch",
                              "a standalone reproducer: a script that needs only PyTorch"},
                             {"scatterproof show 'torch.gather([[1., 2.]], 1, [[1, 0]])' --snippet jax",
                              "a call of yours, written in another framework"}},
                .group = "Inspect"});
  auto selection = std::make_shared<CaseSelection>();
  verb->add_option("case", selection->what, "Case ids or globs on them, case files, or a call")
      ->type_name("ID")
      ->required();
  add_specs(*verb, selection->specs);
  auto engine = std::make_shared<std::string>();
  auto* snippet = verb->add_option("--snippet", *engine,
                                   "Print a standalone reproducer: a script for this framework; a case of "
                                   "another framework is translated")
                      ->type_name("ENGINE")
                      ->group(group::report);
  auto gradients = std::make_shared<bool>();
  verb->add_flag("--gradients", *gradients, "With --snippet: the script computes gradients")
      ->needs(snippet)
      ->group(group::report);
  verb->callback([selection, engine, gradients, &context] {
    const auto catalogue = load_catalogue(*selection, context.places);
    if (!catalogue) {
      context.exit_code = usage_error(catalogue.errors());
      return;
    }
    if (!engine->empty()) {
      context.exit_code = show_snippets(*catalogue, *engine, *gradients, context.places);
      return;
    }
    for (const spec::Case& one : catalogue->cases)
      if (const int code = show_case(one, *catalogue->specs.find(one.call.api))) context.exit_code = code;
    for (const FormulaCase& one : catalogue->formulas) show_formula(one);
  });
}

}  // namespace scatterproof::runner::cli
