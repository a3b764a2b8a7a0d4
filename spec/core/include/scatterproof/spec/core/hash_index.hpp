// SPDX-License-Identifier: Apache-2.0
// Finds equal items among numbered ones. The items stay with the caller: this holds numbers and hashes only.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scatterproof::spec {

class HashIndex {
 public:
  /// Adds the next item, whose number is how many were added before, unless `same(number)` says that an
  /// earlier one with its hash is equal. Returns whether it was added. Precondition: fewer than 2^32 - 1.
  template <class Same>
  bool add(std::uint64_t hash, const Same& same) {
    if (4 * (count_ + 1) > 3 * slots_.size()) grow();
    const auto tag = static_cast<std::uint32_t>(hash);
    std::size_t at = place(tag);
    for (; slots_[at].number != 0; at = (at + 1) & (slots_.size() - 1))
      if (slots_[at].tag == tag && same(slots_[at].number - 1)) return false;
    slots_[at] = {tag, static_cast<std::uint32_t>(++count_)};
    return true;
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t number = 0;  ///< plus one; 0: empty
  };

  /// The upper bits of a multiplied tag, because equal steps between hashes would crowd the lower ones.
  std::size_t place(std::uint32_t tag) const {
    return tag * std::uint64_t{0x9e3779b97f4a7c15} >> (64 - std::countr_zero(slots_.size()));
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number == 0) continue;
      std::size_t at = place(slot.tag);
      while (slots_[at].number != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;  ///< a power of two
  std::size_t count_ = 0;
};

/// A hash of a few words.
inline std::uint64_t hash_of_words(std::span<const std::uint64_t> words) {
  std::uint64_t hash = words.size();
  for (const std::uint64_t word : words) {
    hash = (hash ^ word) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace scatterproof::spec
