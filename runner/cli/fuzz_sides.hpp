// SPDX-License-Identifier: Apache-2.0
// Which sides of rules generated calls are on, for --min-coverage.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gates.hpp"
#include "scatterproof/runner/fuzz/driver.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::cli {

/// Not thread-safe.
class GeneratedSides {
 public:
  GeneratedSides() = default;
  /// Of the rules of these APIs that hold for the release and the device of some engine.
  GeneratedSides(std::span<const spec::OpSpec* const> apis, const fuzz::Engines& engines);

  /// A call of one of the APIs that obeys every rule. If a rule does not apply to it, it says nothing about
  /// that rule.
  void obeyed(const spec::OpSpec& op, const spec::Call& call);
  /// A side counts when an engine answered a call on it. If no engine answered a call of an API that obeys
  /// every rule, none of its rules counts as obeyed.
  SidesCovered covered(const fuzz::FuzzResult& fuzzed) const;

 private:
  struct ApplicableRules {
    std::vector<spec::Target> targets;  ///< of the engines
    std::set<std::string> rules;
    std::set<std::string> obeyed;
  };
  std::map<std::string, ApplicableRules> apis_;
};

}  // namespace scatterproof::runner::cli
