// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <ostream>
#include <random>
#include <string>

namespace scatterproof::reports {

/// Keeps a GitHub runner from taking anything printed between two marks for a workflow command (GitHub Docs,
/// Workflow commands, Stopping and starting workflow commands). The mark is random, so that nothing printed
/// can be the second one.
class WorkflowCommands {
 public:
  /// `out`: null unless the output is the log of a workflow step. It outlives this.
  explicit WorkflowCommands(std::ostream* out) : out_(out) {}
  WorkflowCommands(const WorkflowCommands&) = delete;
  WorkflowCommands& operator=(const WorkflowCommands&) = delete;
  ~WorkflowCommands() { resume(); }

  void stop() {
    if (!out_ || !mark_.empty()) return;
    std::random_device random;
    mark_ = fmt::format("scatterproof-{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
    *out_ << "::stop-commands::" << mark_ << '\n';
  }
  void resume() {
    if (!mark_.empty()) *out_ << "::" << mark_ << "::\n";
    mark_.clear();
  }

 private:
  std::ostream* out_;
  std::string mark_;
};

}  // namespace scatterproof::reports
