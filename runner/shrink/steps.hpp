// SPDX-License-Identifier: Apache-2.0
// The single steps that may make a call simpler: all of them, from what its spec says of its arguments alone.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::shrink {

/// Makes a candidate. Some steps return the original call, or one that is not simpler.
using Step = std::function<spec::Call()>;

/// The number of columns tried one by one, of an index whose last dimension may be a tuple.
inline constexpr std::size_t most_columns = 8;

/// Every step from a call, in a fixed order: those that remove most come first. The steps refer to `op` and
/// `call`, which must outlive them.
std::vector<Step> steps(const spec::OpSpec& op, const spec::Call& call);

// The parts it is made of; each appends its own.

/// Dimensions dropped from any tensors together or merged in all, with integers (an axis) and the columns of
/// index tuples that go along.
void add_rank_steps(const spec::OpSpec& op, const spec::Call& call, std::vector<Step>& steps);
/// Ranges of positions cut out of dimensions of one size, in any tensors together, and indices that follow.
void add_size_steps(const spec::OpSpec& op, const spec::Call& call, std::vector<Step>& steps);
/// Defaults, passed where they were left out; first choices, absence, small numbers; one number instead of a
/// tensor where either may be.
void add_attribute_steps(const spec::OpSpec& op, const spec::Call& call, std::vector<Step>& steps);
/// Plain dtypes, for all tensors of one type together or one alone; contiguous layouts.
void add_form_steps(const spec::OpSpec& op, const spec::Call& call, std::vector<Step>& steps);
/// Plain elements: all of a tensor, blocks of them, equal ones together, one alone.
void add_value_steps(const spec::OpSpec& op, const spec::Call& call, std::vector<Step>& steps);

}  // namespace scatterproof::runner::shrink
