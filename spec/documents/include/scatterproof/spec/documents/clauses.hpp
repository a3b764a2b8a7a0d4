// SPDX-License-Identifier: Apache-2.0
// A document's text as clauses: what a spec can rest on (docs/understand/documents.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// A sentence, a row of a table, or a printed block: formulas, or an example.
struct Clause {
  int number = 0;        ///< counted from 1
  int line = 0;          ///< where it begins in the text, counted from 1
  std::string section;   ///< the heading that it stands under; may be empty
  bool printed = false;  ///< a block printed as it stands
  std::string text;      ///< normalised: without markup, blanks folded
  std::string fingerprint;
};

/// The clauses of a text in reStructuredText, numpydoc, Markdown or none of these. Line breaks, indentation,
/// emphasis and the kind of quotes do not change a clause.
std::vector<Clause> clauses(std::string_view text);

/// What files write to rest on a clause: its first three words stand for its text.
Anchor anchor(const Clause& clause);

}  // namespace scatterproof::spec
