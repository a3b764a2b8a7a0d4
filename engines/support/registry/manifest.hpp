// SPDX-License-Identifier: Apache-2.0
// What engines/workers/<name>/engine.yaml says, and where a worker made from it lives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines::registry {

/// What releases before one need that pip does not know, or cannot resolve together with the pins for the
/// newest.
struct OlderReleases {
  std::string before;                 ///< the first release that needs it no longer
  std::vector<std::string> packages;  ///< pinned; they replace the manifest's pins of the same packages
};

/// A way in which a framework executes calls other than call by call on the CPU, such as compiled.
struct EngineForm {
  std::string name;
  std::string description;

  /// `device=NAME`: the user names a device.
  bool names_device() const { return name.ends_with("=NAME"); }
};

/// `torch:compile@2.13.0` taken apart.
struct EngineParts {
  std::string framework;
  std::string form;     ///< empty: none is named
  std::string version;  ///< likewise
};
EngineParts parts_of(const std::string& engine);

struct Manifest {
  std::string name;
  std::string description;
  std::string framework;
  std::vector<std::string> packages;  ///< pinned; the first names the engine's version
  std::string version;                ///< of the first package
  std::vector<OlderReleases> older;   ///< the first one that is about a release holds
  std::vector<EngineForm> forms;      ///< in addition to the usual one, in the same environment
  std::uint64_t fetches = 0;          ///< bytes, measured for `version`
  std::uint64_t takes = 0;            ///< bytes on disk, likewise

  /// The form that is meant: itself, or `device=NAME` if the user wrote `device=cuda`; null: there is none.
  const EngineForm* form(const std::string& written) const;

  std::string engine_name(const std::string& of_version, const std::string& form = {}) const {
    return name + (form.empty() ? "" : ":" + form) + "@" + of_version;
  }
};

/// Every framework that has a worker, sorted by name. Folders without an engine.yaml are not one.
spec::Result<std::vector<Manifest>> load_manifests(const Places& places);
/// One of them; an unknown name is an error with the nearest known one.
spec::Result<Manifest> find_manifest(const std::string& name, const Places& places);

/// The packages of a release. `pins` of the user's win over the manifest's.
std::vector<std::string> packages_for(const Manifest& manifest, const std::string& version,
                                      const std::vector<std::string>& pins);

/// The folder of an engine's virtual environment, there or not.
std::string environment_folder(const Manifest& manifest, const std::string& version, const Places& places);
/// The interpreter in a virtual environment, there or not.
std::string python_in(const std::string& environment);
bool has_python(const std::string& environment);

/// A release of a framework that can be started.
struct Release {
  std::string version;
  std::string python;  ///< the interpreter that imports it
  bool users = false;  ///< it is that of the user's interpreter
};
/// The user's, if there is one; then those that are installed, newest first.
std::vector<Release> releases_of(const Manifest& manifest, const Places& places);
/// Of those, the ones in virtual environments here.
std::vector<std::string> installed_versions(const Manifest& manifest, const Places& places);

}  // namespace scatterproof::engines::registry
