// SPDX-License-Identifier: Apache-2.0
// `list`: one id a line.
#include <memory>

#include "cli.hpp"
#include "options.hpp"

namespace scatterproof::runner::cli {

void add_list(CLI::App& app, Context& context) {
  CLI::App* verb =
      add_verb(app, context,
               {.name = "list",
                .purpose = "Print the ids of the selected cases, one a line",
                .examples = {{"scatterproof list 'torch.gather/*'", "the cases of one API"},
                             {"scatterproof list -k 'rule and breaks'", "the cases that break a rule"}},
                .group = "Inspect"});
  auto selection = std::make_shared<Selection>();
  add_selection(*verb, *selection);
  verb->callback([selection, &context] {
    const auto catalogue = load_catalogue(*selection, context.places);
    if (!catalogue) {
      context.exit_code = usage_error(catalogue.errors());
      return;
    }
    for (const spec::Case& one : catalogue->cases) std::printf("%s\n", one.id.c_str());
    for (const FormulaCase& formula : catalogue->formulas) std::printf("%s\n", formula.id.c_str());
    if (catalogue->cases.empty() && catalogue->formulas.empty()) context.exit_code = nothing_ran;
  });
}

}  // namespace scatterproof::runner::cli
