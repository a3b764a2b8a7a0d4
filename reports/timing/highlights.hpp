// SPDX-License-Identifier: Apache-2.0
// Each native engine's best and worst results: what readers want to know before they read the rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ratios.hpp"

namespace scatterproof::reports {

struct Extreme {
  double value = 0;
  std::string row;
  int threads = 1;
};

/// One kind of ratio over all of an engine's rows. Only facts are ranked.
struct RatioSummary {
  std::string name;                          ///< `share of floor`, `against torch`
  std::function<std::string(double)> words;  ///< of a value
  bool more_is_better = true;
  std::size_t all = 0;
  std::size_t facts = 0;
  std::size_t above_one = 0;  ///< of the facts
  Extreme best = {};
  Extreme worst = {};
  double median = 0;
};

struct Highlights {
  std::string engine;
  std::vector<RatioSummary> measures;  ///< those that some row of the engine has
};
/// In the order of the engines in the records. Peers have none.
std::vector<Highlights> highlights_of(const spec::TimingRun& run, const std::vector<Figures>& all);

/// `74 % of the floor in the median; faster than torch in 20 of 22 comparisons`.
std::string in_a_sentence(const Highlights& engine);

}  // namespace scatterproof::reports
