// SPDX-License-Identifier: Apache-2.0
// Which expressions of a spec read elements of an argument.
#pragma once

#include <cstddef>
#include <vector>

#include "scatterproof/spec/language/ast.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// Whether elements of one of these arguments are read: by a subscript, by a function over elements, or by a
/// name of `let`. `lets`: as lets_that_read gives them.
bool reads_values(const language::Node& root, const std::vector<std::size_t>& arguments,
                  const std::vector<bool>& lets);

/// By slot: the names whose expressions read elements of these arguments.
std::vector<bool> lets_that_read(const OpSpec& spec, const std::vector<std::size_t>& arguments);

/// Whether the argument's elements say more than what is written: where, whether, how large the result is, or
/// whether the call obeys a rule.
bool decides_with_values(const OpSpec& spec, std::size_t argument);

/// Whether the rule asks how a tensor lies in memory.
bool asks_for_layout(const Rule& rule);
/// Whether a rule asks how this argument lies in memory.
bool asks_for_layout(const OpSpec& spec, std::size_t argument);

}  // namespace scatterproof::spec
