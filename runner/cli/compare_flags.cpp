// SPDX-License-Identifier: Apache-2.0
#include "compare_flags.hpp"

#include <CLI/CLI.hpp>

#include "options.hpp"

namespace scatterproof::runner::cli {

void add_compare_flags(CLI::App& verb, CompareFlags& flags) {
  verb.add_option("what", flags.what, "Families, APIs and frameworks; all families when left out")
      ->type_name("FAMILY|API|FRAMEWORK");
  add_execution(verb, flags.session, "all that are installed");
  add_number(verb, "--seed", flags.session.seed, 1, "Seed of the generated calls")->group(group::generate);
  verb.add_flag("--pairs", flags.pairs,
                "Also ask calls that are in two input classes; takes several times as long")
      ->group(group::generate);
  verb.add_flag("--thorough", flags.thorough,
                "Three times as many calls, and no limit on the time; takes minutes a family")
      ->group(group::generate);
  add_duration(verb, "--time", flags.seconds, 86400,
               "How long a family may take; without --thorough, a minute with the start of the engines")
      ->group(group::generate);
  add_duration(verb, "--shrink-time", flags.shrink_seconds, 600, "How long to make a witness smaller")
      ->group(group::generate);
  auto* gradients =
      verb.add_flag("--gradients", flags.gradients,
                    "Compare gradients instead of results: who shares at ties, who survives collisions, ...")
          ->group(group::select);
  auto* predict =
      verb.add_flag("--predict", flags.predict, "Execute no engine: compare what the documents say")
          ->excludes(verb.get_option("--engine"))
          ->excludes(gradients)
          ->group(group::execute);
  const auto add_side = [&](const char* name, std::string& engine, const char* purpose) {
    return verb.add_option(name, engine, purpose)
        ->type_name("ENGINE")
        ->excludes(verb.get_option("--engine"))
        ->excludes(predict)
        ->group(group::execute);
  };
  auto* from = add_side("--from", flags.from, "Show only differences between this engine and --to");
  auto* to = add_side("--to", flags.to, "The other engine: another release or form of the framework");
  from->needs(to);
  to->needs(from);
  verb.add_option("--check", flags.check,
                  "Show how every API of the family handles this call: as text, a case or a file")
      ->type_name("CALL")
      ->group(group::select);
  verb.add_option("--accepted", flags.accepted,
                  "Exit with 1 if there is a difference that this comparison does not have")
      ->type_name("FILE")
      ->check(existing_path())
      ->group(group::judge);
  verb.add_option("--json", flags.json, "Write all observations as JSON, for programs")
      ->type_name("FILE")
      ->group(group::report);
  verb.add_option("--save", flags.save,
                  "Save every call behind a letter or a difference in this folder, for run")
      ->type_name("FOLDER")
      ->group(group::report);
  verb.add_option("--markdown", flags.markdown, "Write a page")->type_name("FILE")->group(group::report);
  verb.add_option("--html", flags.html, "Write a self-contained HTML page")
      ->type_name("FILE")
      ->group(group::report);
  from->excludes(gradients);
  for (const char* other : {"--time", "--shrink-time"}) gradients->excludes(verb.get_option(other));
  CLI::Option* check = verb.get_option("--check");  // it prints how one call fares, and writes no files
  for (const char* other : {"--from", "--to", "--accepted", "--json", "--save", "--markdown", "--html",
                            "--pairs", "--seed", "--thorough", "--time", "--shrink-time", "--gradients"})
    check->excludes(verb.get_option(other));
}

}  // namespace scatterproof::runner::cli
