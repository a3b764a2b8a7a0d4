// SPDX-License-Identifier: Apache-2.0
// Engines that are started several at once: most of a start is one thread that imports a package.
#pragma once

#include <algorithm>
#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/core/cores.hpp"

namespace scatterproof::runner {

class StartedAhead {
 public:
  /// Begins to start them, as many at once as there are cores; null: none. They must outlive this, which
  /// waits for all of them in the end.
  explicit StartedAhead(std::vector<engines::Engine*> engines)
      : engines_(std::move(engines)), reasons_(engines_.size()) {
    const std::size_t at_once = std::min(engines_.size(), static_cast<std::size_t>(spec::cores()));
    for (std::size_t i = 0; i < at_once; ++i) threads_.emplace_back([this] { start_some(); });
  }

  /// Waits for the engine at this place, once: empty if it has started, else why not.
  /// Precondition: there is one.
  std::string reason(std::size_t at) { return reasons_[at].get_future().get(); }

 private:
  void start_some() {
    for (std::size_t i = next_++; i < engines_.size(); i = next_++) {
      if (engines_[i] == nullptr) continue;
      try {
        reasons_[i].set_value(engines_[i]->start());
      } catch (...) {
        reasons_[i].set_exception(std::current_exception());
      }
    }
  }

  const std::vector<engines::Engine*> engines_;
  std::vector<std::promise<std::string>> reasons_;
  std::atomic<std::size_t> next_{0};
  std::vector<std::jthread> threads_;  ///< the last member: they end before the others do
};

}  // namespace scatterproof::runner
