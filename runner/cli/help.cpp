// SPDX-License-Identifier: Apache-2.0
// `help [VERB|TOPIC]`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "options.hpp"
#include "page.hpp"
#include "scatterproof/runner/select/suggest.hpp"
#include "topics.hpp"

namespace scatterproof::runner::cli {
namespace {

int print_help(const CLI::App& app, const std::vector<std::string>& words, const Context& context) {
  const int width = terminal_style(context).width;
  const CLI::App* verb = &app;
  for (const std::string& word : words) {
    std::vector<std::string> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* below : verbs_of(*verb)) {
      names.push_back(below->get_name());
      if (below->get_name() == word) next = below;
    }
    if (verb == &app)
      for (const Topic& topic : topics()) {
        names.push_back(topic.name);
        if (topic.name != word) continue;
        fmt::print("{}", help_text({.command = "", .purpose = topic.purpose, .sections = {topic.section}},
                                   width, context.places));
        return as_expected;
      }
    if (!next)
      return usage_error(
          {{.what = fmt::format("no help on '{}'", word),
            .hint = did_you_mean(word, names, fmt::format("there is help on {}", fmt::join(names, ", ")))}});
    verb = next;
  }
  fmt::print("{}", help_text(page_of(*verb), width, context.places));
  return as_expected;
}

}  // namespace

void add_help(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "help",
       .purpose = "Print the help of a verb or a topic",
       .examples = {{"scatterproof help run", "the same as scatterproof run --help"},
                    {"scatterproof help exit-codes", "what each exit code says; environment is a topic too"}},
       .group = "Help"});
  auto words = std::make_shared<std::vector<std::string>>();
  verb->add_option("topic", *words, "A verb, exit-codes or environment")
      ->type_name("TOPIC")
      ->default_str("all verbs");
  verb->callback([&app, words, &context] { context.exit_code = print_help(app, *words, context); });
}

}  // namespace scatterproof::runner::cli
