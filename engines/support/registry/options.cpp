// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "built_in.hpp"
#include "scatterproof/engines/registry/locate.hpp"

namespace scatterproof::engines::registry {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view by_command = "cmd:";
constexpr std::string_view by_library = "so:";
constexpr std::string_view library_host = "scatterproof_plugin_host";
constexpr std::uint64_t no_limit = 0;

spec::Error missing(std::string what, std::string hint) {
  spec::Error error;
  error.what = std::move(what);
  error.hint = std::move(hint);
  return error;
}

/// Variables that every worker starts with: it finds its package and the specs, and writes no bytecode into
/// ours. The number of threads is left to the framework. An installed framework has its own packages alone.
std::vector<std::pair<std::string, std::string>> common_environment(const Places& places) {
  const fs::path data = fs::absolute(places.data);
  return {{"SCATTERPROOF_DATA", data.string()},
          {"PYTHONPATH", (data / "engines/workers/python").string()},
          {"PYTHONDONTWRITEBYTECODE", "1"}};
}

/// A user's own worker, or interpreter, finds what the user's PYTHONPATH names, after our package.
void add_users_packages(WorkerOptions& options) {
  const char* users = std::getenv("PYTHONPATH");
  if (!users || !*users) return;
  for (auto& [name, value] : options.environment)
    if (name == "PYTHONPATH") value += std::string(":") + users;
}

spec::Result<WorkerOptions> host_options(const HostProgram& host, WorkerOptions options) {
  const std::string program = find_program(host.program);
  if (program.empty())
    return missing(fmt::format("{} is not built: {}", options.info.name, host.why_missing),
                   "`scatterproof engines list` shows the engines that are available");
  options.command = {program};
  options.environment.emplace_back("OMP_NUM_THREADS", "1");  // calls say how many an engine may use
  if (!host.argument.empty()) options.command.push_back(host.argument);
  options.address_space = no_limit;  // a device's driver reserves more than there is
  return options;
}

/// Threads of OpenMP that wait for work spin for milliseconds, and starve each other where there are more of
/// them than cores. Here they soon sleep, unless the user has chosen: several times more calls a second on a
/// busy machine. The few microseconds of spinning that are left let threads meet, and races show.
void let_threads_sleep(WorkerOptions& options) {
  if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) return;
  options.environment.emplace_back("OMP_WAIT_POLICY", "passive");
  options.environment.emplace_back("GOMP_SPINCOUNT", "3000");
}

spec::Result<WorkerOptions> library_options(const std::string& path, bool timed, WorkerOptions options) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored) || access(path.c_str(), R_OK) != 0)
    return missing(fmt::format("cannot read the file '{}'", path),
                   "so:PATH names a shared library that exports a kernel (docs/use/test-your-kernel.md)");
  const std::string program = find_program(library_host);
  if (program.empty())
    return missing(
        fmt::format("the program that loads '{}' is missing: libexec/scatterproof/{}", path, library_host),
        "it is built and installed together with scatterproof: build or install again");
  options.command = {program, fs::absolute(path).string()};
  options.environment.emplace_back("OMP_NUM_THREADS", "1");  // calls say how many a kernel may use
  options.address_space = no_limit;                          // it may be a device's kernel
  if (!timed) let_threads_sleep(options);
  return options;
}

WorkerOptions plain_options(const std::string& name, const Places& places) {
  WorkerOptions options;
  options.environment = common_environment(places);
  options.info.name = name;
  options.info.device = "cpu";
  return options;
}

/// Errors, if a name has a form in it that its framework lacks.
spec::Errors check_form(const Manifest& manifest, const std::string& engine, const std::string& form) {
  if (engine.substr(0, engine.find('@')) == manifest.name || manifest.form(form)) return {};
  std::vector<std::string> names;
  for (const EngineForm& known : manifest.forms) names.push_back(known.name);
  if (names.empty())
    return {missing(fmt::format("unknown engine '{}': {} has one form", engine, manifest.name),
                    "write " + manifest.name)};
  const auto near = spec::nearest(form, names);
  return {missing(fmt::format("unknown engine '{}': {} has no form '{}'", engine, manifest.name, form),
                  near ? spec::did_you_mean(fmt::format("{}:{}", manifest.name, *near))
                       : fmt::format("its forms are {0}, {0}:{1}", manifest.name,
                                     fmt::join(names, fmt::format(", {}:", manifest.name))))};
}

/// The releases that a version may mean: itself alone, or those that add a local label to it (PEP 440), as
/// `2.12.0+cu130` does to `2.12.0`. No version means the user's own release, or else the manifest's.
std::vector<Release> meant(const std::string& version, const Manifest& manifest,
                           const std::vector<Release>& releases) {
  if (version.empty() && !releases.empty() && releases.front().users) return {releases.front()};
  const std::string& wanted = version.empty() ? manifest.version : version;
  if (const auto same = std::ranges::find(releases, wanted, &Release::version); same != releases.end())
    return {*same};
  std::vector<Release> labelled;
  for (const Release& one : releases)
    if (one.version.starts_with(wanted + "+")) labelled.push_back(one);
  return labelled;
}

