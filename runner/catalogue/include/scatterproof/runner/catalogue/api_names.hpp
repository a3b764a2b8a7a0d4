// SPDX-License-Identifier: Apache-2.0
// The spec that is meant by the name of an API as people write it.
#pragma once

#include <string>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner {

/// The spec of an API by its name, or as code calls it after the usual import: `np.add.at`, `jnp.take`,
/// `tf.gather`, `F.embedding`. Null: there is none.
const spec::OpSpec* find_api(const std::string& written, const spec::SpecLibrary& specs);

/// What to write for a name that no spec has: the method of this name, such as torch.Tensor.index_put
/// for torch.index_put, or else the most similar name.
std::string hint_at_api(const std::string& api, const spec::SpecLibrary& specs);

/// The spec for a call that gives a tuple of tensors, where `op` takes all of them as one tensor:
/// `torch.Tensor.index_put_.tuple`; else `op`.
const spec::OpSpec& for_tuple_of_tensors(const spec::OpSpec& op, const spec::SpecLibrary& specs);

/// The same for a tuple, where the API has no spec for tuples of tensors alone: `numpy.add.at.selection`,
/// which takes what stands between the brackets as text, its arrays aside.
const spec::OpSpec& for_selection(const spec::OpSpec& op, const spec::SpecLibrary& specs);

/// The same for truth values as the index: `torch.Tensor.__setitem__.mask`.
const spec::OpSpec& for_mask(const spec::OpSpec& op, const spec::SpecLibrary& specs);

/// The same for an API that is called with a number where it takes a tensor: `torch.scatter.value`.
const spec::OpSpec& for_number(const spec::OpSpec& op, const spec::SpecLibrary& specs);

/// Whether an argument of this name is an axis: frameworks call it axis or dim.
bool is_axis(const std::string& name);

/// The same for an API that is called without its axis, or with None for it: `jax.numpy.take.flat`.
const spec::OpSpec& for_no_axis(const spec::OpSpec& op, const spec::SpecLibrary& specs);

}  // namespace scatterproof::runner
