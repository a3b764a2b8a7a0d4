// SPDX-License-Identifier: Apache-2.0
// `report`: renders a stored stream again.
#include <iostream>
#include <memory>

#include "cli.hpp"
#include "options.hpp"
#include "sinks.hpp"

namespace scatterproof::runner::cli {

void add_report(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(app, context,
                            {.name = "report",
                             .purpose = "Render the stream of an earlier run again",
                             .examples = {{"scatterproof report run.jsonl", "as it was printed"},
                                          {"scatterproof report run.jsonl --report junit=results.xml",
                                           "as another kind of report"}},
                             .group = "Inspect"});
  auto stream = std::make_shared<std::string>();
  auto wanted = std::make_shared<std::vector<std::string>>();
  auto verbosity = std::make_shared<int>(0);
  verb->add_option("stream", *stream, "The stream: what --report jsonl=PATH wrote")
      ->type_name("STREAM")
      ->required()
      ->check(existing_path());
  add_reports(*verb, *wanted, *verbosity);
  verb->callback([=, &context] {
    const auto run = spec::read_stream(*stream);
    if (!run) {
      context.exit_code = usage_error(run.errors());
      return;
    }
    auto style = terminal_style(context);
    style.verbosity = *verbosity;
    auto sinks = Sinks::open(*wanted, wanted->empty(), style);
    if (!sinks) {
      context.exit_code = usage_error(sinks.errors());
      return;
    }
    reports::replay(*run, **sinks);
    if (const std::string failed = (*sinks)->failed(); !failed.empty())
      context.exit_code = usage_error({{.what = failed}});
    else if (!run->trailer)
      context.exit_code = interrupted;
    else
      context.exit_code = run->trailer->exit_code;
  });
}

}  // namespace scatterproof::runner::cli
