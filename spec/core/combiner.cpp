// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/combiner.hpp"

#include <array>

namespace scatterproof::spec {
namespace {

constexpr std::array<std::string_view, 7> combiner_names = {"assign", "sum",  "prod",    "mean",
                                                            "amax",   "amin", "quotient"};

}  // namespace

std::string_view name(Combiner combiner) { return combiner_names[static_cast<std::size_t>(combiner)]; }

std::optional<Combiner> parse_combiner(std::string_view word) {
  for (std::size_t i = 0; i < combiner_names.size(); ++i)
    if (combiner_names[i] == word) return static_cast<Combiner>(i);
  return std::nullopt;
}

}  // namespace scatterproof::spec
