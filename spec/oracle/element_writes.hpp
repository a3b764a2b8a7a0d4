// SPDX-License-Identifier: Apache-2.0
// The meaning of most APIs on elements, as a loop over places in the storage: without an evaluation for each
// element.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/language/fast_evaluator.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// The cell of each contribution.
using CellNumbers = boost::container::small_vector<std::int64_t, 32>;

/// The contributions of a meaning with one loop over `p`, which writes at `p` or `p with AXIS = index[p]` the
/// element of a tensor at such a place, or a number. `sizes`: p's; at least one position. `form`: the bag's
/// dtype and shape are set. False, having added nothing: the meaning is another one, or has no value.
bool write_elements(const Meaning& meaning, language::FastEvaluator& frame, std::size_t slot_of_p,
                    const language::ShortTuple& sizes, const Bag& form, CellNumbers& places,
                    std::vector<Contribution>& written);

}  // namespace scatterproof::spec
