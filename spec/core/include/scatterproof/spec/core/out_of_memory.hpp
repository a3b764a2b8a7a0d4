// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <stdexcept>
#include <string>

namespace scatterproof::spec {

/// std::bad_alloc, with what was done when it came: `while reading my.yaml`.
class OutOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Does the work. `doing` gives what OutOfMemory says, and is asked only then.
template <class Doing, class Work>
auto or_out_of_memory(Doing doing, Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(doing());
  }
}

}  // namespace scatterproof::spec
