// SPDX-License-Identifier: Apache-2.0
// `list`: one id a line.
#include <fmt/format.h>

#include <memory>

#include "options.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/run/execute.hpp"

namespace scatterproof::runner::cli {
namespace {

/// Leaves the cases that an engine offers, for the caller of `list` as for `run`; as_expected, or why not.
int keep_offered(Catalogue& catalogue, const std::string& name, const engines::Places& places) {
  auto engine = find_engine(name, catalogue.specs, places);
  if (!engine) return usage_error(engine.errors());
  note_interpreter(name, places);
  if (const std::string reason = (*engine)->start(); !reason.empty()) {
    print_errors({{.what = fmt::format("{} is unavailable: {}", name, reason)}});
    return engine_missing;
  }
  std::vector<spec::Case> offered;
  for (const spec::Case* one : cases_for(catalogue, **engine))
    if (one->unsupported.empty() && (*engine)->supports(one->call).yes) offered.push_back(*one);
  catalogue.cases = std::move(offered);
  catalogue.formulas.clear();
  return as_expected;
}

int list_cases(const CaseSelection& selection, const std::string& engine, const engines::Places& places) {
  auto loaded = load_catalogue(selection, places);
  if (!loaded) return usage_error(loaded.errors());
  Catalogue catalogue = std::move(loaded).value();
  if (!engine.empty())
    if (const int code = keep_offered(catalogue, engine, places); code != as_expected) return code;
  for (const spec::Case& one : catalogue.cases) std::printf("%s\n", one.id.c_str());
  for (const FormulaCase& formula : catalogue.formulas) std::printf("%s\n", formula.id.c_str());
  if (!catalogue.cases.empty() || !catalogue.formulas.empty()) return as_expected;
  if (!engine.empty()) print_errors({{.what = fmt::format("{} offers none of the selected cases", engine)}});
  return nothing_ran;
}

}  // namespace

void add_list(CLI::App& app, Context& context) {
  CLI::App* verb =
      add_verb(app, context,
               {.name = "list",
                .purpose = "Print the ids of the selected cases, one per line",
                .examples = {{"scatterproof list 'torch.gather/*'", "the cases of one API"},
                             {"scatterproof list --engine so:./libmine.so", "the cases that a kernel offers"},
                             {"scatterproof list -k 'rule and breaks'", "the cases that break a rule"}},
                .group = "Inspect"});
  auto selection = std::make_shared<CaseSelection>();
  auto engine = std::make_shared<std::string>();
  add_selection(*verb, *selection);
  verb->add_option("-e,--engine", *engine, "Only cases that this engine offers")
      ->type_name("ENGINE")
      ->group(group::select);
  verb->callback(
      [selection, engine, &context] { context.exit_code = list_cases(*selection, *engine, context.places); });
}

}  // namespace scatterproof::runner::cli
