// SPDX-License-Identifier: Apache-2.0
// Reads exact values off a bag. For doubts and proofs, whose data is so small that every order of combination
// gives the same value. The judge has sharper comparison modes of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scatterproof/spec/judge/bag.hpp"

namespace scatterproof::spec {

/// The values a cell may hold; empty: anything (a collision that the caller must not cause).
std::vector<Scalar> allowed_values(const Bag& bag, std::int64_t cell);

/// Which cell of `actual` holds what the bag does not allow, and what lands there, in a sentence; empty when
/// all is allowed.
std::string disagreement(const Bag& bag, const Tensor& actual);

/// The result, when the bag allows one only.
std::optional<Tensor> only_result(const Bag& bag);

/// The bag's cells with all their values: `[[1, 7|9], [3, 4]]` flat, for a person.
std::string to_string(const Bag& bag);

}  // namespace scatterproof::spec
