// SPDX-License-Identifier: Apache-2.0
// `trust`: approves a settings file as it is, which may then start programs and reach beyond its repository.
#include "scatterproof/runner/trust/trust.hpp"

#include <fmt/format.h>

#include <memory>

#include "options.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "settings_file.hpp"

namespace scatterproof::runner::cli {
namespace {

struct TrustRequest {
  std::string file;
  bool revoke = false;
  bool list = false;
};

/// The file named, or the one in force here.
spec::Result<std::string> file_meant(const TrustRequest& request) {
  if (!request.file.empty()) return request.file;
  auto here = settings_file_here();
  if (!here || !here->empty()) return here;
  return spec::Error{.what = "there is no scatterproof.yaml here", .hint = "name the file to approve"};
}

void print_reach(const SettingsFiles& files) {
  for (const SettingsLayer& layer : files.layers)
    for (const auto& [command, settings] : layer.commands)
      for (const OptionSetting& one : settings)
        if (!one.reach.empty())
          fmt::print("  {}:{}: {} --{} {}\n", spec::one_line(files.file), one.at.line, command, one.name,
                     spec::one_line(one.reach));
}

int list_trusted() {
  const auto paths = trusted_files();
  if (!paths) return usage_error(paths.errors());
  for (const std::string& path : *paths) fmt::print("{}\n", spec::one_line(path));
  return as_expected;
}

int work(const TrustRequest& request, CLI::App& app) {
  if (request.list) return list_trusted();
  const auto path = file_meant(request);
  if (!path) return usage_error(path.errors());
  if (request.revoke) {
    const auto was = revoke_trust(*path);
    if (!was) return usage_error(was.errors());
    fmt::print("{} {}\n", spec::one_line(*path), *was ? "is no longer approved" : "was not approved");
    return as_expected;
  }
  const auto files = read_whole_settings(app, *path);
  if (!files) return usage_error(files.errors());
  if (const spec::Errors errors = trust(*path, files->content); !errors.empty()) return usage_error(errors);
  fmt::print("{} is approved as it is now\n", spec::one_line(*path));
  print_reach(*files);
  return as_expected;
}

}  // namespace

void add_trust(CLI::App& app, Context& context) {
  CLI::App* verb =
      add_verb(app, context,
               {.name = "trust",
                .purpose = "Approve a settings file that starts programs or reaches beyond its repository",
                .examples = {{"scatterproof trust", "the scatterproof.yaml in force here, as it is now"},
                             {"scatterproof trust --revoke ci.yaml", "take the approval of a file back"}},
                .group = "Set up"});
  auto request = std::make_shared<TrustRequest>();
  verb->add_option("file", request->file, "The settings file [default: the one in force here]")
      ->type_name("FILE");
  CLI::Option* revoke =
      verb->add_flag("--revoke", request->revoke, "Take the approval back")->group(group::general);
  verb->add_flag("--list", request->list, "Print the files that are approved and have not changed since")
      ->excludes(revoke)
      ->group(group::general);
  verb->callback([request, &app, &context] { context.exit_code = work(*request, app); });
}

}  // namespace scatterproof::runner::cli
