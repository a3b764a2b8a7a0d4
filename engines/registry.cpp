// SPDX-License-Identifier: Apache-2.0
// Which engines there are: tables of our own, and every framework that has a worker.
#include "scatterproof/engines/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string_view>

#include "scatterproof/engines/faulty.hpp"
#include "scatterproof/engines/openmp.hpp"
#include "scatterproof/engines/reference.hpp"
#include "scatterproof/engines/thrust.hpp"
#include "scatterproof/engines/worker.hpp"
#include "worker/manifest.hpp"
#include "worker/options.hpp"

namespace scatterproof::engines {
namespace {

namespace fs = std::filesystem;

struct Native {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<Engine> (*make)(const spec::SpecLibrary& specs);
};

/// One line an engine.
constexpr Native natives[] = {
    {"reference", "the scalar reference: one plain loop an operation", make_reference},
    {"openmp", "several cores, the quickest method for each call", make_openmp},
    {"openmp-deterministic", "several cores, the same bits for any number of them",
     make_openmp_deterministic},
    {"thrust-cpp", "Thrust: sorted by destination, one thread", make_thrust_cpp},
    {"thrust-omp", "Thrust over OpenMP: sorted by destination", make_thrust_omp},
    {"thrust-tbb", "Thrust over oneTBB: sorted by destination", make_thrust_tbb},
};

/// The same for engines that are programs of their own.
constexpr worker::Hosted hosted_engines[] = {
    {"thrust-cuda", "Thrust on a CUDA device, in a process of its own", "scatterproof_thrust_cuda_host", "",
     "./dev build --cuda makes it where there is a CUDA compiler"},
    {"thrust-cuda-deterministic", "the same, with the same bits every time", "scatterproof_thrust_cuda_host",
     "deterministic", "./dev build --cuda makes it where there is a CUDA compiler"},
};

bool holds_data(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "spec/ops", ignored) &&
         fs::is_directory(folder / "engines/workers", ignored);
}

/// The nearest folder above the executable that holds the data: a checkout, or an installation's share
/// folder.
std::string find_data() {
  if (const char* named = std::getenv("SCATTERPROOF_DATA")) return named;
  std::error_code ignored;
  for (fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
       folder != folder.parent_path(); folder = folder.parent_path())
    for (const auto& candidate : {folder, folder / "share/scatterproof"})
      if (holds_data(candidate)) return candidate.string();
  return SCATTERPROOF_DATA_DEFAULT;  // built outside the checkout
}

std::string find_engines() {
  if (const char* named = std::getenv("SCATTERPROOF_ENGINES")) return named;
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/')
    return std::string(data) + "/scatterproof/engines";
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "") + "/.local/share/scatterproof/engines";
}

}  // namespace

bool is_native(const std::string& name) {
  return std::ranges::find(natives, name, &Native::name) != std::end(natives) || name.starts_with("faulty:");
}

std::vector<std::string> built_in_engines() {
  std::vector<std::string> names;
  for (const auto& native : natives) names.emplace_back(native.name);
  for (const auto& hosted : hosted_engines) names.emplace_back(hosted.name);
  return names;
}

const worker::Hosted* worker::find_hosted(std::string_view name) {
  const auto* found = std::ranges::find(hosted_engines, name, &Hosted::name);
  return found != std::end(hosted_engines) ? found : nullptr;
}

Places find_places() { return {find_data(), find_engines()}; }

std::vector<EngineListing> list_engines(const Places& places) {
  std::vector<EngineListing> listings;
  for (const auto& native : natives)
    listings.push_back({std::string(native.name), true, std::string(native.description), "ready"});
  for (const auto& hosted : hosted_engines) {
    const bool built = !worker::find_program(hosted.program).empty();
    listings.push_back({std::string(hosted.name), built, std::string(hosted.description),
                        built ? "ready" : fmt::format("not built: {}", hosted.why_missing)});
  }
  const auto manifests = worker::load_manifests(places);
  if (!manifests) {
    for (const auto& error : manifests.errors()) listings.push_back({error.file, false, "", error.what});
    return listings;
  }
  for (const auto& manifest : *manifests) {
    const auto versions = worker::installed_versions(manifest, places);
    for (const auto& version : versions)
      listings.push_back({manifest.engine_name(version), true, manifest.description, "ready"});
    if (std::ranges::find(versions, manifest.version) == versions.end())
      listings.push_back({manifest.engine_name(manifest.version), false, manifest.description,
                          fmt::format("not installed: scatterproof engines install {}", manifest.name)});
  }
  return listings;
}

spec::Result<std::unique_ptr<Engine>> make_engine(const std::string& name, const spec::SpecLibrary& specs,
                                                  const Places& places) {
  for (const auto& native : natives)
    if (name == native.name) return native.make(specs);
  if (name.starts_with("faulty:")) return make_faulty(std::string_view(name).substr(7), specs);
  auto options = worker::worker_options(name, places);
  if (!options) return options.errors();
  return make_worker_engine(*std::move(options));
}

}  // namespace scatterproof::engines
