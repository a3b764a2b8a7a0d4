// SPDX-License-Identifier: Apache-2.0
// Which columns and rows of the matrix say something of their own, and one line for those that do not.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "text.hpp"

namespace scatterproof::reports {

/// How many calls of one API on one engine stand how.
using Tally = std::map<Standing, std::size_t>;

/// By API, then engine. An engine without records of an API has no cell there.
using Cells = std::map<std::string, std::map<std::string, Tally>>;

/// Columns to print, and a sentence for those that are folded.
struct FoldedColumns {
  std::vector<std::string> engines;
  std::vector<std::string> notes;
};

/// A column folds into another that has the same cell wherever it has one; the first of equal ones stays.
FoldedColumns fold_columns(const Cells& cells, const std::vector<std::string>& engines);

/// Takes out the columns of nothing but passes beside which another one says more of the same APIs.
void fold_passes(const Cells& cells, FoldedColumns& columns);

/// Rows printed under one head. Every engine has a cell in one of them.
struct Block {
  std::vector<std::string> engines;
  std::vector<std::string> apis;
};

/// Rows that share engines share a block, so that few cells are blank. Rows with failures come first.
std::vector<Block> blocks_of(const Cells& cells, const std::vector<std::string>& engines);

/// Lines that the blocks take, heads and the blank lines between them included.
std::size_t lines_of(const std::vector<Block>& blocks);

/// Takes out the rows in which all the engines' judged calls stand the same and none failed or is known to
/// deviate. Their APIs.
std::vector<std::string> fold_rows(const Cells& cells, std::vector<Block>& blocks);

}  // namespace scatterproof::reports
