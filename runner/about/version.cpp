// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/about/version.hpp"

#include <fmt/core.h>
#include <sys/utsname.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <boost/version.hpp>
#include <chrono>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <tao/pegtl/version.hpp>
#include <thread>

#include "scatterproof/engines/thrust/thrust.hpp"

namespace scatterproof::runner {

std::string tool_version() { return SCATTERPROOF_VERSION; }

std::map<std::string, std::string> libraries() {
  std::map<std::string, std::string> all{
      {"compiler", fmt::format("g++ {}", __VERSION__)},
      {"boost", fmt::format("{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000)},
      {"cli11", CLI11_VERSION},
      {"eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"nlohmann-json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                    NLOHMANN_JSON_VERSION_PATCH)},
      {"pegtl", TAO_PEGTL_VERSION},
      {"thrust", engines::thrust_version()},
      {"pugixml", fmt::format("{}.{}", PUGIXML_VERSION / 1000, PUGIXML_VERSION % 1000 / 10)},
      {"yaml-cpp", SCATTERPROOF_YAML_CPP_VERSION},
      {"z3", SCATTERPROOF_Z3_VERSION},
  };
  if (const std::string mimalloc = SCATTERPROOF_MIMALLOC_VERSION; !mimalloc.empty())
    all["mimalloc"] = mimalloc;
  return all;
}

std::string version_text(const std::string& revision) {
  std::string text = fmt::format("scatterproof {} (git {})", tool_version(), revision);
  for (const auto& [name, version] : libraries()) text += fmt::format("\n  {:14} {}", name, version);
  return text;
}

std::string machine() {
  std::string cpu = "unknown CPU";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) {
      cpu = line.substr(line.find(':') + 2);
      break;
    }
  utsname system{};
  uname(&system);
  return fmt::format("{}, {} cores, {} {}", cpu, std::thread::hardware_concurrency(), system.sysname,
                     system.release);
}

std::string host_name() {
  utsname system{};
  uname(&system);
  return system.nodename;
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace scatterproof::runner
