// SPDX-License-Identifier: Apache-2.0
// All specs of a folder.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

namespace fs = std::filesystem;

Result<SpecLibrary> SpecLibrary::load(const std::string& folder) {
  std::error_code failed;
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (it->path().extension() == ".yaml") paths.push_back(it->path().string());
  if (failed)
    return Error{.file = folder, .what = fmt::format("cannot read the specs folder: {}", failed.message())};
  std::ranges::sort(paths);
  Errors errors;
  std::vector<OpSpec> specs;
  for (const std::string& path : paths) {
    auto loaded = load_op_spec(path);
    if (!loaded) {
      errors.insert(errors.end(), loaded.errors().begin(), loaded.errors().end());
      continue;
    }
    for (const OpSpec& other : specs)
      if (other.api == loaded->api)
        errors.push_back({.file = path,
                          .at = {1, 1},
                          .what = fmt::format("{} is already described in {}", other.api, other.file)});
    specs.push_back(std::move(loaded).value());
  }
  if (!errors.empty()) return errors;
  return SpecLibrary(std::move(specs));
}

SpecLibrary::SpecLibrary(std::vector<OpSpec> specs) : specs_(std::move(specs)) {
  std::ranges::sort(specs_, {}, &OpSpec::api);
}

const OpSpec* SpecLibrary::find(std::string_view api) const {
  const auto found = std::ranges::lower_bound(specs_, api, {}, &OpSpec::api);
  return found != specs_.end() && found->api == api ? &*found : nullptr;
}

}  // namespace scatterproof::spec
