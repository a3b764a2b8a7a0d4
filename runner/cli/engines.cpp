// SPDX-License-Identifier: Apache-2.0
// `engines list|install|remove|check|new`.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>

#include "options.hpp"
#include "page.hpp"
#include "scatterproof/engines/plugin/scaffold.hpp"
#include "scatterproof/engines/registry/check_engine.hpp"
#include "scatterproof/engines/registry/install.hpp"
#include "scatterproof/engines/registry/locate.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/runner/select/suggest.hpp"
#include "scatterproof/runner/trial/started_ahead.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner::cli {
namespace {

/// `  apis: torch.gather ...`, in lines that a terminal shows whole.
void print_list(const std::string& title, const std::vector<std::string>& words, std::size_t width) {
  const std::string head = fmt::format("  {}: ", title);
  fmt::print("{}{}\n", head,
             wrapped(spec::one_line(fmt::format("{}", fmt::join(words, " "))), head.size(), width));
}

/// What is known of one that has not started.
void print_installed(const engines::EngineListing& listing) {
  fmt::print("{:24} {}\n  {}\n", listing.name, listing.description, listing.state);
  if (!listing.python.empty()) fmt::print("  of {}\n", spec::one_line(listing.python));
  for (const auto& form : listing.forms) fmt::print("  form {}: {}\n", form.name, form.description);
}

/// `reason`: why it has not started; empty: it has.
void print_started(const engines::EngineListing& listing, const engines::Engine* engine,
                   const std::string& reason, const spec::SpecLibrary& specs, std::size_t width) {
  fmt::print("{:24} {}\n", listing.name, listing.description);
  if (!reason.empty()) {
    fmt::print("  unavailable: {}\n", spec::hanging(reason, 4));
    return;
  }
  const engines::EngineInfo& info = engine->info();
  fmt::print("  version {}, device {}\n", spec::one_line(info.version), spec::one_line(info.device));
  if (!listing.python.empty()) fmt::print("  of {}\n", spec::one_line(listing.python));
  if (!info.dtypes.empty()) print_list("dtypes", info.dtypes, width);
  if (info.framework.empty())
    fmt::print("  apis: {} of {}, of all frameworks: those whose specs have a kernel\n", info.apis.size(),
               specs.all().size());
  else
    print_list("apis", info.apis, width);
  for (const auto& form : listing.forms) fmt::print("  form {}: {}\n", form.name, form.description);
}

/// Starts those that are installed, several at once, and prints each as soon as it and those before it have.
void list_started(const std::vector<engines::EngineListing>& listings, const spec::SpecLibrary& specs,
                  const engines::Places& places, std::size_t width) {
  std::vector<spec::Result<std::unique_ptr<engines::Engine>>> found;
  std::vector<engines::Engine*> to_start;
  for (const auto& listing : listings) {
    found.push_back(listing.installed ? find_engine(listing.name, specs, places)
                                      : std::unique_ptr<engines::Engine>());
    to_start.push_back(found.back() ? found.back()->get() : nullptr);
  }
  StartedAhead started(std::move(to_start));
  for (std::size_t i = 0; i < listings.size(); ++i) {
    if (!listings[i].installed) {
      print_installed(listings[i]);
      continue;
    }
    auto& engine = found[i];
    const std::string reason = engine ? started.reason(i) : spec::to_string(engine.errors());
    print_started(listings[i], engine ? engine->get() : nullptr, reason, specs, width);
    std::fflush(stdout);
  }
}

/// Those that are wanted, by name with or without their release. If none is named, all, and none is started:
/// a framework takes seconds.
int list_engines(const std::vector<std::string>& wanted, const Context& context) {
  const auto specs = load_specs("", context.places);
  if (!specs) return usage_error(specs.errors());
  const auto listings = engines::list_engines(context.places);
  std::vector<std::string> names;
  for (const auto& listing : listings)
    names.insert(names.end(), {listing.name, spec::without_release(listing.name)});
  const spec::Errors errors = unmatched(wanted, names, "there is no engine '{}'",
                                        "`scatterproof engines list` prints all of them; * matches anything");
  if (!errors.empty()) return usage_error(errors);
  const auto is_wanted = [&](const std::string& name) {
    return wanted.empty() || std::ranges::any_of(wanted, [&](const std::string& glob) {
             return matches_glob(glob, name) || matches_glob(glob, spec::without_release(name));
           });
  };
  std::vector<engines::EngineListing> shown;
  std::ranges::copy_if(listings, std::back_inserter(shown),
                       [&](const engines::EngineListing& listing) { return is_wanted(listing.name); });
  if (wanted.empty()) {
    std::ranges::for_each(shown, print_installed);
    return as_expected;
  }
  const auto width = static_cast<std::size_t>(std::max(terminal_style(context).width, 1));
  list_started(shown, *specs, context.places, width);
  return as_expected;
}

void add_engines_list(CLI::App& parent, Context& context) {
  CLI::App* verb =
      add_verb(parent, context,
               {.name = "list",
                .purpose = "List the engines: installed or not; of named ones version, device, dtypes, APIs",
                .examples = {{"scatterproof engines list", "every engine; none is started"},
                             {"scatterproof engines list torch", "start every installed release of torch"},
                             {"scatterproof engines list | grep installed", "what could be installed"}}});
  auto wanted = std::make_shared<std::vector<std::string>>();
  verb->add_option("engine", *wanted, "Start only these: torch, torch@2.13.0, or globs")
      ->type_name("ENGINE")
      ->default_str("every engine, and start none");
  verb->callback([wanted, &context] { context.exit_code = list_engines(*wanted, context); });
}

void add_engines_install(CLI::App& parent, Context& context) {
  CLI::App* verb = add_verb(
      parent, context,
      {.name = "install",
       .purpose = "Install a framework into a virtual environment of its own",
       .examples = {
           {"scatterproof engines install torch", "the release that its documents are about"},
           {"scatterproof engines install torch==2.12.0", "another release in addition"},
           {"scatterproof engines install onnx==1.15.0 numpy==1.26.4", "with another numpy"},
           {"scatterproof engines install torch --python /usr/bin/python3", "the one that Debian has"}}});
  auto request = std::make_shared<engines::InstallRequest>();
  verb->add_option("name", request->engine, "Framework, or framework==version")
      ->type_name("ENGINE")
      ->required();
  verb->add_option("pip", request->words,
                   "Pins of other packages, as NAME==VERSION; after --, arguments for pip install")
      ->type_name("WORDS");
  verb->add_option("--python", request->python, "Fetch nothing: take what this interpreter imports")
      ->type_name("FILE")
      ->check(existing_path())
      ->group("Install");
  verb->callback([request, &context] {
    request->terminal = isatty(STDERR_FILENO) != 0;
    const auto installed = engines::install_engine(*request, context.places, std::cerr);
    if (installed)
      fmt::print("{} is ready\n", *installed);
    else
      context.exit_code = usage_error(installed.errors());
  });
}

void add_engines_remove(CLI::App& parent, Context& context) {
  CLI::App* verb =
      add_verb(parent, context,
               {.name = "remove",
                .purpose = "Remove an installed framework",
                .examples = {{"scatterproof engines remove torch@2.12.0", "one release of several"},
                             {"scatterproof engines remove torch", "the only one"}}});
  auto name = std::make_shared<std::string>();
  verb->add_option("name", *name, "Framework, or framework@version")->type_name("ENGINE")->required();
  verb->callback([name, &context] {
    const auto removed = engines::remove_engine(*name, context.places);
    if (removed)
      fmt::print("{} is removed\n", *removed);
    else
      context.exit_code = usage_error(removed.errors());
  });
}

void add_engines_check(CLI::App& parent, Context& context) {
  CLI::App* verb =
      add_verb(parent, context,
               {.name = "check",
                .purpose = "Check that an engine follows the worker protocol",
                .examples = {{"scatterproof engines check torch", "an installed framework"},
                             {"scatterproof engines check cmd:./my-worker", "a worker of your own"}}});
  auto name = std::make_shared<std::string>();
  verb->add_option("name", *name, "torch, torch@2.13.0, so:./libmine.so, cmd:./my-worker")
      ->type_name("ENGINE")
      ->required();
  verb->callback([name, &context] {
    const auto findings = engines::check_engine(*name, context.places);
    if (!findings) {
      context.exit_code = usage_error(findings.errors());
      return;
    }
    for (const engines::ProtocolCheck& finding : *findings) {
      fmt::print("{}  {}\n", finding.ok ? "ok  " : "FAIL", spec::hanging(finding.what, 6));
      if (!finding.ok) context.exit_code = unexpected;
      if (!finding.hint.empty()) fmt::print("      hint: {}\n", spec::one_line(finding.hint));
    }
  });
}

void add_engines_new(CLI::App& parent, Context& context) {
  CLI::App* verb =
      add_verb(parent, context,
               {.name = "new",
                .purpose = "Write a scaffold for a kernel or worker of your own",
                .examples = {{"scatterproof engines new --lang cpp my-kernel", "a shared library in C++"},
                             {"scatterproof engines new --lang python my-worker", "a worker in Python"}}});
  auto language = std::make_shared<std::string>();
  auto folder = std::make_shared<std::string>();
  only_values(
      verb->add_option("--lang", *language, "Language; python makes a worker, the others a shared library"),
      "LANGUAGE", {"c", "cpp", "cuda", "python"})
      ->required();
  verb->add_option("folder", *folder,
                   "The new folder; its name becomes the kernel's. Existing files are not overwritten")
      ->type_name("FOLDER")
      ->required();
  verb->callback([language, folder, &context] {
    const auto written = engines::write_scaffold(*language, *folder, context.places);
    if (!written) {
      context.exit_code = usage_error(written.errors());
      return;
    }
    for (const std::string& file : *written) fmt::print("{}\n", file);
    fmt::print("{}/README.md lists the commands to build and test it.\n", *folder);
    if (const std::string package = engines::find_above_program("share/cmake/scatterproof");
        !package.empty() && *language != "python")
      fmt::print("If CMake does not find scatterproof: cmake -B build '-Dscatterproof_DIR={}'\n", package);
  });
}

}  // namespace

void add_engines(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "engines",
       .purpose = "List, install, remove and check engines, or start one of your own",
       .examples = {{"scatterproof engines list", "which engines there are"},
                    {"scatterproof engines install torch", "install PyTorch in addition to what you have"}},
       .group = "Inspect"});
  verb->require_subcommand(1);
  add_engines_list(*verb, context);
  add_engines_install(*verb, context);
  add_engines_remove(*verb, context);
  add_engines_check(*verb, context);
  add_engines_new(*verb, context);
}

}  // namespace scatterproof::runner::cli
