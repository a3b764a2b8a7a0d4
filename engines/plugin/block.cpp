// SPDX-License-Identifier: Apache-2.0
#include "block.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <vector>

namespace scatterproof::engines::plugin {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t forbidden = std::size_t{1} << 20;

std::size_t rounded_up(std::size_t size) { return (size + page - 1) / page * page; }

using Zone = std::array<std::byte, 2 * page>;  // no zone is longer

/// Bytes that kernels rarely write, different from place to place. The high ones make numbers that show where
/// a kernel reads them: behind an argument some 10^5 in f32 and f64, and no index in integers. To larger
/// floats a kernel could add something without changing them.
Zone zone_of(bool below) {
  Zone made{};
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<std::byte>(0xA7 + 37 * i);
  const std::byte sign{static_cast<unsigned char>(below ? 0x80 : 0)};
  for (std::size_t i = 0; i < made.size(); i += 8) {
    made[i + 1] = std::byte{0x41} | sign;                                  // of two bytes
    made[i + 3] = std::byte{0x47} | sign, made[i + 2] |= std::byte{0x80};  // of four
    made[i + 7] = std::byte{0x40} | sign, made[i + 6] |= std::byte{0xF0};  // of eight
  }
  for (std::byte& one : made) one = fresh_memory(one);
  return made;
}

/// What a zone of a block holds until something is written there: numbers far above 0 or, since a maximum
/// does not show those below, far below it. Half of the sizes have either, a call always the same.
std::span<const std::byte> untouched(std::size_t zone_size, std::size_t block_size) {
  static const Zone above = zone_of(false), below = zone_of(true);
  const bool is_below = std::popcount(block_size) % 2 == 0;
  return std::span(is_below ? below : above).first(zone_size);
}

/// A byte that was written with the value that it had does not count.
std::size_t changed_bytes(std::span<const std::byte> zone, std::size_t block_size) {
  const auto expected = untouched(zone.size(), block_size);
  if (std::memcmp(zone.data(), expected.data(), zone.size()) == 0) return 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < zone.size(); ++i) count += zone[i] != expected[i];
  return count;
}

/// Memory of the process in the middle of inaccessible pages. What blocks give back is kept: mapping
/// small blocks for each call takes longer than most kernels. The oldest is used first, so that a late write
/// meets nothing of the next calls.
class Mappings {
 public:
  /// `open` bytes, of whole pages. Throws OutOfMemory.
  void* take(std::size_t open) {
    if (const auto of_size = kept_.find(open); of_size != kept_.end() && of_size->second.size() > resting) {
      void* const base = of_size->second.front();
      of_size->second.pop_front();
      return base;
    }
    void* const base =
        mmap(nullptr, whole(open), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) throw Block::OutOfMemory{};
    std::byte* const begin = static_cast<std::byte*>(base) + forbidden;
    if (mprotect(begin, open, PROT_READ | PROT_WRITE) != 0) {
      munmap(base, whole(open));
      throw Block::OutOfMemory{};
    }
    madvise(begin, open, MADV_HUGEPAGE);  // as for any large table; only a hint
    return base;
  }

  void give_back(void* base, std::size_t open) {
    if (open > largest_kept)
      munmap(base, whole(open));
    else
      kept_[open].push_back(base);
  }

 private:
  static constexpr std::size_t largest_kept = 16 * page;
  static constexpr std::size_t resting = 16;  // of a size
  static std::size_t whole(std::size_t open) { return forbidden + open + forbidden; }
  std::map<std::size_t, std::deque<void*>> kept_;
};

Mappings& mappings() {
  static auto& all = *new Mappings;  // blocks may outlive any static object
  return all;
}

std::string bytes(std::size_t count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

}  // namespace

std::byte fresh_memory(std::byte usual) {
  static const auto pattern = [] {
    const char* text = std::getenv("MALLOC_PERTURB_");
    return static_cast<std::byte>(text == nullptr ? 0 : std::atoi(text));
  }();
  return usual ^ pattern;
}

void Block::Release::operator()(void* base) const {
  if (memory != nullptr)
    memory->release(base);
  else
    mappings().give_back(base, open);
}

std::size_t Block::front() const { return page; }
/// Up to the end of the last page, plus one page.
std::size_t Block::back() const { return rounded_up(size_) - size_ + page; }

Block::Block(std::size_t size, const scatterproof_memory* memory)
    : size_(size), memory_(memory), base_(nullptr, Release{memory, 0}) {
  const std::size_t open = front() + size + back();
  if (memory != nullptr) {
    base_.reset(memory->allocate(open));
    if (!base_) throw OutOfMemory{};
    address_ = static_cast<std::byte*>(base_.get()) + front();
  } else {
    base_.get_deleter().open = open;
    base_.reset(mappings().take(open));
    address_ = static_cast<std::byte*>(base_.get()) + forbidden + front();
  }
  if (!copy(address_ - front(), untouched(front(), size).data(), front(), SCATTERPROOF_TO_DEVICE) ||
      !copy(address_ + size, untouched(back(), size).data(), back(), SCATTERPROOF_TO_DEVICE))
    throw OutOfMemory{};
}

bool Block::copy(void* to, const void* from, std::size_t size, scatterproof_copy direction) const {
  if (size == 0) return true;
  if (memory_ != nullptr) return memory_->copy(to, from, size, direction) == SCATTERPROOF_DONE;
  std::memcpy(to, from, size);
  return true;
}

bool Block::write(std::span<const std::byte> bytes) {
  return copy(address_, bytes.data(), size_, SCATTERPROOF_TO_DEVICE);
}

bool Block::read(std::span<std::byte> bytes) const {
  return copy(bytes.data(), address_, size_, SCATTERPROOF_TO_HOST);
}

bool Block::copy_from(const Block& other) {
  return copy(address_, other.address_, size_, SCATTERPROOF_ON_DEVICE);
}

bool Block::look_around(std::string& damage) const {
  std::vector<std::byte> copies;  // of a device's memory
  std::span<const std::byte> before(address_ - front(), front()), beyond(address_ + size_, back());
  if (memory_ != nullptr) {
    copies.resize(front() + back());
    std::byte* const second = copies.data() + front();
    if (!copy(copies.data(), before.data(), front(), SCATTERPROOF_TO_HOST) ||
        !copy(second, beyond.data(), back(), SCATTERPROOF_TO_HOST))
      return false;
    before = std::span(copies).first(front());
    beyond = std::span(copies).subspan(front());
  }
  if (const auto count = changed_bytes(beyond, size_))
    damage = fmt::format("wrote at least {} beyond the end of", bytes(count));
  else if (const auto ahead = changed_bytes(before, size_))
    damage = fmt::format("wrote at least {} before the beginning of", bytes(ahead));
  return true;
}

}  // namespace scatterproof::engines::plugin
