// SPDX-License-Identifier: Apache-2.0
// How one spec judges one engine's outcome, as one word.
#pragma once

#include <functional>
#include <string>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::selftest {

/// The failing verdict's name, `spec error` when the spec has no expectation for the call; empty if the
/// verdict does not fail.
std::string failure(const spec::Result<spec::Expectation>& expectation, const spec::Outcome& outcome);
std::string failure(const spec::OpSpec& spec, const spec::Call& call, engines::Engine& engine);

/// The smallest call for which `shows` still holds, by its steps for the spec's arguments.
spec::Call smallest(const spec::OpSpec& spec, const spec::Call& call,
                    const std::function<bool(const spec::Call&)>& shows);

}  // namespace scatterproof::runner::selftest
