// SPDX-License-Identifier: Apache-2.0
// The engine around a user's shared library.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "library.hpp"
#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines::plugin {

/// The spec of an API, which outlives the engine; null: there is none.
using FindSpec = std::function<const spec::OpSpec*(const std::string& api)>;

/// It declares kernels and no APIs: which those are, the tool knows. Only the specs of calls are asked for.
std::unique_ptr<Engine> make_plugin_engine(Library library, FindSpec find);

}  // namespace scatterproof::engines::plugin
