// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/spool.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>
#include <vector>

namespace scatterproof::spec {
namespace {

/// Pieces of all sizes, together far more than stays in memory.
void holds_what_it_was_given() {
  Spool spool;
  std::vector<std::pair<std::uint64_t, std::string>> pieces;
  for (std::size_t i = 0; i < 3000; ++i) {
    const std::string piece(i, static_cast<char>('a' + i % 26));
    pieces.emplace_back(spool.append(piece), piece);
  }
  EXPECT_EQ(spool.size(), 3000U * 2999U / 2);
  for (const auto& [place, piece] : pieces) ASSERT_EQ(spool.read(place, piece.size()), piece);
  std::string all(spool.size() + 10, '\0'), expected;
  for (const auto& [place, piece] : pieces) expected += piece;
  EXPECT_EQ(spool.read(0, all.data(), all.size()), expected.size());
  EXPECT_TRUE(all.starts_with(expected));
  const Spool moved = std::move(spool);
  EXPECT_EQ(moved.read(pieces[100].first, 100), pieces[100].second);
}

TEST(Spool, HoldsWhatItWasGiven) { holds_what_it_was_given(); }

TEST(Spool, HoldsItWithoutATemporaryFileToo) {
  ::setenv("TMPDIR", "/nonexistent", 1);
  holds_what_it_was_given();
  ::unsetenv("TMPDIR");
}

}  // namespace
}  // namespace scatterproof::spec
