// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace scatterproof::spec {

/// What the fills and ranges of a set of files may take together: four kilobytes of text can ask for gigabytes.
class LiteralBudget {
 public:
  static constexpr std::size_t limit = std::size_t{512} << 20;  ///< bytes

  /// False when this is more than what is left; then it is exhausted for everyone.
  bool take(std::size_t bytes) {
    if (bytes > left_) exhausted_ = true;
    if (!exhausted_) left_ -= bytes;
    return !exhausted_;
  }
  bool exhausted() const { return exhausted_; }

 private:
  std::size_t left_ = limit;
  bool exhausted_ = false;
};

}  // namespace scatterproof::spec
