// SPDX-License-Identifier: Apache-2.0
// How a framework's Python is written: engines/workers/<name>/snippet.yaml.
#pragma once

#include <map>
#include <string>

#include "scatterproof/engines/registry.hpp"
#include "scatterproof/spec/dtype.hpp"
#include "scatterproof/spec/error.hpp"

namespace scatterproof::runner::snippet {

struct PythonForm {
  std::string name;      ///< the engine's, without its version
  std::string includes;  ///< text that comes first; may be empty
  std::string setup;
  std::map<std::string, std::string> setup_of;  ///< by dtype: what stands in place of `setup`
  std::map<std::string, std::string> dtypes;    ///< by dtype: the framework's name of it
  std::string tensor;                           ///< with {values} and {dtype}
  std::string empty;                            ///< with {shape} and {dtype}
  std::string strided;  ///< with {storage}, {shape}, {strides} or {byte_strides}, {offset}, {dtype}
};

/// The form of an engine by its name, with a version or without. An engine that has none is an error with a
/// hint.
spec::Result<PythonForm> load_python_form(const std::string& engine, const engines::Places& places);

}  // namespace scatterproof::runner::snippet
