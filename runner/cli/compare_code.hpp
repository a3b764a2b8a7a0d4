// SPDX-License-Identifier: Apache-2.0
// From a comparison to code of another framework.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/compare/compare.hpp"
#include "scatterproof/runner/snippet/snippet.hpp"

namespace scatterproof::runner::cli {

/// Calls of members as scripts.
class MemberScripts {
 public:
  /// The places must outlive it.
  explicit MemberScripts(const engines::Places& places) : places_(places) {}

  /// What a member did with a call, in its engine's own Python. Empty: there is no such script.
  /// `stands_for`: the call of another API that it says; may be empty.
  std::string script(const compare::FamilyMember& member, const spec::Call& call,
                     const spec::Outcome& outcome, const std::string& stands_for = {});

  /// How a call that was asked is written in other frameworks that gave a result: the script if that is one
  /// framework, else a command for each. Empty: none gave any.
  std::string in_others(const compare::Plan& plan, const spec::Call& call, const compare::Input& input,
                        std::span<const compare::Observation> answers);

  /// For an API and what was compared with it: a command for each other framework, which writes a small call
  /// of the API there, on which both do what their family means. Empty: no such call was asked.
  std::string commands(const compare::Plan& plan, const compare::ComparisonResult& compared,
                       const spec::OpSpec& op);

 private:
  /// Null: there is none of this engine or framework.
  const snippet::PythonSyntax* syntax_of(const std::string& language);
  /// `in jax: scatterproof show CALL --snippet jax`; empty: it has no scripts.
  std::string command(const compare::FamilyMember& member, const spec::Call& call);

  const engines::Places& places_;
  std::map<std::string, std::optional<snippet::PythonSyntax>> syntaxes_;
};

}  // namespace scatterproof::runner::cli
