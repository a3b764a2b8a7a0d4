// SPDX-License-Identifier: Apache-2.0
// A case: a call with an id, a reason and a statement of what is expected. cases/<api>/*.yaml;
// docs/formats/case-format.md.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/literal_budget.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// What the case file itself says about the result, on top of the spec.
struct CaseExpectation {
  enum class Kind { spec, values, error, undefined, open } kind = Kind::spec;
  std::vector<Tensor> values;        ///< Kind::values: as printed; any of these is accepted
  std::vector<std::string> classes;  ///< Kind::error: exception classes; empty: any
};

/// A gradient that the case asks for, and what it must be.
struct CaseGradient {
  /// Arguments by name, each with its gradient, of its shape and dtype.
  using Gradients = std::vector<std::pair<std::string, Tensor>>;
  Tensor cotangent;               ///< of the result's shape and dtype
  std::vector<Gradients> any_of;  ///< worked out by hand; empty: whatever follows from the spec
};

struct Case {
  std::string id;  ///< whole id: `torch.gather/doc/example-5`, `torch.gather/rule/R2/breaks`
  std::string why;
  Source from;  ///< document and section; may be empty for hand-written cases
  Call call;
  CaseExpectation expect;
  std::optional<CaseGradient> gradient = {};
  std::string rule;     ///< of a rule case: the rule's id, else empty
  bool breaks = false;  ///< of a rule case: its call breaks the rule; the case on the other side obeys it
  std::vector<std::string> tags;
  std::string
      unsupported;  ///< what of the call cannot be executed yet, on no engine; then `call` and `expect` mean
                    ///< nothing. Empty: all can
  std::string file;
  Position at;
};

/// What the literals of files that are read together share; null: each file, or folder, has its own.
using SharedBudget = std::shared_ptr<LiteralBudget>;

/// Reads a case file; calls are checked against the spec's arguments and defaults filled in. Throws
/// OutOfMemory.
Result<std::vector<Case>> load_cases(const std::string& path, const SpecLibrary& specs,
                                     const SharedBudget& budget = nullptr);
Result<std::vector<Case>> load_cases_text(std::string file_name, std::string text, const SpecLibrary& specs);
/// Every *.yaml below a folder, sorted by id; duplicate ids are errors.
Result<std::vector<Case>> load_case_tree(const std::string& folder, const SpecLibrary& specs,
                                         SharedBudget budget = nullptr);

/// Adds each case once more for each variant of its API, because it holds for the variant too.
void add_variants(std::vector<Case>& cases, const SpecLibrary& specs);

/// The good cases of a file, and the errors of the others.
struct GoodCases {
  std::vector<Case> cases;
  Errors errors;
};
/// A case file, or all below a folder, without the cases that are not right. Throws OutOfMemory.
GoodCases load_good_cases(const std::string& path, const SpecLibrary& specs, SharedBudget budget = nullptr);

/// The case as a YAML file's text (used to save and to show).
std::string to_yaml(const Case& one);
/// Cases of one API as the text of one file. Precondition: there is one.
std::string to_yaml(std::span<const Case> cases);

}  // namespace scatterproof::spec
