// SPDX-License-Identifier: Apache-2.0
// `replay`: one case again, with every detail.
#include <memory>

#include "options.hpp"
#include "run.hpp"

namespace scatterproof::runner::cli {

void add_replay(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "replay",
       .purpose = "Re-run one saved or named case, verbosely",
       .examples = {{"scatterproof replay scatterproof-findings/torch.gather/1f2e.yaml -e torch",
                     "a failure that fuzz saved"},
                    {"scatterproof replay torch.gather/doc/example -e reference", "one case by its id"}},
       .group = "Test"});
  auto flags = std::make_shared<RunFlags>();
  verb->add_option("case", flags->selection.what, "The file or the id of the case")
      ->required()
      ->expected(1)
      ->type_name("ID");
  add_specs(*verb, flags->selection.specs);
  add_session(*verb, flags->session);
  verb->remove_option(verb->get_option("--verbose"));  // it always is
  verb->callback([flags, &context] {
    flags->session.verbosity = 1;
    context.exit_code = run_cases(*flags, context);
  });
}

}  // namespace scatterproof::runner::cli
