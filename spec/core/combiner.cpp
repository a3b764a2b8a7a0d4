// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/combiner.hpp"

#include <algorithm>

namespace scatterproof::spec {

std::string_view name(Combiner combiner) {
  switch (combiner) {
    case Combiner::assign:
      return "assign";
    case Combiner::sum:
      return "sum";
    case Combiner::prod:
      return "prod";
    case Combiner::mean:
      return "mean";
    case Combiner::amax:
      return "amax";
    case Combiner::amin:
      return "amin";
    case Combiner::quotient:
      return "quotient";
    case Combiner::sum_over_root:
      return "sum_over_root";
    case Combiner::bit_and:
      return "bit_and";
    case Combiner::bit_or:
      return "bit_or";
    case Combiner::bit_xor:
      return "bit_xor";
  }
  return "";
}

std::optional<Combiner> parse_combiner(std::string_view word) {
  const auto* found = std::ranges::find(all_combiners, word, name);
  return found == all_combiners.end() ? std::nullopt : std::optional(*found);
}

}  // namespace scatterproof::spec
