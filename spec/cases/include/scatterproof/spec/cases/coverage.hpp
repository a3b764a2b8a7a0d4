// SPDX-License-Identifier: Apache-2.0
// Which rules of a spec have a case that obeys them and one that breaks them.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// One rule's cases, by whole id. Covered when it has both sides.
struct RuleCoverage {
  std::string rule;
  std::string promise =
      {};  ///< what the document says of breaking it: `IndexError`, `an error`, `undefined`, `open`
  bool promised = false;  ///< whether it says that the call fails, for some release
  std::vector<std::string> obeys = {};
  std::vector<std::string> breaks = {};

  bool covered() const { return !obeys.empty() && !breaks.empty(); }
};

/// Every rule of the spec, in order, with the rule cases of its API among `cases`. A rule case that
/// contradicts itself (its call breaks another rule, or does not break its own; it does not expect what the
/// rule promises) is not counted and is added to `problems`.
std::vector<RuleCoverage> coverage(const OpSpec& spec, const std::vector<Case>& cases, Errors& problems);

}  // namespace scatterproof::spec
