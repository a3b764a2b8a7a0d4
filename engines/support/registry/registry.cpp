// SPDX-License-Identifier: Apache-2.0
// The engines that exist: those of this project, and every framework that has a worker.
#include "scatterproof/engines/registry/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <variant>

#include "built_in.hpp"
#include "manifest.hpp"
#include "options.hpp"
#include "scatterproof/engines/client/worker.hpp"
#include "scatterproof/engines/faulty/faulty.hpp"
#include "scatterproof/engines/recorded/recording.hpp"
#include "scatterproof/engines/registry/check_engine.hpp"
#include "scatterproof/engines/registry/locate.hpp"

namespace scatterproof::engines {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view fault_prefix = "faulty:";
constexpr std::string_view recording_prefix = "recorded:";

constexpr std::string_view data_folder = "share/scatterproof";  // in a build tree a link to the checkout

/// Never a compiled-in path: an installation that lost its data must not use a checkout's.
std::string find_data() {
  if (const char* named = std::getenv("SCATTERPROOF_DATA")) return named;
  const std::string specs = find_above_program(std::string(data_folder) + "/spec/data/ops");
  std::error_code ignored;
  if (!specs.empty()) return fs::canonical(fs::path(specs) / "../../..", ignored).string();
  // Where it should be: the first missing file is an error with this path.
  return (fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path() / data_folder).string();
}

std::string find_engines() {
  if (const char* named = std::getenv("SCATTERPROOF_ENGINES")) return named;
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/')
    return std::string(data) + "/scatterproof/engines";
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "") + "/.local/share/scatterproof/engines";
}

EngineListing list_built_in(const BuiltInEngine& engine) {
  const auto* host = std::get_if<HostProgram>(&engine.runs);
  const bool ready = host == nullptr || !registry::find_program(host->program).empty();
  return {.name = engine.name,
          .installed = ready,
          .description = engine.description,
          .state = ready ? "ready" : fmt::format("not built: {}", host->why_missing)};
}

}  // namespace

const BuiltInEngine* registry::find_built_in(std::string_view name) {
  const auto& engines = built_in();
  const auto found = std::ranges::find(engines, name, &BuiltInEngine::name);
  return found != engines.end() ? &*found : nullptr;
}

bool is_native(const std::string& name) {
  const BuiltInEngine* engine = registry::find_built_in(name);
  return name.starts_with(fault_prefix) || name.starts_with(recording_prefix) ||
         (engine != nullptr && std::holds_alternative<MakeEngine>(engine->runs));
}

std::vector<std::string> built_in_engines() {
  std::vector<std::string> names;
  for (const auto& engine : registry::built_in()) names.push_back(engine.name);
  return names;
}

Places find_places() {
  const char* python = std::getenv("SCATTERPROOF_PYTHON");
  return {find_data(), find_engines(), python != nullptr ? python : ""};
}

std::string framework_of(const std::string& engine, const Places& places) {
  const auto manifest = registry::find_manifest(engine.substr(0, engine.find('@')), places);
  return manifest ? manifest->framework : "";
}

std::string interpreter_without(const std::string& engine, const Places& places) {
  const registry::EngineParts parts = registry::parts_of(engine);
  if (places.python.empty() || !parts.version.empty()) return "";
  const auto manifest = registry::find_manifest(parts.framework, places);
  if (!manifest) return "";
  const std::vector<registry::Release> present = registry::releases_of(*manifest, places);
  return present.empty() || present.front().users ? "" : places.python;
}

std::vector<EngineListing> list_engines(const Places& places) {
  std::vector<EngineListing> listings;
  for (const auto& engine : registry::built_in()) listings.push_back(list_built_in(engine));
  const auto manifests = registry::load_manifests(places);
  if (!manifests) {
    for (const auto& error : manifests.errors()) listings.push_back({error.file, false, "", error.what});
    return listings;
  }
  for (const auto& manifest : *manifests) {
    std::vector<EngineListing::Form> forms;
    for (const auto& form : manifest.forms)
      forms.push_back({manifest.name + ':' + form.name, form.description});
    const auto releases = registry::releases_of(manifest, places);
    for (const auto& one : releases)
      listings.push_back({manifest.engine_name(one.version), true, manifest.description, "ready", forms,
                          one.users ? one.python : ""});
    const bool users = !releases.empty() && releases.front().users;
    if (!users &&
        std::ranges::find(releases, manifest.version, &registry::Release::version) == releases.end())
      listings.push_back({manifest.engine_name(manifest.version), false, manifest.description,
                          fmt::format("not installed: scatterproof engines install {}", manifest.name),
                          forms});
  }
  return listings;
}

spec::Result<std::unique_ptr<Engine>> make_engine(const std::string& name, const spec::SpecLibrary& specs,
                                                  const Places& places) {
  if (const BuiltInEngine* engine = registry::find_built_in(name))
    if (const auto* make = std::get_if<MakeEngine>(&engine->runs)) return (*make)(specs);
  if (name.starts_with(fault_prefix))
    return make_faulty(std::string_view(name).substr(fault_prefix.size()), specs);
  if (name.starts_with(recording_prefix))
    return make_recorded_engine(name, name.substr(recording_prefix.size()));
  auto options = registry::worker_options(name, places, &specs);
  if (!options) return options.errors();
  WorkerOptions complete = *std::move(options);
  complete.specs = &specs;
  return make_worker_engine(std::move(complete));
}

spec::Result<std::vector<ProtocolCheck>> check_engine(const std::string& name, const Places& places) {
  if (name.starts_with(recording_prefix)) {
    const auto recording = read_recording(name.substr(recording_prefix.size()));
    if (!recording) return recording.errors();
    return std::vector<ProtocolCheck>{{.ok = true,
                                       .what = fmt::format("a recording of {} calls of {}",
                                                           recording->calls.size(), recording->engine.name),
                                       .hint = ""}};
  }
  if (is_native(name))
    return std::vector<ProtocolCheck>{
        {.ok = true,
         .what =
             fmt::format("{0} is part of this program and does not use the protocol; to judge its answers: "
                         "scatterproof run --engine {0}",
                         name),
         .hint = ""}};
  auto options = registry::worker_options(name, places);
  if (!options) return options.errors();
  auto findings = check_worker(*std::move(options));
  // The hints are for those who write the protocol. A library's is spoken by its host.
  if (name.starts_with("so:"))
    for (ProtocolCheck& one : findings) one.hint.clear();
  return findings;
}

}  // namespace scatterproof::engines
