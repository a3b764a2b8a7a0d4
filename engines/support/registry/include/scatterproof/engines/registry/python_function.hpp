// SPDX-License-Identifier: Apache-2.0
// Functions of a user's in Python as engines: `py:module:function=torch.scatter_add`.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

struct PythonFunction {
  std::string module;                    ///< or a file, with its path
  std::string name;                      ///< in it, with dots
  std::string api;                       ///< whose document it follows
  std::string arrays = "numpy";          ///< what it gets: `numpy`, `torch`, `jax`
  std::vector<std::string> dtypes = {};  ///< of the data; empty: all
};

/// Whether a name of an engine means one.
bool is_function(std::string_view name);

/// What Python must know of an API to call a function with its arguments, as JSON: `keywords`, that is, what
/// each argument is called in Python; which are `indices`; the `lists` of tensors; the `defaults`; what it
/// `overwrites`.
std::string described_for_python(const spec::OpSpec& op);

/// The function in a process of its own, of the user's interpreter.
spec::Result<std::unique_ptr<Engine>> make_function_engine(const PythonFunction& function,
                                                           const spec::SpecLibrary& specs,
                                                           const Places& places);

}  // namespace scatterproof::engines
