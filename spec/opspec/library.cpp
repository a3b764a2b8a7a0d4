// SPDX-License-Identifier: Apache-2.0
// All specs of a folder.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

namespace fs = std::filesystem;

OpSpec as_variant(const OpSpec& spec, const Variant& variant) {
  OpSpec made = spec;
  made.api = variant.api;
  made.variant_of = spec.api;
  made.python = variant.python;
  made.meaning.in_place = variant.in_place;
  made.meaning.from = variant.from;
  std::erase_if(made.refusal.unchanged, [&](const std::string& name) {
    return std::ranges::find(variant.in_place, name) == variant.in_place.end();
  });
  made.omits.clear();
  made.formulas.clear();
  made.doubts.clear();
  made.variants.clear();
  std::ranges::stable_partition(made.documents,
                                [&](const DocumentRef& one) { return one.id == variant.from.document; });
  return made;
}

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
  const auto add = [&](OpSpec spec) {
    for (const OpSpec& other : specs)
      if (other.api == spec.api)
        errors.push_back({.file = spec.file,
                          .at = {1, 1},
                          .what = fmt::format("{} is already described in {}", other.api, other.file)});
    specs.push_back(std::move(spec));
  };
  for (const std::string& path : paths) {
    auto loaded = load_op_spec(path);
    if (!loaded) {
      errors.insert(errors.end(), loaded.errors().begin(), loaded.errors().end());
      continue;
    }
    for (const Variant& variant : loaded->variants) add(as_variant(*loaded, variant));
    add(std::move(loaded).value());
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
