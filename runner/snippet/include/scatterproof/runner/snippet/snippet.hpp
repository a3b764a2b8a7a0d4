// SPDX-License-Identifier: Apache-2.0
// Standalone reproducers: a call as a script in the framework's own language, which shows what the framework
// does with it and needs nothing else.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/snippet/python_syntax.hpp"
#include "scatterproof/spec/core/gradient.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/core/verdict.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::snippet {

/// What the comment at the top says: what an engine did with the call, and whether it stands for another.
struct ObservedOutcome {
  const engines::EngineInfo& engine;
  const spec::Outcome& outcome;
  const spec::Judgement& judgement;
  std::string stands_for = {};  ///< the call of another API that this one says; empty: none
  /// What was asked about the call's derivative: the script asks it too, one question after the other.
  /// In a form whose function makes its tensors itself, by what it makes them of.
  std::vector<spec::GradientQuestion> questions = {};
  bool executed = true;  ///< false: there is no such engine here, and the comment says only what is expected
};

/// Imports, tensors literally (dtype, layout and every value exactly), the call, and `print(result)`. A
/// refusal or a crash shows as well: the script ends with it. Errors: the spec does not say how the API is
/// called in Python; the framework has no tensors of a dtype of the call, or no such derivatives; the spec
/// itself.
spec::Result<std::string> make_snippet(const spec::OpSpec& op, const spec::Call& call,
                                       const PythonSyntax& syntax, const ObservedOutcome& seen);

/// A function of the user's that is checked.
struct CheckedFunction {
  std::string name;                ///< as Python code
  bool by_keyword = true;          ///< it is called with the API's keywords, else by position
  std::vector<std::string> takes;  ///< those that it has a place for
  bool gradients = false;          ///< what fails is its gradients
  bool by_chance = false;          ///< it fails at some executions only
};

/// Code for the Python package `scatterproof` that fails as the call does: imports, tensors literally, and
/// the assertion that the function gives what the API's document allows. Errors: as make_snippet; or the
/// tensors are too large to be read.
spec::Result<std::string> make_assertion(const spec::OpSpec& op, const spec::Call& call,
                                         const PythonSyntax& syntax, const CheckedFunction& function);

}  // namespace scatterproof::runner::snippet
