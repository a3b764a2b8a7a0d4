// SPDX-License-Identifier: Apache-2.0
// Memory for a user's kernel, between guard bytes that show whether the kernel stayed inside.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "scatterproof/kernel_abi.h"

namespace scatterproof::engines::plugin {

/// What unwritten memory holds: `usual`, or another value in a twin, for which the tool sets glibc's
/// MALLOC_PERTURB_.
std::byte fresh_memory(std::byte usual);

/// `size` bytes, 256-byte aligned, with a guard zone of at least 4 KiB on either side. In the process's own
/// memory, 1 MiB of inaccessible pages lies beyond each zone: a write far outside raises a signal.
class Block {
 public:
  /// Throws OutOfMemory. `memory` is null for the process's own memory, and outlives the block.
  Block(std::size_t size, const scatterproof_memory* memory);
  Block(Block&&) = default;
  Block& operator=(Block&&) = default;

  struct OutOfMemory {};

  void* address() const { return address_; }
  std::size_t size() const { return size_; }
  bool is_in_own_memory() const { return memory_ == nullptr; }

  /// Copies bytes in and out. Precondition: as many as size(). False when a device's copy fails.
  bool write(std::span<const std::byte> bytes);
  bool read(std::span<std::byte> bytes) const;
  /// From a block in the same kind of memory and of the same size.
  bool copy_from(const Block& other);

  /// What was done to the guard zones: empty, or `wrote at least 8 bytes beyond the end of`. False when a
  /// device's copy fails.
  bool look_around(std::string& damage) const;

 private:
  bool copy(void* to, const void* from, std::size_t size, scatterproof_copy direction) const;
  std::size_t front() const;
  std::size_t back() const;

  struct Release {
    const scatterproof_memory* memory;
    std::size_t open;  ///< bytes with the guard zones, in the process's own memory
    void operator()(void* base) const;
  };

  std::size_t size_;
  const scatterproof_memory* memory_;
  std::unique_ptr<void, Release> base_;
  std::byte* address_ = nullptr;  ///< of the bytes between the zones
};

}  // namespace scatterproof::engines::plugin
