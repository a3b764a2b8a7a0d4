// SPDX-License-Identifier: Apache-2.0
// Which cases a user means: globs on ids, boolean expressions over words, shards.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/core/stable_hash.hpp"

namespace scatterproof::runner {

/// Shell-style: `*` any run of characters (slashes too), `?` one, everything else itself. Linear in practice.
bool matches_glob(std::string_view pattern, std::string_view text);

/// `-k`: words joined by `and`, `or`, `not` and parentheses; a word holds for a case whose id or a tag
/// contains it.
class Filter {
 public:
  struct Node;
  static spec::Result<Filter> parse(const std::string& text);
  bool holds(const spec::Case& one) const;

 private:
  std::shared_ptr<const Node> root_;
};

/// `I/N`, 1-based: the part of all cases that this process runs.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t total = 1;
  static spec::Result<Shard> parse(const std::string& text);
  /// By a hash of the id, so that adding a case moves no other case, and all machines agree.
  bool has(std::string_view id) const;
};

using spec::stable_hash;

}  // namespace scatterproof::runner
