// SPDX-License-Identifier: Apache-2.0
// `report`: renders a stored stream again.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>

#include "cli.hpp"
#include "sinks.hpp"

namespace scatterproof::runner::cli {

void add_report(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("report", "Renders a run's JSON-lines stream again");
  auto stream = std::make_shared<std::string>();
  auto wanted = std::make_shared<std::vector<std::string>>();
  auto verbosity = std::make_shared<int>(0);
  verb->add_option("stream", *stream, "The stream: what --report jsonl=PATH wrote")->required();
  verb->add_option("--report", *wanted,
                   fmt::format("KIND=PATH, repeatable ({}); the console when left out",
                               fmt::join(reports::kinds(), ", ")));
  verb->add_flag("-v", *verbosity, "Every record, not only failures");
  verb->callback([=, &context] {
    const auto run = spec::read_stream(*stream);
    if (!run) {
      context.exit_code = report_errors(run.errors());
      return;
    }
    auto style = terminal_style();
    style.verbosity = *verbosity;
    auto sinks = Sinks::open(*wanted, wanted->empty(), style);
    if (!sinks) {
      context.exit_code = report_errors(sinks.errors());
      return;
    }
    reports::replay(*run, **sinks);
    if (const std::string failed = (*sinks)->failed(); !failed.empty())
      context.exit_code = report_errors({{"", {}, failed, "", ""}});
    else if (!run->trailer)
      context.exit_code = interrupted;
    else
      context.exit_code = run->trailer->exit_code;
  });
}

}  // namespace scatterproof::runner::cli
