// SPDX-License-Identifier: Apache-2.0
// Virtual environments: made under a temporary name, and renamed only when complete.
#include "scatterproof/engines/install.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "execute.hpp"
#include "manifest.hpp"

namespace scatterproof::engines {
namespace {

namespace fs = std::filesystem;

// Written last: an environment without it is not finished.
constexpr const char* marker = "scatterproof-packages.txt";

spec::Error failure(std::string what, std::string hint = {}) {
  spec::Error error;
  error.what = std::move(what);
  error.hint = std::move(hint);
  return error;
}

/// One installation at a time into a folder; a second one waits, and then finds everything done.
class Lock {
 public:
  explicit Lock(const fs::path& engines)
      : file_(open((engines / ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    while (file_ >= 0 && flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~Lock() {
    if (file_ >= 0) close(file_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

/// Removes a folder unless told to keep it.
class Unfinished {
 public:
  explicit Unfinished(fs::path folder) : folder_(std::move(folder)) { remove(); }
  ~Unfinished() { remove(); }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  std::string path() const { return folder_.string(); }

 private:
  void remove() const {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path folder_;
};

/// The pins, with another version of the framework itself when one was asked for.
std::vector<std::string> pinned(const registry::Manifest& manifest, const std::string& version) {
  std::vector<std::string> packages = manifest.packages;
  packages.front() = packages.front().substr(0, packages.front().find("==")) + "==" + version;
  return packages;
}

spec::Errors fill(const std::string& environment, const std::vector<std::string>& packages,
                  const std::vector<std::string>& pip_arguments) {
  std::vector<std::string> command = {environment + "/bin/python",   "-m",        "pip", "install",
                                      "--disable-pip-version-check", "--no-input"};
  command.insert(command.end(), pip_arguments.begin(), pip_arguments.end());
  command.insert(command.end(), packages.begin(), packages.end());
  if (registry::execute(command) != 0)
    return {failure(fmt::format("pip could not install {}", fmt::join(packages, " ")),
                    "see pip's output above; arguments after the engine's name go to pip")};
  std::ofstream file(fs::path(environment) / marker);
  for (const auto& package : packages) file << package << '\n';
  file.close();
  if (!file) return {failure("cannot write into " + environment)};
  return {};
}

}  // namespace

spec::Result<std::string> install_engine(const InstallRequest& request, const Places& places,
                                         std::ostream& progress) {
  const auto built_in = built_in_engines();
  if (std::ranges::find(built_in, request.engine) != built_in.end()) {
    progress << request.engine << " is part of this program: nothing to install\n";
    return request.engine;
  }
  const auto equals = request.engine.find("==");
  const auto manifest = registry::find_manifest(request.engine.substr(0, equals), places);
  if (!manifest) return manifest.errors();
  const std::string version =
      equals == request.engine.npos ? manifest->version : request.engine.substr(equals + 2);
  if (version.empty() || version.find_first_of("/ \t\n=<>~") != version.npos)
    return failure(fmt::format("'{}' is not a version", version),
                   "write NAME==VERSION, for example torch==2.12.0");
  const std::string name = manifest->engine_name(version);

  std::error_code error;
  fs::create_directories(places.engines, error);
  if (error) return failure(fmt::format("cannot make {}: {}", places.engines, error.message()));
  const Lock lock(places.engines);
  const fs::path folder = registry::environment_folder(*manifest, version, places);
  const bool environment_there = registry::has_python(folder.string());
  if (environment_there && fs::exists(folder / marker)) {
    progress << name << " is installed\n";
    return name;
  }
  const auto packages = pinned(*manifest, version);
  progress << fmt::format("installing {} into {}\n", fmt::join(packages, " "), folder.string()) << std::flush;
  if (environment_there) {  // made by hand: completed where it is
    if (auto errors = fill(folder.string(), packages, request.pip_arguments); !errors.empty()) return errors;
    return name;
  }
  const Unfinished unfinished(fs::path(places.engines) / (".installing-" + name));
  if (registry::execute({"python3", "-m", "venv", unfinished.path()}) != 0)
    return failure("python3 -m venv failed", "Debian has it in the package python3-venv");
  if (auto errors = fill(unfinished.path(), packages, request.pip_arguments); !errors.empty()) return errors;
  fs::rename(unfinished.path(), folder, error);
  if (error) return failure(fmt::format("cannot make {}: {}", folder.string(), error.message()));
  progress << name << " is installed\n";
  return name;
}

}  // namespace scatterproof::engines
