// SPDX-License-Identifier: Apache-2.0
// Virtual environments: made under a temporary name, and renamed only when their worker starts.
#include "scatterproof/engines/registry/install.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "execute.hpp"
#include "manifest.hpp"
#include "options.hpp"
#include "pip.hpp"
#include "scatterproof/engines/client/worker.hpp"

namespace scatterproof::engines {
namespace {

namespace fs = std::filesystem;
using registry::Manifest;

constexpr const char* record = "scatterproof-packages.txt";  // in an environment: the packages asked for
constexpr std::string_view half_made = ".installing-";
constexpr std::string_view given_up = ".removing-";

spec::Error failure(std::string what, std::string hint = {}) {
  spec::Error error;
  error.what = std::move(what);
  error.hint = std::move(hint);
  return error;
}

/// One installation at a time into a folder; a second one waits, and then finds everything done. Remains of
/// killed installations are removed.
class Lock {
 public:
  explicit Lock(const fs::path& engines)
      : file_(open((engines / ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    while (file_ >= 0 && flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
    std::error_code ignored;
    std::vector<fs::path> left;
    for (const auto& entry : fs::directory_iterator(engines, ignored))
      if (const auto name = entry.path().filename().string();
          name.starts_with(half_made) || name.starts_with(given_up))
        left.push_back(entry.path());
    for (const auto& folder : left) fs::remove_all(folder, ignored);
  }
  ~Lock() {
    if (file_ >= 0) close(file_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

/// Removes a folder at the end, if it is still there.
class Unfinished {
 public:
  explicit Unfinished(fs::path folder) : folder_(std::move(folder)) {}
  ~Unfinished() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  std::string path() const { return folder_.string(); }

 private:
  fs::path folder_;
};

/// What is being done. On a terminal each word takes the place of the one before.
class Progress {
 public:
  Progress(std::ostream& out, std::string name, bool terminal)
      : out_(out), name_(std::move(name)), terminal_(terminal) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void doing(const std::string& words) {
    if (terminal_) out_ << "\r\033[K" << name_ << ": " << words << " ..." << std::flush;
  }
  void say(const std::string& line) {
    clear();
    out_ << line << '\n' << std::flush;
  }

 private:
  void clear() {
    if (terminal_) out_ << "\r\033[K" << std::flush;
  }
  std::ostream& out_;
  std::string name_;
  bool terminal_;
};

std::string in_units(std::uint64_t bytes) {
  return bytes < 1'000'000'000 ? fmt::format("{} MB", (bytes + 500'000) / 1'000'000)
                               : fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1e9);
}

std::uint64_t size_on_disk(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored))
    if (entry.is_regular_file(ignored) && !entry.is_symlink(ignored)) bytes += entry.file_size(ignored);
  return bytes;
}

std::string recorded(const fs::path& environment) {
  std::ifstream file(environment / record);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What an installation is about, with the pins of the user's in place.
struct Plan {
  Manifest manifest;
  std::string version;
  std::vector<std::string> packages;
  std::vector<std::string> pip_arguments;
  bool pinned = false;  ///< by the user
  fs::path folder;
  fs::path log;

  std::string name() const { return manifest.engine_name(version); }
  std::string listed() const { return fmt::format("{}\n", fmt::join(packages, "\n")); }
};

/// `2.13.0`, `2.0rc1`, `1.5.0+cu118`: one release, which names a folder too.
bool is_version(std::string_view text) {
  const auto may_stand = [](unsigned char c) {
    return std::isalnum(c) || (c != 0 && std::strchr(".+!_-", c));
  };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) &&
         std::ranges::all_of(text, may_stand);
}

/// What is wrong with a word for pip; empty: nothing that can be known here.
std::string fault_of(const std::string& word) {
  static const std::vector<std::string> idle = {"-h", "--help", "-V", "--version"};
  if (std::ranges::find(idle, word) != idle.end()) return fmt::format("with '{}' pip installs nothing", word);
  if (word.starts_with("-")) return "";
  const auto equals = word.find("==");
  if (equals != word.npos && !is_version(std::string_view(word).substr(equals + 2)))
    return fmt::format("'{}' is not a version", word.substr(equals + 2));
  return word.find('*') != word.npos ? fmt::format("'{}' is not a package", word) : "";
}

bool is_pin(const std::string& word) { return !word.starts_with("-") && word.find("==") != word.npos; }

spec::Result<Plan> plan_for(const InstallRequest& request, const Places& places) {
  const auto equals = request.engine.find("==");
  const auto manifest = registry::find_manifest(request.engine.substr(0, equals), places);
  if (!manifest) return manifest.errors();
  Plan plan;
  plan.manifest = *manifest;
  plan.version = manifest->version;
  if (equals != request.engine.npos) plan.version = request.engine.substr(equals + 2);
  if (!is_version(plan.version))
    return failure(fmt::format("'{}' is not a version", plan.version),
                   "write NAME==VERSION, for example torch==2.12.0");
  for (const auto& word : request.words)
    if (const std::string fault = fault_of(word); !fault.empty())
      return failure(fault, "write NAME==VERSION, for example numpy==1.26.4");
  std::vector<std::string> pins;
  for (const auto& word : request.words) (is_pin(word) ? pins : plan.pip_arguments).push_back(word);
  plan.pinned = !pins.empty();
  plan.packages = registry::packages_for(plan.manifest, plan.version, pins);
  plan.folder = registry::environment_folder(plan.manifest, plan.version, places);
  plan.log = fs::path(places.engines) / "logs" / (plan.name() + ".txt");
  return plan;
}

/// The last line that says something: what a traceback comes to.
std::string_view last_line(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" \n") + 1);
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

/// Why the worker of an environment does not start; empty when it does.
std::string start_failure(const Plan& plan, const std::string& environment, const Places& places) {
  const registry::Release release{plan.version, registry::python_in(environment)};
  return make_worker_engine(registry::framework_worker(plan.manifest, release, "", places))->start();
}

/// An error when the disk has no room for it.
spec::Errors check_room(const Plan& plan, const Places& places) {
  std::error_code unknown;
  const auto space = fs::space(places.engines, unknown);
  const std::uint64_t needed = plan.manifest.fetches + plan.manifest.takes;
  if (unknown || space.available >= needed) return {};
  return {failure(fmt::format("{} needs about {}, and {} has {}", plan.name(), in_units(needed),
                              places.engines, in_units(space.available)),
                  "SCATTERPROOF_ENGINES names another folder")};
}

/// Makes the environment under its temporary name. Gives the bytes that pip fetched.
spec::Result<std::uint64_t> make(const Plan& plan, const std::string& environment, const Places& places,
                                 Progress& progress) {
  progress.doing("making a virtual environment");
  if (registry::execute({"python3", "-m", "venv", environment}, [](const std::string&) {}) != 0)
    return failure("python3 -m venv failed", "Debian has it in the package python3-venv");
  std::vector<std::string> arguments = plan.pip_arguments;
  arguments.insert(arguments.end(), plan.packages.begin(), plan.packages.end());
  const auto fetched = registry::pip_install(environment, arguments, plan.log.string(),
                                             [&](const std::string& words) { progress.doing(words); });
  if (!fetched)
    return failure(fmt::format("cannot install {}: {}", plan.name(), fetched.errors().front().what),
                   "pip's own words are in " + plan.log.string());
  progress.doing("starting it");
  if (const auto why = start_failure(plan, environment, places); !why.empty()) {
    std::ofstream(plan.log, std::ios::app) << why << '\n';
    return failure(
        fmt::format("cannot install {}: it does not start: {}", plan.name(), last_line(why)),
        fmt::format("all of it is in {}; another release of what it needs may help, such as {}=={} "
                    "numpy==1.26.4",
                    plan.log.string(), plan.manifest.name, plan.version));
  }
  std::ofstream file(fs::path(environment) / record);
  file << plan.listed();
  file.close();
  if (!file) return failure("cannot write into " + environment);
  return *fetched;
}

/// Puts a complete environment into its place, where a broken one may be.
spec::Errors move_in(const std::string& from, const fs::path& folder) {
  const Unfinished old(folder.parent_path() / (std::string(given_up) + folder.filename().string()));
  std::error_code error;
  if (fs::exists(folder)) fs::rename(folder, old.path(), error);
  if (!error) fs::rename(from, folder, error);
  if (error) return {failure(fmt::format("cannot make {}: {}", folder.string(), error.message()))};
  return {};
}

/// Makes a folder like an environment, whose python is the interpreter named.
spec::Errors lead_to(const std::string& python, const fs::path& environment) {
  std::string quoted = fs::absolute(python).string();
  for (auto at = quoted.find('\''); at != quoted.npos; at = quoted.find('\'', at + 4))
    quoted.replace(at, 1, "'\\''");
  const fs::path script = environment / "bin/python";
  std::error_code error;
  fs::create_directories(script.parent_path(), error);
  std::ofstream file(script);
  file << fmt::format("#!/bin/sh\nexec '{}' \"$@\"\n", quoted);
  file.close();
  if (!error) fs::permissions(script, fs::perms(0755), error);
  if (!file || error) return {failure("cannot write into " + environment.string())};
  return {};
}

/// The framework of an interpreter that has it, under the release that its worker declares.
spec::Result<std::string> take_over(const InstallRequest& request, const Places& places, Progress& progress) {
  const auto manifest = registry::find_manifest(request.engine, places);
  if (!manifest) return manifest.errors();
  if (!request.words.empty()) return failure("an interpreter is taken as it is, without packages for pip");
  std::error_code error;
  fs::create_directories(places.engines, error);
  if (error) return failure(fmt::format("cannot make {}: {}", places.engines, error.message()));
  const Lock lock(places.engines);
  const Unfinished unfinished(fs::path(places.engines) / (std::string(half_made) + manifest->name));
  if (auto errors = lead_to(request.python, unfinished.path()); !errors.empty()) return errors;
  progress.doing("starting it");
  const registry::Release release{"", registry::python_in(unfinished.path())};
  const auto engine = make_worker_engine(registry::framework_worker(*manifest, release, "", places));
  if (const auto why = engine->start(); !why.empty())
    return failure(
        fmt::format("{} has no {} that starts: {}", request.python, manifest->name, last_line(why)));
  const std::string version = engine->info().version;
  engine->stop();
  const fs::path folder = registry::environment_folder(*manifest, version, places);
  if (fs::exists(folder))
    return failure(
        fmt::format("{} is installed already", manifest->engine_name(version)),
        fmt::format("`scatterproof engines remove {}` removes it", manifest->engine_name(version)));
  if (auto errors = move_in(unfinished.path(), folder); !errors.empty()) return errors;
  progress.say(fmt::format("using {} from {}", manifest->engine_name(version), request.python));
  return manifest->engine_name(version);
}

/// The packages of a plan that an environment, made by an earlier manifest, lacks. An existing interpreter
/// that was taken over is left as it is.
std::vector<std::string> lacking(const Plan& plan) {
  std::vector<std::string> has, lacks;
  std::istringstream lines(recorded(plan.folder));
  for (std::string line; std::getline(lines, line);) has.push_back(registry::package_name(line));
  for (const auto& package : plan.packages)
    if (!has.empty() && std::ranges::find(has, registry::package_name(package)) == has.end())
      lacks.push_back(package);
  return lacks;
}

/// Whether what is asked for is there and starts. What is wrong with it is told.
bool is_ready(const Plan& plan, const Places& places, Progress& progress) {
  if (!registry::has_python(plan.folder.string())) return false;
  if (plan.pinned && recorded(plan.folder) != plan.listed()) return false;
  if (const auto lacks = lacking(plan); !lacks.empty()) {
    progress.say(
        fmt::format("{} was installed without {}; installing it again", plan.name(), fmt::join(lacks, ", ")));
    return false;
  }
  progress.doing("starting it");
  const auto why = start_failure(plan, plan.folder.string(), places);
  if (!why.empty())
    progress.say(fmt::format("{} does not start: {}; installing it again", plan.name(), last_line(why)));
  return why.empty();
}

}  // namespace

spec::Result<std::string> install_engine(const InstallRequest& request, const Places& places,
                                         std::ostream& out) {
  const auto built_in = built_in_engines();
  if (std::ranges::find(built_in, request.engine) != built_in.end()) {
    out << request.engine << " is part of this program: nothing to install\n";
    return request.engine;
  }
  if (!request.python.empty()) {
    Progress progress(out, request.engine, request.terminal);
    return take_over(request, places, progress);
  }
  const auto plan = plan_for(request, places);
  if (!plan) return plan.errors();
  std::error_code error;
  fs::create_directories(plan->log.parent_path(), error);
  if (error) return failure(fmt::format("cannot make {}: {}", places.engines, error.message()));
  const Lock lock(places.engines);
  Progress progress(out, plan->name(), request.terminal);
  if (is_ready(*plan, places, progress)) {
    progress.say(plan->name() + " is installed");
    return plan->name();
  }
  if (auto errors = check_room(*plan, places); !errors.empty()) return errors;
  progress.say(fmt::format("installing {} into {}: about {} to fetch, {} on disk",
                           fmt::join(plan->packages, " "), plan->folder.string(),
                           in_units(plan->manifest.fetches), in_units(plan->manifest.takes)));
  const Unfinished unfinished(fs::path(places.engines) / (std::string(half_made) + plan->name()));
  const auto fetched = make(*plan, unfinished.path(), places, progress);
  if (!fetched) return fetched.errors();
  if (auto errors = move_in(unfinished.path(), plan->folder); !errors.empty()) return errors;
  progress.say(fmt::format("{} is installed: {} fetched, {} on disk", plan->name(), in_units(*fetched),
                           in_units(size_on_disk(plan->folder))));
  return plan->name();
}

spec::Result<std::string> remove_engine(const std::string& engine, const Places& places) {
  const auto at = engine.find('@');
  const auto manifest = registry::find_manifest(engine.substr(0, at), places);
  if (!manifest) return manifest.errors();
  const auto installed = registry::installed_versions(*manifest, places);
  if (at == engine.npos && installed.size() > 1)
    return failure(
        fmt::format("{} is installed in {} releases", engine, installed.size()),
        fmt::format("name one: {0}@{1}", engine, fmt::join(installed, fmt::format(", {}@", engine))));
  const std::string version = at != engine.npos   ? engine.substr(at + 1)
                              : installed.empty() ? manifest->version
                                                  : installed.front();
  const std::string name = manifest->engine_name(version);
  if (std::ranges::find(installed, version) == installed.end())
    return failure(name + " is not installed", "`scatterproof engines list` shows what is");
  const Lock lock(places.engines);
  const Unfinished removed(fs::path(places.engines) / (std::string(given_up) + name));
  std::error_code error;
  fs::rename(registry::environment_folder(*manifest, version, places), removed.path(), error);
  if (error) return failure(fmt::format("cannot remove {}: {}", name, error.message()));
  return name;
}

}  // namespace scatterproof::engines
