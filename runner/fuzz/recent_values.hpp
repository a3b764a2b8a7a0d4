// SPDX-License-Identifier: Apache-2.0
// A few values that take long to make.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>

namespace scatterproof::runner::fuzz {

/// The last `most` values that were made, by key. Not safe to use from two threads at once.
template <class Key, class Value, std::size_t most>
class RecentValues {
 public:
  /// The value of this key; `make()` makes it where it is not kept.
  template <class Make>
  std::shared_ptr<const Value> get(const Key& key, const Make& make) {
    for (auto one = kept_.rbegin(); one != kept_.rend(); ++one)  // the newest is asked for most
      if (one->first == key) return one->second;
    auto made = std::make_shared<const Value>(make());
    if (kept_.size() == most) kept_.pop_front();
    kept_.emplace_back(key, made);
    return made;
  }

 private:
  std::deque<std::pair<Key, std::shared_ptr<const Value>>> kept_;
};

}  // namespace scatterproof::runner::fuzz
