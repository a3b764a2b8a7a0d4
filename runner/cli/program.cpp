// SPDX-License-Identifier: Apache-2.0
// The tree of verbs, and CLI11's errors in our words.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "candidates.hpp"
#include "options.hpp"
#include "page.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/python/answer.hpp"
#include "scatterproof/runner/select/suggest.hpp"
#include "scatterproof/spec/core/shell_word.hpp"
#include "settings.hpp"
#include "verbs.inc"

namespace scatterproof::runner::cli {

#define SCATTERPROOF_DECLARE(verb) void add_##verb(CLI::App& app, Context& context);
SCATTERPROOF_VERBS(SCATTERPROOF_DECLARE)

namespace {

void build_tree(CLI::App& app, Context& context) {
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "Print this help")->group(group::general);
  app.option_defaults()->group(group::general);
  app.set_version_flag("-V,--version", version_text(context.revision),
                       "Print the version, the git revision and the versions of libraries");
  app.footer(
      "scatterproof run -e reference\tevery shipped case on the reference engine\n"
      "scatterproof fuzz --api torch.gather -e torch --time 60s\tgenerated calls of one API on PyTorch\n");
  add_color(app, context);
  add_settings_flags(app, context);
#define SCATTERPROOF_ADD(verb) add_##verb(app, context);
  SCATTERPROOF_VERBS(SCATTERPROOF_ADD)
}

/// The verb that the words parsed so far lead to.
CLI::App& deepest(CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : deepest(*parsed.back());
}

std::string help_command(const CLI::App& verb) {
  return fmt::format("`{} --help` tells more", page_of(verb).command);
}

/// A word that no verb, option or argument takes.
spec::Error unknown_word(const CLI::App& verb, const std::string& word) {
  const std::vector<const CLI::App*> below = verbs_of(verb);
  std::vector<std::string> names;
  if (word.starts_with('-')) {
    for (const CLI::Option* option : verb.get_options())
      for (const std::string& name : names_of(*option)) names.push_back(name);
    const std::string name = word.substr(0, word.find('='));
    return {.what = fmt::format("unknown option '{}'", name),
            .hint = did_you_mean(name, names, help_command(verb))};
  }
  if (below.empty())
    return {.what = fmt::format("unexpected argument '{}'", word), .hint = help_command(verb)};
  for (const CLI::App* one : below) names.push_back(one->get_name());
  return {.what = fmt::format("unknown command '{}'", word),
          .hint = did_you_mean(word, names, fmt::format("use one of {}", fmt::join(names, ", ")))};
}

/// CLI11 says `NAME: message`, `NAME is required`, `NAME excludes NAME`.
spec::Error explain(const CLI::App& verb, const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string option = text.substr(0, text.find(": "));
  const std::string first_word = text.substr(0, text.find(' '));
  const std::string more = help_command(verb);
  if (dynamic_cast<const CLI::ValidationError*>(&error) && text.find('\t') != std::string::npos)
    return invalid_value(option, text.substr(option.size() + 2));
  if (dynamic_cast<const CLI::ExcludesError*>(&error))
    return {.what = fmt::format("{} cannot be used together with {}", first_word,
                                text.substr(text.rfind(' ') + 1)),
            .hint = more};
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    std::vector<std::string> names;
    for (const CLI::App* below : verbs_of(verb)) names.push_back(below->get_name());
    if (!names.empty())
      return {.what = "a command is missing",
              .hint = fmt::format("use one of {}; {}", fmt::join(names, ", "), more)};
    return {.what = fmt::format("{} is missing", first_word), .hint = "usage: " + page_of(verb).usage};
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
    return {.what = text.find("missing") != std::string::npos ? fmt::format("{} needs a value", option)
                                                              : fmt::format("{} is given too often", option),
            .hint = more};
  return {.what = text, .hint = more};
}

/// What a command line that does not parse is told.
spec::Error parse_error(CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& verb = deepest(app);
  for (const CLI::App* at = &verb; at != nullptr; at = at->get_parent())
    for (const std::string& word : at->remaining())
      if (word != "--") return unknown_word(*at, word);
  return explain(verb, error);
}

/// The name alone, where a shell finds this very program by it. The whole path of an installation in a
/// virtual environment is long, and differs from machine to machine.
std::string name_of_program(const std::string& program) {
  namespace fs = std::filesystem;
  const std::string name = fs::path(program).filename().string();
  const char* const path = std::getenv("PATH");
  if (path == nullptr || name == program) return program;
  std::stringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path found = fs::path(folder.empty() ? "." : folder) / name;
    std::error_code failed;
    if (access(found.c_str(), X_OK) == 0 && fs::is_regular_file(found, failed))
      return fs::equivalent(found, program, failed) && !failed ? name : program;
  }
  return program;
}

Context context_of(int argc, char** argv, const char* revision) {
  Context context;
  context.program = name_of_program(argv[0]);
  context.arguments.assign(argv + 1, argv + argc);
  for (int i = 0; i < argc; ++i) context.command_line += (i ? " " : "") + spec::shell_word(argv[i]);
  context.revision = revision;
  context.places = engines::find_places();
  return context;
}

/// Thrown when a command line is parsed and nothing was executed yet.
struct Parsed {};

class ParsedOnly : public CLI::App {
 public:
  using CLI::App::App;

 private:
  void pre_callback() override { throw Parsed{}; }
};

}  // namespace

spec::Errors check_command(std::vector<std::string> words, const Context& context,
                           const std::function<spec::Errors(const CLI::App& verb)>& check) {
  ParsedOnly app("", "scatterproof");
  Context unused = context;
  build_tree(app, unused);
  std::ranges::reverse(words);  // as CLI11 wants them
  try {
    app.parse(std::move(words));
  } catch (const CLI::Success&) {
    return {{.what = "--help and --version cannot be submitted"}};
  } catch (const CLI::ParseError& error) {
    return {parse_error(app, error)};
  } catch (const Parsed&) {
    return check(deepest(app));
  }
  return {};
}

int run_program(int argc, char** argv, const char* revision) {
  CLI::App app{"Test implementations of scatter and gather against the documents that define them",
               "scatterproof"};
  Context context = context_of(argc, argv, revision);
  build_tree(app, context);
  if (argc > 1 && context.arguments.front() == "__complete") {
    context.arguments.erase(context.arguments.begin());
    for (const HelpEntry& one : candidates(app, context.arguments, context.places))
      fmt::print("{}\t{}\n", one.name, one.what);
    return as_expected;
  }
  if (argc == 3 && context.arguments.front() == "__python")
    return python::answer(std::atoi(argv[2]), context.places);
  app.parse_complete_callback([&] {
    CLI::App& verb = deepest(app);
    if (!takes_settings(verb)) return;
    if (const auto code = apply_settings(app, verb, context)) throw CLI::RuntimeError(*code);
  });
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", help_text(page_of(deepest(app)), terminal_style(context).width, context.places));
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
  } catch (const CLI::RuntimeError& ended) {  // by the settings
    return ended.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return usage_error({parse_error(app, error)});
  }
  return context.exit_code;
}

}  // namespace scatterproof::runner::cli
