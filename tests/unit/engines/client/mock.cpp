// SPDX-License-Identifier: Apache-2.0
#include "mock.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace scatterproof::engines::testing {
namespace {

int count_processes(const std::string& mark) {
  int count = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    std::ifstream file(entry.path() / "cmdline");
    std::ostringstream line;
    line << file.rdbuf();  // a process that ends meanwhile cannot be read: that sets a bit and throws nothing
    if (line.str().find(mark) != std::string::npos) ++count;
  }
  return count;
}

/// The Python of an installed engine, since the workers' package needs numpy; else whatever python3 is.
std::string python() {
  const char* named = std::getenv("SCATTERPROOF_ENGINES");
  const char* home = std::getenv("HOME");
  const std::filesystem::path engines =
      named ? named : std::filesystem::path(home ? home : "/") / ".local/share/scatterproof/engines";
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(engines, ignored))
    if (entry.path().filename().string().starts_with("numpy@")) return entry.path() / "bin/python";
  return "/usr/bin/python3";
}

}  // namespace

Mock::Mock(std::vector<std::string> flags) {
  static std::atomic<int> number{0};
  mark = "--mark=" + std::to_string(getpid()) + "-" + std::to_string(++number);
  const std::string source = SCATTERPROOF_SOURCE_DIR;
  options.info.name = "mock";
  options.command = {python(), source + "/tests/unit/engines/client/mock_worker.py", mark};
  options.command.insert(options.command.end(), flags.begin(), flags.end());
  options.environment = {{"PYTHONPATH", source + "/engines/workers/python"},
                         {"PYTHONDONTWRITEBYTECODE", "1"}};
}

int Mock::processes_left() const {
  for (int attempt = 0; attempt < 500 && count_processes(mark) > 0; ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return count_processes(mark);
}

spec::Call mock_call(const std::string& name, std::int64_t number) {
  const std::vector<spec::Scalar> values{spec::Scalar::of_int(number), spec::Scalar::of_int(number + 1)};
  return {"mock." + name, {{"x", spec::Tensor(spec::DType::i64, {2}, values)}}};
}

bool answered_honestly(const spec::Outcome& outcome, std::int64_t number) {
  const auto* produced = std::get_if<spec::Produced>(&outcome.what);
  if (produced == nullptr || produced->tensors.size() != 1) return false;
  const std::vector<spec::Scalar> values{spec::Scalar::of_int(number + 1), spec::Scalar::of_int(number + 2)};
  return identical(produced->tensors[0], spec::Tensor(spec::DType::i64, {2}, values));
}

std::vector<CallRequest> requests_of(std::span<const spec::Call> calls, std::chrono::milliseconds timeout) {
  std::vector<CallRequest> requests;
  for (const auto& call : calls) requests.push_back({&call, timeout});
  return requests;
}

std::vector<spec::Outcome> run(Engine& engine, const std::vector<spec::Call>& calls,
                               std::chrono::milliseconds timeout) {
  return engine.run(requests_of(calls, timeout));
}

}  // namespace scatterproof::engines::testing
