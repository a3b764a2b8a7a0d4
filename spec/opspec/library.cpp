// SPDX-License-Identifier: Apache-2.0
// All specs of a folder.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <thread>

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

namespace {

using Loaded = std::vector<Result<std::vector<OpSpec>>>;  // a file each

/// In the order of the paths; on all cores, since this is most of what a short command does.
Loaded load_all(const std::vector<std::string>& paths) {
  const std::size_t parts = std::max(1U, std::thread::hardware_concurrency());
  const auto load_part = [&](std::size_t part) {
    Loaded loaded;
    for (std::size_t i = part; i < paths.size(); i += parts) loaded.push_back(load_op_specs(paths[i]));
    return loaded;
  };
  std::vector<std::future<Loaded>> running;
  for (std::size_t part = 1; part < parts; ++part) running.push_back(std::async(load_part, part));
  std::vector<Loaded> by_part{load_part(0)};
  for (auto& one : running) by_part.push_back(one.get());
  Loaded all;
  for (std::size_t i = 0; i < paths.size(); ++i) all.push_back(std::move(by_part[i % parts][i / parts]));
  return all;
}

}  // namespace

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
  for (Result<std::vector<OpSpec>>& loaded : load_all(paths)) {
    if (!loaded) {
      errors.insert(errors.end(), loaded.errors().begin(), loaded.errors().end());
      continue;
    }
    std::vector<OpSpec> of_file = std::move(loaded).value();
    for (OpSpec& spec : of_file) {
      for (const Variant& variant : spec.variants) add(as_variant(spec, variant));
      add(std::move(spec));
    }
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
