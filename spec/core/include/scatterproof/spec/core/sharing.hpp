// SPDX-License-Identifier: Apache-2.0
// Views of the same memory: arguments of one call that share a storage, and elements that lie in one place.
#pragma once

#include <cstddef>
#include <optional>

#include "scatterproof/spec/core/call.hpp"

namespace scatterproof::spec {

/// Whether two tensors with elements have one storage.
bool share_storage(const Tensor& a, const Tensor& b);

/// The first argument before `at` whose tensor shares its storage with that of argument `at`. Empty: there is
/// none, or that argument is not a tensor.
std::optional<std::size_t> shared_with(const Call& call, std::size_t at);

/// Whether any two tensors of the call share their storage.
bool has_shared_storage(const Call& call);

/// Whether two tensors of one storage are one and the same view of it.
bool same_view(const Tensor& a, const Tensor& b);

/// Whether several elements lie in one place, or would if there were any. An axis of one element may have any
/// stride.
bool overlaps_itself(const Tensor& tensor);

}  // namespace scatterproof::spec
