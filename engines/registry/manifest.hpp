// SPDX-License-Identifier: Apache-2.0
// What engines/workers/<name>/engine.yaml says, and where a worker made from it lives.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/engines/registry.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines::registry {

struct Manifest {
  std::string name;
  std::string description;
  std::string framework;
  std::vector<std::string> packages;  ///< pinned; the first names the engine's version
  std::string version;                ///< of the first package

  std::string engine_name(const std::string& of_version) const { return name + "@" + of_version; }
};

/// Every framework that has a worker, sorted by name. Folders without an engine.yaml are not one.
spec::Result<std::vector<Manifest>> load_manifests(const Places& places);
/// One of them; an unknown name is an error with the nearest known one.
spec::Result<Manifest> find_manifest(const std::string& name, const Places& places);

/// The folder of an engine's virtual environment, there or not.
std::string environment_folder(const Manifest& manifest, const std::string& version, const Places& places);
/// The versions that are installed, newest first.
std::vector<std::string> installed_versions(const Manifest& manifest, const Places& places);
/// The interpreter in a virtual environment, if it is one.
bool has_python(const std::string& environment);

}  // namespace scatterproof::engines::registry
