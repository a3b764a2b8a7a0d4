// SPDX-License-Identifier: Apache-2.0
// Engines that are started several at once: most of a start is one thread that imports a package.
#pragma once

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/core/cores.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner::cli {

class StartedAhead {
 public:
  using Found = std::vector<spec::Result<std::unique_ptr<engines::Engine>>>;

  /// Begins to start those that were found, as many at once as there are cores. They must outlive this.
  explicit StartedAhead(const Found& engines) : engines_(engines), reasons_(engines.size()) {
    const std::size_t at_once = std::min(engines.size(), static_cast<std::size_t>(spec::cores()));
    for (std::size_t i = 0; i < at_once; ++i) threads_.emplace_back([this] { start_some(); });
  }

  /// Waits for the engine at this place, once: empty if it has started, else why not.
  /// Precondition: it was found.
  std::string reason(std::size_t at) { return reasons_[at].get_future().get(); }

 private:
  void start_some() {
    for (std::size_t i = next_++; i < engines_.size(); i = next_++) {
      if (!engines_[i]) continue;
      try {
        reasons_[i].set_value((*engines_[i])->start());
      } catch (...) {
        reasons_[i].set_exception(std::current_exception());
      }
    }
  }

  const Found& engines_;
  std::vector<std::promise<std::string>> reasons_;
  std::atomic<std::size_t> next_{0};
  std::vector<std::jthread> threads_;  ///< the last member: they end before the others do
};

}  // namespace scatterproof::runner::cli
