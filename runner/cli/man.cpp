// SPDX-License-Identifier: Apache-2.0
// `man [VERB]`: a manual page in roff, made from the same tree as the help.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "options.hpp"
#include "page.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/select/suggest.hpp"
#include "topics.hpp"

namespace scatterproof::runner::cli {
namespace {

/// Text as roff prints it: hyphens that can be copied, no line taken for a request.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else if (c == '\'')
      escaped += "\\(aq";
    else if (c == '~')
      escaped += "\\(ti";
    else
      escaped += c;
  }
  return escaped.starts_with('.') ? "\\&" + escaped : escaped;
}

std::string entries(const Section& section) {
  std::string text;
  for (const HelpEntry& entry : section.entries)
    text += fmt::format(".TP\n.B {}\n{}\n", roff(entry.name), roff(entry.what));
  return text;
}

std::string body(const HelpPage& page, const char* heading) {
  std::string text;
  for (const Section& section : page.sections)
    text += fmt::format("{} \"{}\"\n{}", heading, upper(section.title), entries(section));
  return text;
}

std::string examples(const HelpPage& page) {
  std::string text = ".SH EXAMPLES\n";
  for (const Example& example : page.examples)
    text += fmt::format(".TP\n.B {}\n{}\n", roff(example.command), roff(example.what));
  return text;
}

/// A verb's page, with those of the verbs below it; the program's own also has the topics.
std::string manual(const CLI::App& verb) {
  const HelpPage page = page_of(verb);
  const bool whole = verb.get_parent() == nullptr;
  std::string title = page.command;
  std::ranges::replace(title, ' ', '-');
  std::string text = fmt::format(
      ".TH \"{}\" 1 \"\" \"scatterproof {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n",
      upper(roff(title)), tool_version(), roff(title), roff(page.purpose), roff(page.usage));
  text += body(page, ".SH") + examples(page);
  if (!whole)
    for (const CLI::App* below : verbs_of(verb)) {
      const HelpPage inner = page_of(*below);
      text += fmt::format(".SH \"{}\"\n{}.\n.PP\n.B {}\n", upper(below->get_name()), roff(inner.purpose),
                          roff(inner.usage));
      text += body(inner, ".SS");
    }
  if (whole)
    for (const Topic& topic : topics())
      text += fmt::format(".SH \"{}\"\n{}", upper(topic.section.title), entries(topic.section));
  return text + ".SH \"SEE ALSO\"\n" + (whole ? "scatterproof help" : ".BR scatterproof (1)") + "\n";
}

int print_manual(const CLI::App& app, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs_of(app)) {
    names.push_back(verb->get_name());
    if (verb->get_name() != name) continue;
    fmt::print("{}", manual(*verb));
    return as_expected;
  }
  if (!name.empty())
    return usage_error({{.what = fmt::format("unknown verb '{}'", name),
                         .hint = did_you_mean(name, names, "`scatterproof --help` lists the verbs")}});
  fmt::print("{}", manual(app));
  return as_expected;
}

}  // namespace

void add_man(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "man",
       .purpose = "Print a manual page",
       .examples = {{"scatterproof man | man -l -", "read the manual of the program"},
                    {"scatterproof man run > scatterproof-run.1", "write the manual of one verb to a file"}},
       .group = "Help"});
  auto name = std::make_shared<std::string>();
  verb->add_option("verb", *name, "The verb to print the manual of")
      ->type_name("VERB")
      ->default_str("the program");
  verb->callback([&app, name, &context] { context.exit_code = print_manual(app, *name); });
}

}  // namespace scatterproof::runner::cli
