// SPDX-License-Identifier: Apache-2.0
#include "doctor_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "scatterproof/engines/client/worker.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/files/state.hpp"
#include "scatterproof/runner/history/history.hpp"
#include "scatterproof/runner/select/shard_of_environment.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "settings_file.hpp"

namespace scatterproof::runner::cli {
namespace {
namespace fs = std::filesystem;
using State = DoctorFinding::State;

std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? value : "";
}

/// The first error in one line, and how many more there are.
std::string first_of(const spec::Errors& errors) {
  const spec::Error& first = errors.front();
  const std::string place = first.file.empty() ? ""
                            : first.at.line > 0
                                ? fmt::format("{}:{}:{}: ", first.file, first.at.line, first.at.column)
                                : first.file + ": ";
  const std::string more = errors.size() > 1 ? fmt::format(" (and {} more)", errors.size() - 1) : "";
  return place + first.what + more;
}

/// The first line that a command prints on stdout; empty when it fails.
std::string first_line_of(const char* command) {
  std::FILE* output = popen(command, "r");
  if (!output) return "";
  char line[256] = {};
  const bool any = std::fgets(line, sizeof line, output) != nullptr;
  while (std::fgetc(output) != EOF) {
  }
  if (pclose(output) != 0 || !any) return "";
  std::string text = line;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// By making a folder in it: what permissions say is not all.
bool is_writable(const fs::path& folder) {
  std::string name = (folder / "scatterproof-XXXXXX").string();
  return mkdtemp(name.data()) != nullptr && rmdir(name.c_str()) == 0;
}

std::string install_command(const std::string& engine) {
  return "scatterproof engines install " + spec::without_release(engine);
}

DoctorFinding started(const engines::EngineListing& listing, const spec::SpecLibrary& specs,
                      const Context& context) {
  auto engine = find_engine(listing.name, specs, context.places);
  const std::string reason = engine ? (*engine)->start() : first_of(engine.errors());
  // One of this program's own engines lacks a device, which an installation cannot fix.
  const bool own = listing.name.find('@') == std::string::npos;
  if (!reason.empty())
    return {own ? State::note : State::missing, "engine",
            fmt::format("{} does not start: {}", listing.name, reason),
            own ? "" : install_command(listing.name)};
  const engines::EngineInfo info = (*engine)->info();
  (*engine)->stop();
  return {State::ok, "engine",
          fmt::format("{} started: version {}, device {}", listing.name, info.version, info.device)};
}

DoctorFinding not_installed(const engines::EngineListing& listing, const Context& context) {
  const bool own = listing.name.find('@') == std::string::npos;
  std::error_code ignored;
  if (!own && fs::is_directory(fs::path(context.places.engines) / listing.name, ignored))
    return {State::note, "engine",
            fmt::format("{} is installed, but its Python cannot be executed", listing.name),
            install_command(listing.name)};
  return {State::note, "engine", fmt::format("{} is {}", listing.name, own ? listing.state : "not installed"),
          own ? "" : install_command(listing.name)};
}

}  // namespace

DoctorFindings check_program(const Context& context) {
  return {{State::ok, "program", fmt::format("scatterproof {} (git {})", tool_version(), context.revision)}};
}

DoctorFindings check_data(const Context& context) {
  const auto catalogue = load_catalogue({}, context.places);
  if (!catalogue)
    return {
        {State::missing, "data", first_of(catalogue.errors()),
         fmt::format("{} must hold spec, cases and engines/workers; SCATTERPROOF_DATA names another folder",
                     context.places.data)}};
  return {{State::ok, "data",
           fmt::format("{}: {} specs, {} cases", context.places.data, catalogue->specs.all().size(),
                       catalogue->cases.size())}};
}

DoctorFindings check_state() {
  const std::string folder = state_folder();
  if (folder.empty())
    return {{State::note, "state", "runs are not kept: neither XDG_STATE_HOME nor HOME is set",
             "set XDG_STATE_HOME to a folder"}};
  fs::path there = folder;  // what is missing of it is made when a run is kept
  std::error_code failed;
  while (!fs::exists(there, failed) && there != there.parent_path()) there = there.parent_path();
  if (!is_writable(there))
    return {{State::note, "state", fmt::format("runs are not kept: {} cannot be written", there.string()),
             "XDG_STATE_HOME names another folder"}};
  const fs::space_info space = fs::space(there, failed);
  if (failed) return {{State::note, "state", fmt::format("{}: {}", folder, failed.message())}};
  constexpr std::uintmax_t megabyte = 1 << 20, little = 100 * megabyte;
  return {{space.available < little ? State::note : State::ok, "state",
           fmt::format("{}: writable, {} MiB free", folder, space.available / megabyte)}};
}

DoctorFindings check_engines(const Context& context, bool start) {
  const auto specs = load_specs("", context.places);
  DoctorFindings findings;
  bool any = false;
  for (const engines::EngineListing& listing : engines::list_engines(context.places)) {
    any = any || listing.installed;
    if (!listing.installed)
      findings.push_back(not_installed(listing, context));
    else if (start && specs)
      findings.push_back(started(listing, *specs, context));
    else
      findings.push_back({State::ok, "engine", listing.name + " is installed"});
  }
  if (!any) findings.push_back({State::missing, "engine", "no engine is installed"});
  return findings;
}

DoctorFindings check_workers() {
  const std::string& why = engines::why_workers_are_not_apart();
  if (why.empty())
    return {{State::ok, "workers",
             "each has a process namespace: it can neither signal nor outlive scatterproof"}};
  return {{State::note, "workers",
           fmt::format("they have no process namespace ({}): a hostile kernel can end scatterproof", why),
           "allow user namespaces, or run strangers' kernels in a container: docs/use/test-your-kernel.md"}};
}

DoctorFindings check_python() {
  const std::string version = first_line_of("python3 --version 2>/dev/null");
  if (version.empty())
    return {{State::note, "python", "there is no python3: no framework can be installed",
             "install Python 3; Debian has it in the package python3"}};
  if (first_line_of("python3 -c 'import venv, ensurepip; print(1)' 2>/dev/null").empty())
    return {{State::note, "python", version + " has no venv: no framework can be installed",
             "Debian has it in the package python3-venv"}};
  return {{State::ok, "python", version + " with venv, for `engines install`"}};
}

DoctorFindings check_cuda() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string driver;
  std::error_code ignored;
  if (!std::getline(file, driver))
    return {{State::ok, "cuda",
             fs::exists("/dev/nvidiactl", ignored) ? "a device, but no driver that tells its version"
                                                   : "no NVIDIA driver is loaded: engines run on the CPU"}};
  std::size_t devices = 0;
  for (const auto& entry : fs::directory_iterator("/dev", ignored)) {
    const std::string name = entry.path().filename().string();
    devices +=
        name.size() > 6 && name.starts_with("nvidia") && std::all_of(name.begin() + 6, name.end(), ::isdigit);
  }
  return {{State::ok, "cuda", fmt::format("{} devices; {}", devices, driver)}};
}

