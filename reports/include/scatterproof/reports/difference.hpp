// SPDX-License-Identifier: Apache-2.0
// What changed between two runs, as pages show it: plain data that the runner fills in.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace scatterproof::reports {

inline constexpr std::size_t most_ids = 50;  // of a group: there may be millions

/// Changes that are probably one.
struct DifferenceGroup {
  std::string direction;  ///< worse, other, better
  std::string title;      ///< `44 calls of 27 APIs on torch: mismatch, now pass`
  std::string before;     ///< what happened in the first of them; and so for the rest
  std::string after;
  std::string explanation;  ///< of the later record, or else of the earlier one; may be empty
  std::string reproduce;
  std::size_t calls = 0;
  std::vector<std::string> ids;  ///< of the first of them, at most `most_ids`
};

struct DifferencePage {
  std::string tool_version;
  std::string before;  ///< what was compared
  std::string after;
  std::string summary;                  ///< a sentence
  std::string note = {};                ///< on what the runs have in common; may be empty
  std::vector<DifferenceGroup> groups;  ///< the worst first
};

/// One self-contained file.
void write_difference_page(std::ostream& out, const DifferencePage& page);
/// The same in Markdown, at most 64 KB.
void write_difference_markdown(std::ostream& out, const DifferencePage& page);

}  // namespace scatterproof::reports
