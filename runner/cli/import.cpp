// SPDX-License-Identifier: Apache-2.0
// `import onnx`: other projects' tests as case files.
#include "scatterproof/engines/registry/import.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "options.hpp"
#include "scatterproof/runner/catalogue/imported_cases.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/spec/core/shell_word.hpp"

namespace scatterproof::runner::cli {
namespace {

namespace fs = std::filesystem;

struct ImportFlags {
  std::vector<std::string> folders;
  std::string output = "onnx-cases";
};

/// Writes one file for each API, over none that is there.
spec::Errors write(const ImportedCases& imported, const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return {{.file = folder, .what = fmt::format("cannot make the folder: {}", failed.message())}};
  for (const auto& [api, cases] : imported.of_api) {
    const std::string path = (fs::path(folder) / (api + ".yaml")).string();
    if (fs::exists(path, failed))
      return {{.file = path,
               .what = "the file exists",
               .hint = "remove it, or name another folder with --output"}};
    std::ofstream file(path, std::ios::binary);
    file << spec::to_yaml(cases) << std::flush;
    if (!file)
      return {{.file = path, .what = fmt::format("cannot write the cases: {}", std::strerror(errno))}};
    fmt::print("{}: {} cases\n", path, cases.size());
  }
  return {};
}

int import_onnx(const ImportFlags& flags, const Context& context) {
  const auto specs = load_specs("", context.places);
  if (!specs) return usage_error(specs.errors());
  const auto tests = engines::import_tests("onnx", flags.folders, context.places);
  if (!tests) return usage_error(tests.errors());
  const ImportedCases imported = imported_cases(*tests, "ONNX backend test", *specs);
  if (const spec::Errors errors = write(imported, flags.output); !errors.empty()) return usage_error(errors);
  for (const std::string& one : imported.left_out) fmt::print("left out: {}\n", one);
  if (imported.others > 0)
    fmt::print("{} more tests are of operators without a spec, or of several nodes\n", imported.others);
  if (imported.of_api.empty()) {
    say("error: no test was imported");
    return nothing_ran;
  }
  fmt::print("to judge engines by them: scatterproof run {}\n", spec::shell_word(flags.output));
  return as_expected;
}

void add_import_onnx(CLI::App& parent, Context& context) {
  CLI::App* verb =
      add_verb(parent, context,
               {.name = "onnx",
                .purpose = "Turn ONNX backend tests of single nodes into case files",
                .examples = {{"scatterproof import onnx", "the tests of the installed onnx package"},
                             {"scatterproof import onnx my-tests --output my-cases",
                              "folders with model.onnx and test_data_set_*/*.pb, at any depth"}}});
  auto flags = std::make_shared<ImportFlags>();
  verb->add_option("folder", flags->folders, "Folders of tests")
      ->type_name("FOLDER")
      ->default_str("the installed package's own tests")
      ->check(existing_path());
  verb->add_option("--output", flags->output, "Write the case files, one for each API, into this folder")
      ->type_name("FOLDER")
      ->default_str(flags->output);
  verb->callback([flags, &context] { context.exit_code = import_onnx(*flags, context); });
}

}  // namespace

void add_import(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "import",
       .purpose = "Convert other projects' tests to case files",
       .examples = {{"scatterproof import onnx", "the tests of the installed onnx package"},
                    {"scatterproof import onnx my-tests --output my-cases", "tests in a folder of your own"}},
       .group = "Test"});
  verb->require_subcommand(1);
  add_import_onnx(*verb, context);
}

}  // namespace scatterproof::runner::cli