DoctorFindings check_history(bool start) {
  DoctorFindings findings;
  for (const auto& [backend, problem] : history::backends())
    findings.push_back(
        problem.empty() ? DoctorFinding{State::ok, "history", fmt::format("backend {} is there", backend)}
                        : DoctorFinding{State::note, "history",
                                        fmt::format("backend {} cannot be loaded: {}", backend, problem),
                                        fmt::format("Debian has it in the package libsoci-{}4.0", backend)});
  const std::string place = history::usual_place(), shown = history::shown(place);
  if (place.empty() || !history::may_exist(place)) {
    findings.push_back({State::ok, "history", "there is no history yet", "scatterproof history add"});
  } else if (place.find("://") != std::string::npos && !start) {
    findings.push_back({State::ok, "history", shown + " is not asked", "scatterproof doctor --start"});
  } else {
    auto opened = history::History::open_existing(place);
    const auto runs = opened ? opened.value().runs() : opened.errors();
    findings.push_back(
        runs ? DoctorFinding{State::ok, "history", fmt::format("{}: {} runs", shown, runs->size())}
             : DoctorFinding{State::note, "history", first_of(runs.errors())});
  }
  return findings;
}

DoctorFindings check_settings(CLI::App& app, const Context& context) {
  const auto files = read_settings(app, context);
  if (!files) return {{State::missing, "settings", first_of(files.errors()), files.errors().front().hint}};
  return {{State::ok, "settings",
           fmt::format("{}, {}", files->file.empty() ? "no scatterproof.yaml" : files->file,
                       files->profile.empty() ? "no profile" : "profile " + files->profile)}};
}

DoctorFindings check_ci() {
  std::vector<std::string> seen;
  for (const char* name : {"CI", "GITHUB_ACTIONS", "GITLAB_CI", "CIRCLECI", "BUILDKITE", "JENKINS_URL",
                           "SLURM_JOB_ID", "KUBERNETES_SERVICE_HOST"})
    if (!variable(name).empty()) seen.emplace_back(name);
  DoctorFindings findings{{State::ok, "ci",
                           seen.empty() ? "no CI system in the environment"
                                        : fmt::format("the environment has {}", fmt::join(seen, ", "))}};
  const auto variables = shard_variables(variable);
  const auto given = shard_of_environment(variable);
  if (given)
    findings.push_back({State::ok, "shard",
                        fmt::format("`--shard auto` takes {}: {} decides", given->shard, given->variable)});
  else if (variables.empty())
    findings.push_back({State::ok, "shard", "no variable names a shard"});
  else
    findings.push_back({State::note, "shard", first_of(given.errors()), given.errors().front().hint});
  return findings;
}

}  // namespace scatterproof::runner::cli
