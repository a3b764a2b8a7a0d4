// SPDX-License-Identifier: Apache-2.0
// `engines list|install|check|new`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>

#include "cli.hpp"
#include "scatterproof/engines/check_engine.hpp"
#include "scatterproof/engines/install.hpp"
#include "scatterproof/engines/locate.hpp"
#include "scatterproof/engines/scaffold.hpp"

namespace scatterproof::runner::cli {
namespace {

/// Starting a framework costs a second, so `list` does it only where the engine is installed.
void list_one(const engines::EngineListing& listing, const spec::SpecLibrary& specs,
              const engines::Places& places) {
  fmt::print("{:24} {}\n", listing.name, listing.description);
  if (!listing.installed) {
    fmt::print("  {}\n", listing.state);
    return;
  }
  const auto engine = engines::make_engine(listing.name, specs, places);
  const std::string reason = engine ? (*engine)->start() : spec::to_string(engine.errors());
  if (!reason.empty()) {
    fmt::print("  unavailable: {}\n", reason);
    return;
  }
  const engines::EngineInfo& info = (*engine)->info();
  fmt::print("  version {}, device {}\n", info.version, info.device);
  if (!info.dtypes.empty()) fmt::print("  dtypes: {}\n", fmt::join(info.dtypes, " "));
  fmt::print("  apis: {}\n", fmt::join(info.apis, " "));
}

void add_engines_list(CLI::App& parent, Context& context) {
  CLI::App* verb =
      parent.add_subcommand("list", "Engines there are: installed or not, version, device, what they offer");
  verb->callback([&context] {
    const auto specs = load_specs("", context.places);
    if (!specs) {
      context.exit_code = report_errors(specs.errors());
      return;
    }
    for (const auto& listing : engines::list_engines(context.places))
      list_one(listing, *specs, context.places);
  });
}

void add_engines_install(CLI::App& parent, Context& context) {
  CLI::App* verb =
      parent.add_subcommand("install", "Installs a framework into a virtual environment of its own");
  auto request = std::make_shared<engines::InstallRequest>();
  verb->add_option("name", request->engine, "torch, or torch==2.12.0 for another release beside it")
      ->required();
  verb->add_option("pip", request->pip_arguments, "Arguments for pip install, after --");
  verb->callback([request, &context] {
    const auto installed = engines::install_engine(*request, context.places, std::cerr);
    if (installed)
      fmt::print("{} is ready\n", *installed);
    else
      context.exit_code = report_errors(installed.errors());
  });
}

void add_engines_check(CLI::App& parent, Context& context) {
  CLI::App* verb =
      parent.add_subcommand("check", "Does this engine speak the protocol and return what it was asked?");
  auto name = std::make_shared<std::string>();
  verb->add_option("name", *name, "torch, torch@2.13.0, so:./libmine.so, cmd:./my-worker")->required();
  verb->callback([name, &context] {
    const auto findings = engines::check_engine(*name, context.places);
    if (!findings) {
      context.exit_code = report_errors(findings.errors());
      return;
    }
    for (const engines::ProtocolCheck& finding : *findings) {
      fmt::print("{}  {}\n", finding.ok ? "ok  " : "FAIL", finding.what);
      if (!finding.ok) context.exit_code = unexpected;
      if (!finding.hint.empty()) fmt::print("      hint: {}\n", finding.hint);
    }
  });
}

void add_engines_new(CLI::App& parent, Context& context) {
  CLI::App* verb = parent.add_subcommand(
      "new", "Writes a folder to start a kernel of your own from (docs/test-your-kernel.md)");
  auto language = std::make_shared<std::string>();
  auto folder = std::make_shared<std::string>();
  verb->add_option("--lang", *language, "c, cpp or cuda for a shared library, python for a worker")
      ->required();
  verb->add_option("folder", *folder,
                   "The new folder; its name becomes the kernel's. Files are never overwritten")
      ->required();
  verb->callback([language, folder, &context] {
    const auto written = engines::write_scaffold(*language, *folder, context.places);
    if (!written) {
      context.exit_code = report_errors(written.errors());
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
  CLI::App* verb = app.add_subcommand("engines", "The engines: list, install, check, new");
  verb->require_subcommand(1);
  add_engines_list(*verb, context);
  add_engines_install(*verb, context);
  add_engines_check(*verb, context);
  add_engines_new(*verb, context);
}

}  // namespace scatterproof::runner::cli