/// `torch@2.12.0, torch@2.13.0`
std::string names_of(const std::vector<Release>& releases, const Manifest& manifest) {
  std::vector<std::string> names;
  for (const Release& one : releases) names.push_back(manifest.engine_name(one.version));
  return fmt::format("{}", fmt::join(names, ", "));
}

spec::Result<WorkerOptions> framework_options(const std::string& name, const Places& places) {
  const EngineParts parts = parts_of(name);
  const auto manifest = find_manifest(parts.framework, places);
  if (!manifest) return manifest.errors();
  if (auto errors = check_form(*manifest, name, parts.form); !errors.empty()) return errors;
  if (!places.python.empty() && access(places.python.c_str(), X_OK) != 0)
    return missing(fmt::format("cannot execute the interpreter '{}'", places.python),
                   "SCATTERPROOF_PYTHON names it; without that variable only what `scatterproof engines "
                   "install` has installed is used");
  const std::vector<Release> present = releases_of(*manifest, places);
  const std::vector<Release> fitting = meant(parts.version, *manifest, present);
  if (fitting.size() == 1) return framework_worker(*manifest, fitting.front(), parts.form, places);
  const std::string version = parts.version.empty() ? manifest->version : parts.version;
  if (!fitting.empty())
    return missing(
        fmt::format("{} may be any of {}", manifest->engine_name(version), names_of(fitting, *manifest)),
        "name one of them");
  spec::Error error = missing(fmt::format("{} is not installed", manifest->engine_name(version)),
                              fmt::format("scatterproof engines install {}=={}", manifest->name, version));
  if (!present.empty()) error.hint += fmt::format("; installed: {}", names_of(present, *manifest));
  return error;
}

/// Whether this machine has a device whose driver reserves more address space than there is memory: NVIDIA's
/// or AMD's.
bool has_device() {
  std::error_code ignored;
  return fs::exists("/dev/nvidiactl", ignored) || fs::exists("/dev/kfd", ignored);
}

/// A compiler's first function takes some 20 s of processor time.
constexpr std::chrono::seconds form_start_timeout{180};

}  // namespace

WorkerOptions framework_worker(const Manifest& manifest, const Release& release, const std::string& form,
                               const Places& places) {
  WorkerOptions options = plain_options(manifest.engine_name(release.version, form), places);
  if (release.users) add_users_packages(options);
  options.environment.emplace_back("SCATTERPROOF_FORM", form);
  if (!form.empty()) options.start_timeout = form_start_timeout;
  if (const EngineForm* of = manifest.form(form); of && of->names_device()) options.address_space = no_limit;
  options.info.framework = manifest.framework;
  options.info.version = release.version;
  const auto script = fs::absolute(fs::path(places.data) / "engines/workers" / manifest.name / "worker.py");
  options.command = {release.python, script.string()};
  options.in_scratch = true;
  return options;
}

std::string find_program(std::string_view program) {
  return find_above_program("libexec/scatterproof/" + std::string(program));
}

WorkerOptions users_worker(const std::string& name, const Places& places) {
  WorkerOptions options = plain_options(name, places);
  add_users_packages(options);
  if (has_device()) options.address_space = no_limit;  // it may drive it
  return options;
}

spec::Result<WorkerOptions> worker_options(const std::string& name, const Places& places,
                                           const spec::SpecLibrary* specs) {
  WorkerOptions options = plain_options(name, places);
  if (name.starts_with(by_command)) {
    options = users_worker(name, places);
    options.command = {"/bin/sh", "-c", "exec " + name.substr(by_command.size())};
    return options;
  }
  if (is_function(name)) {
    const auto function = function_of(name);
    if (!function) return function.errors();
    if (specs) return function_options(*function, users_worker(name, places), *specs, places);
    const auto shipped = spec::SpecLibrary::load(places.data + "/spec/data/ops");
    if (!shipped) return shipped.errors();
    return function_options(*function, users_worker(name, places), *shipped, places);
  }
  if (name.starts_with(by_library))
    return library_options(name.substr(by_library.size()), places.timed, std::move(options));
  if (const BuiltInEngine* engine = find_built_in(name))
    if (const auto* host = std::get_if<HostProgram>(&engine->runs))
      return host_options(*host, std::move(options));
  return framework_options(name, places);
}

}  // namespace scatterproof::engines::registry

namespace scatterproof::engines {

bool is_users_own(const std::string& name) {
  return name.starts_with(registry::by_command) || name.starts_with(registry::by_library) ||
         is_function(name);
}

}  // namespace scatterproof::engines
