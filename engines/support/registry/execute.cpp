// SPDX-License-Identifier: Apache-2.0
#include "execute.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "scatterproof/engines/client/watchdog.hpp"

namespace scatterproof::engines {
namespace {

/// This process's environment, and the variable that ends the program and its children with this process,
/// however that ends.
std::vector<std::string> watched_environment() {
  const auto& [name, value] = protocol::watched_variable();
  std::vector<std::string> variables;
  for (char** one = environ; *one; ++one)
    if (!std::string_view(*one).starts_with(name + "=")) variables.emplace_back(*one);
  variables.push_back(name + "=" + value);
  return variables;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const auto& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Starts a program with stdout and stderr on one of this process's descriptors; -1 if it cannot be started.
pid_t start(const std::vector<std::string>& arguments, int output) {
  const std::vector<std::string> variables = watched_environment();
  const std::vector<char*> pointers = pointers_to(arguments), environment = pointers_to(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  pid_t child = -1;
  const int failed =
      posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : -1;
}

int status_of(pid_t child) {
  int status = 0;
  if (child < 0) return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

int registry::execute(const std::vector<std::string>& arguments) {
  return status_of(start(arguments, STDERR_FILENO));
}

int registry::execute(const std::vector<std::string>& arguments,
                      const std::function<void(const std::string&)>& each_line) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  const pid_t child = start(arguments, ends[1]);
  close(ends[1]);
  FILE* output = fdopen(ends[0], "r");
  char* text = nullptr;
  std::size_t capacity = 0;
  for (ssize_t length; (length = getline(&text, &capacity, output)) >= 0;) {
    std::string line(text, static_cast<std::size_t>(length));
    if (line.ends_with('\n')) line.pop_back();
    each_line(line);
  }
  std::free(text);
  std::fclose(output);
  return status_of(child);
}

}  // namespace scatterproof::engines
