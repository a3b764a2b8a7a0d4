// SPDX-License-Identifier: Apache-2.0
// Folds the matrix: keeps columns and rows that show something different, and sums up the others in one line.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "overview.hpp"

namespace scatterproof::reports {

/// Columns to print, and a sentence for those that are folded.
struct FoldedColumns {
  std::vector<std::string> engines;
  std::vector<std::string> notes;
};

/// A column folds into another that has the same cell wherever it has one; the first of equal ones stays.
FoldedColumns fold_columns(const Cells& cells, const std::vector<std::string>& engines);

/// Removes columns of only passes when another column shows more about the same APIs.
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

/// Removes the rows in which the judged calls ended in the same way on all engines, without failures or
/// expected failures. Returns their APIs.
std::vector<std::string> fold_rows(const Cells& cells, std::vector<Block>& blocks);

/// Keeps as many rows as told, those with the most failures. Returns how many were removed.
std::size_t keep_worst_rows(const Cells& cells, std::size_t most, std::vector<Block>& blocks);

}  // namespace scatterproof::reports
