// SPDX-License-Identifier: Apache-2.0
// The matrix of APIs and engines.
#pragma once

#include <string>
#include <vector>

#include "fold.hpp"
#include "page.hpp"

namespace scatterproof::reports {

/// APIs down, engines across. Equal rows and columns are folded, unless the page is verbose.
class Matrix {
 public:
  /// Engines get columns in this order; those that are not named here follow.
  void order(const std::vector<spec::EngineSummary>& engines);
  void count(const spec::Record& record);
  /// Engines that do not fit next to each other follow below.
  void print(const Page& page) const;

 private:
  void print_block(const Page& page, const Block& block) const;

  std::vector<std::string> engines_;
  Cells cells_;
};

}  // namespace scatterproof::reports
