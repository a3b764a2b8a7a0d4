// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/shrink/regressions.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/files/replace_file.hpp"
#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner::shrink {
namespace {

namespace fs = std::filesystem;

spec::Error unwritable(const fs::path& path, const std::string& why) {
  return {.file = path.string(), .what = fmt::format("cannot save the case: {}", why)};
}

}  // namespace

spec::Result<SavedCase> save_regression(const std::string& folder, const spec::Call& call,
                                        const std::string& why, const std::vector<std::string>& tags) {
  const std::string name = fmt::format("{:08x}", hash_of(call) >> 32);
  const fs::path home = fs::path(folder) / call.api;
  const fs::path path = home / (name + ".yaml");
  SavedCase saved{fmt::format("{}/found/{}", call.api, name), path.string()};
  std::error_code failed;
  if (fs::exists(path, failed)) return saved;
  fs::create_directories(home, failed);
  if (failed) return unwritable(home, failed.message());

  spec::Case one;
  one.id = saved.id;
  one.why = why;
  one.call = call;
  one.tags = tags;
  const std::string text = "# SPDX-License-Identifier: Apache-2.0\n" + spec::to_yaml(one);
  // A file that cannot be read would stop every later run that reads the folder.
  if (const auto readable = spec::yaml::read_text(path.string(), text); !readable)
    return unwritable(path, readable.errors().front().what);
  if (spec::Errors errors = replace_file(path.string(), text); !errors.empty()) return errors;
  saved.added = true;
  return saved;
}

}  // namespace scatterproof::runner::shrink
