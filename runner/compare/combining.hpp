// SPDX-License-Identifier: Apache-2.0
// Ways in which values that meet in one place are combined.
#pragma once

#include <string>

#include "scatterproof/spec/judge/bag.hpp"

namespace scatterproof::runner::compare {

/// The same values combined in the way that a word of the schema of readings names. Throws std::logic_error
/// for any other word.
spec::Bag combined(const spec::Bag& bag, const std::string& word);

}  // namespace scatterproof::runner::compare
