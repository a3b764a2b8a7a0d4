// SPDX-License-Identifier: Apache-2.0
// The memory of calls that have returned, which no kernel may write to any more.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "block.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::engines::plugin {

/// One call's blocks, and what they held when it returned.
class EndedCall {
 public:
  /// `name`: `input 1`. The tensor's storage is what the block holds; it must not change from now on.
  void add(std::string name, std::shared_ptr<const Block> block, spec::Tensor contents);

  /// In the process's own memory and small: others would take too long to compare again and again.
  bool is_worth_keeping() const;
  /// The name of what was written to since; empty: nothing.
  std::string changed() const;

 private:
  struct Part {
    std::string name;
    std::shared_ptr<const Block> block;
    spec::Tensor contents;
  };
  std::vector<Part> parts_;
};

/// The last few calls.
class EndedCalls {
 public:
  void keep(EndedCall call);
  /// What was done to them since they returned, as a sentence; empty: nothing.
  std::string damage() const;

 private:
  std::deque<EndedCall> calls_;
};

}  // namespace scatterproof::engines::plugin
