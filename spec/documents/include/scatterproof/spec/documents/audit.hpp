// SPDX-License-Identifier: Apache-2.0
// Checks a document's text against the specs and cases that rest on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/documents/clauses.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// A part of a spec, or a case, that rests on clauses of a text. It points into what it was made from.
struct SpecPart {
  std::string name;  ///< `torch.gather: rule same-rank`, `torch.gather/doc/example-1`
  std::string file;
  std::vector<const Anchor*> anchors = {};
  bool omits = false;                        ///< it says why the clauses are not covered
  bool not_yet = false;                      ///< and that they should be
  std::vector<const Tensor*> tensors = {};   ///< what it has of printed numbers
  std::vector<const Shape*> lists = {};      ///< and lists of integers among the arguments
  std::vector<std::string_view> reads = {};  ///< what it has of printed formulas
};

/// What rests on the text of this name, in all specs: several may share a text.
std::vector<SpecPart> parts_on(const std::string& text, const SpecLibrary& specs,
                               const std::vector<Case>& cases);

/// A clause, and what speaks for it.
struct ClauseState {
  Clause clause;
  std::vector<std::string> covered_by = {};  ///< names of parts that state it
  std::vector<std::string> omitted_by = {};  ///< names of parts that say why it is left out
  std::string unprinted = {};  ///< what is printed here and stands in none of these parts; empty: nothing
  std::string slighted =
      {};  ///< the words by which an omitted clause defines or limits behaviour; empty: it does not

  bool covered() const { return !covered_by.empty(); }
  bool omitted() const { return !covered() && !omitted_by.empty(); }
  bool uncovered() const { return !covered() && !omitted(); }
};

struct TextAudit {
  std::vector<ClauseState> clauses;
  Errors gone;            ///< anchors whose clause is no longer in the text, at their places in the files
  std::size_t moved = 0;  ///< anchors whose clause has another number than they say

  std::size_t covered() const;
  std::size_t omitted() const;
  std::size_t uncovered() const;
  std::size_t unprinted() const;
  std::size_t slighted() const;
  bool in_order() const { return gone.empty() && uncovered() == 0 && unprinted() == 0 && slighted() == 0; }
};

/// `name` is how errors call the text.
TextAudit audit(const std::string& name, std::string_view text, const std::vector<SpecPart>& parts);

}  // namespace scatterproof::spec
