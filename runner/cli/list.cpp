// SPDX-License-Identifier: Apache-2.0
// `list`: one id a line.
#include <memory>

#include "cli.hpp"

namespace scatterproof::runner::cli {

void add_list(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("list", "Ids of the selected cases, one a line");
  auto selection = std::make_shared<Selection>();
  add_selection(*verb, *selection);
  verb->callback([selection, &context] {
    const auto catalogue = load_catalogue(*selection, context.places);
    if (!catalogue) {
      context.exit_code = report_errors(catalogue.errors());
      return;
    }
    for (const spec::Case& one : catalogue->cases) std::printf("%s\n", one.id.c_str());
    for (const FormulaCase& formula : catalogue->formulas) std::printf("%s\n", formula.id.c_str());
    if (catalogue->cases.empty() && catalogue->formulas.empty()) context.exit_code = nothing_ran;
  });
}

}  // namespace scatterproof::runner::cli
