// SPDX-License-Identifier: Apache-2.0
// How a framework's Python is written: engines/workers/<name>/snippet.yaml.
#pragma once

#include <map>
#include <string>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/spec/core/dtype.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner::snippet {

struct PythonSyntax {
  std::string name;      ///< the engine's, `torch:compile`, without its version
  std::string includes;  ///< text that comes first; may be empty
  std::string setup;
  std::map<std::string, std::string> setup_of;  ///< by dtype: what replaces `setup`
  std::map<std::string, std::string> dtypes;    ///< by dtype: the framework's name of it
  std::string tensor;                           ///< with {values} and {dtype}
  std::string empty;                            ///< with {shape} and {dtype}
  std::string strided;   ///< with {storage} (a tensor of one dimension), {shape}, {strides}, {offset}, or the
                         ///< last two in bytes, {byte_strides} and {byte_offset}
  std::string view;      ///< of a form whose function makes its tensors itself: as `strided`; else empty
  std::string function;  ///< what is called instead of {function}, such as its compiled form; else empty
  /// Statements that set `result`, and `gradients`, `tangent` or `second_order`, with the parts of a
  /// derivative. Empty: there are none.
  std::string gradient, tangent, second_order;
};

/// A tensor's parts in Python, for the names in braces in `tensor`, `empty`, `strided` and `view`.
struct TensorParts {
  std::string dtype = {}, shape = {}, strides = {}, byte_strides = {}, offset = {}, byte_offset = {},
              values = {}, storage = {};
};
/// `tensor`, `empty`, `strided` or `view` of a loaded syntax with the parts put in.
std::string filled(const std::string& pattern, const TensorParts& parts);

/// For the names in braces in `gradient`, `tangent` and `second_order`. The cotangent is `cotangent`.
struct DerivativeParts {
  std::string called = {};   ///< the call of `call`
  std::string sources = {};  ///< names of the tensors by which it is differentiated, with commas between them
  std::string tangents = {};  ///< likewise of their tangents
};
std::string filled(const std::string& pattern, const DerivativeParts& parts);

/// The syntax of an engine by its name, with or without a version. Errors, with a hint: the engine has none,
/// or not in this form (`torch:compile`); its file names an unknown dtype or an unknown part of a tensor.
spec::Result<PythonSyntax> load_python_syntax(const std::string& engine, const engines::Places& places);

}  // namespace scatterproof::runner::snippet
