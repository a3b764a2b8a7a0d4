// SPDX-License-Identifier: Apache-2.0
// The engine around a user's shared library.
#pragma once

#include <memory>

#include "library.hpp"
#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines::plugin {

/// It offers every API whose spec names a kernel of an operation that the library has. `specs` must outlive
/// it.
std::unique_ptr<Engine> make_plugin_engine(Library library, const spec::SpecLibrary& specs);

}  // namespace scatterproof::engines::plugin
