// SPDX-License-Identifier: Apache-2.0
// Guard zones: what is written into them is seen, in the process's memory and in a device's.
#include "block.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace scatterproof::engines::plugin {
namespace {

int live = 0;       // allocations of the pretended device
bool works = true;  // its copies

void* allocate(std::size_t bytes) {
  if (bytes > 1'000'000) return nullptr;
  ++live;
  return std::aligned_alloc(256, (bytes + 255) / 256 * 256);
}
void release(void* memory) {
  --live;
  std::free(memory);
}
scatterproof_status copy(void* to, const void* from, std::size_t bytes, scatterproof_copy) {
  if (!works) return SCATTERPROOF_FAILED;
  std::memcpy(to, from, bytes);
  return SCATTERPROOF_DONE;
}
const scatterproof_memory device{12, 0, allocate, release, copy};

std::string damage(const Block& block) {
  std::string words;
  EXPECT_TRUE(block.look_around(words));
  return words;
}

class Blocks : public ::testing::TestWithParam<const scatterproof_memory*> {};

TEST_P(Blocks, HoldWhatIsPutIn) {
  for (const std::size_t size : {0, 1, 24, 4096, 5000}) {
    Block block(size, GetParam());
    Block other(size, GetParam());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.address()) % 256, 0u);
    std::vector<std::byte> bytes(size, std::byte{7});
    std::vector<std::byte> back(size);
    ASSERT_TRUE(block.write(bytes) && other.copy_from(block) && other.read(back));
    EXPECT_EQ(back, bytes);
    EXPECT_EQ(damage(other), "");
  }
}

/// The number that a kernel reads which goes one too far, or begins one too early.
template <class T>
std::pair<T, T> next_to(const Block& block) {
  const auto* const begin = static_cast<const std::byte*>(block.address());
  std::pair<T, T> read{};
  std::memcpy(&read.first, begin - sizeof(T), sizeof(T));
  std::memcpy(&read.second, begin + block.size(), sizeof(T));
  return read;
}

template <class T>
void expect_that_it_shows(double least_before, double least_after) {
  bool above = false, below = false;
  for (std::size_t elements = 1; elements < 40; ++elements) {
    const Block block(elements * sizeof(T), nullptr);
    const auto [before, after] = next_to<T>(block);
    EXPECT_GT(std::abs(static_cast<double>(before)), least_before) << elements;
    EXPECT_GT(std::abs(static_cast<double>(after)), least_after) << elements;
    EXPECT_EQ(before > 0, after > 0);
    (after > 0 ? above : below) = true;
    T* const behind = reinterpret_cast<T*>(static_cast<std::byte*>(block.address()) + block.size());
    *behind = static_cast<T>(*behind + T{1});
    EXPECT_NE(damage(block), "") << "an addition is a write";
  }
  EXPECT_TRUE(above && below) << "a maximum does not show small numbers, nor a minimum large ones";
}

TEST(Block, ReadsAndAdditionsOutsideShow) {
  expect_that_it_shows<float>(5, 5e4);
  expect_that_it_shows<double>(5e4, 5e4);
  expect_that_it_shows<std::int64_t>(1e12, 1e12);
  expect_that_it_shows<std::int32_t>(1e6, 1e6);
  expect_that_it_shows<std::int16_t>(200, 200);
}

TEST_P(Blocks, SeeEachByteAround) {
  for (const std::size_t size : {0, 1, 24, 4096, 5000}) {
    for (const std::ptrdiff_t at : {std::ptrdiff_t{0}, std::ptrdiff_t{4095}}) {
      Block block(size, GetParam());
      static_cast<std::byte*>(block.address())[static_cast<std::ptrdiff_t>(size) + at] ^= std::byte{1};
      EXPECT_EQ(damage(block), "wrote at least 1 byte beyond the end of") << size << " at " << at;
      Block ahead(size, GetParam());
      static_cast<std::byte*>(ahead.address())[-1 - at] ^= std::byte{1};
      EXPECT_EQ(damage(ahead), "wrote at least 1 byte before the beginning of") << size << " at " << at;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Memory, Blocks, ::testing::Values(nullptr, &device));

TEST(Block, FarOffIsASignal) {
  Block block(100, nullptr);
  auto* bytes = static_cast<volatile char*>(block.address());
  EXPECT_DEATH(bytes[20'000] = 1, "");
  EXPECT_DEATH(bytes[-20'000] = 1, "");
}

TEST(Block, ADevicesFailuresAreTold) {
  EXPECT_THROW(Block(2'000'000, &device), Block::OutOfMemory);
  Block block(10, &device);
  std::vector<std::byte> bytes(10);
  std::string words;
  works = false;
  EXPECT_FALSE(block.write(bytes));
  EXPECT_FALSE(block.read(bytes));
  EXPECT_FALSE(block.look_around(words));
  EXPECT_THROW(Block(10, &device), Block::OutOfMemory);
  works = true;
}

TEST(Block, GivesItsMemoryBack) {
  const int before = live;
  {
    Block first(10, &device);
    Block second(std::move(first));
    EXPECT_EQ(live, before + 1);
  }
  EXPECT_EQ(live, before);
}

}  // namespace
}  // namespace scatterproof::engines::plugin
