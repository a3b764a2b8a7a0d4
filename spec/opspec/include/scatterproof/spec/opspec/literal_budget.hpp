// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace scatterproof::spec {

/// A shared limit on the fills, ranges and layouts of a set of files: four kilobytes of text can ask for
/// gigabytes.
class LiteralBudget {
 public:
  /// Bytes. With the copies that are made of a call, a run then stays below 512 MiB.
  static constexpr std::size_t limit = std::size_t{384} << 20;

  /// False when this is more than what is left; then it is exhausted for everyone.
  bool take(std::size_t bytes) {
    if (bytes > left_) exhausted_ = true;
    if (!exhausted_) left_ -= bytes;
    return !exhausted_;
  }
  /// Of what was taken, these bytes are free again.
  void give_back(std::size_t bytes) { left_ += bytes; }
  bool exhausted() const { return exhausted_; }

 private:
  std::size_t left_ = limit;
  bool exhausted_ = false;
};

}  // namespace scatterproof::spec
