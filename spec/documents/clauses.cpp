// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/documents/clauses.hpp"

#include <fmt/format.h>

#include "blocks.hpp"
#include "prose.hpp"
#include "scatterproof/spec/core/stable_hash.hpp"

namespace scatterproof::spec {
namespace {

/// 32 bits: a text has some dozens of clauses, and a clash would only let one sentence stand for another.
std::string fingerprint(std::string_view text) {
  const std::uint64_t hash = stable_hash(text);
  return fmt::format("{:08x}", static_cast<std::uint32_t>(hash ^ (hash >> 32)));
}

std::vector<std::string> texts_of(const TextBlock& block) {
  switch (block.kind) {
    case TextBlock::Kind::paragraph:
      return sentences(plain(block.text));
    case TextBlock::Kind::row:
      return {plain(block.text)};
    case TextBlock::Kind::printed:
      break;
  }
  return {folded(block.text)};
}

}  // namespace

std::vector<Clause> clauses(std::string_view text) {
  std::vector<Clause> found;
  for (const TextBlock& block : blocks(text))
    for (std::string& one : texts_of(block)) {
      std::string print = fingerprint(one);
      found.push_back({.number = static_cast<int>(found.size()) + 1,
                       .line = block.line,
                       .section = block.section,
                       .printed = block.kind == TextBlock::Kind::printed,
                       .text = std::move(one),
                       .fingerprint = std::move(print)});
    }
  return found;
}

Anchor anchor(const Clause& clause) {
  return {.numbers = {clause.number},
          .words = first_words(clause.text),
          .fingerprint = clause.fingerprint,
          .at = {}};
}

}  // namespace scatterproof::spec
