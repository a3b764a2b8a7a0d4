// SPDX-License-Identifier: Apache-2.0
// What pages call things.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scatterproof/runner/site/kept.hpp"
#include "scatterproof/spec/family/comparison.hpp"

namespace scatterproof::runner::site {

/// What a behaviour's name means, in a few words: `an index below 0 counts from the end`, `refuses the call`.
std::string behaviour_words(const spec::FamilyComparison& comparison, const std::string& behaviour);
/// Whether a document that says this names one result, or a refusal.
bool promises_something(const std::string& behaviour);
/// In words, all that was seen.
std::string seen_words(const spec::FamilyComparison& comparison, const std::vector<KeptBehaviour>& seen);

/// `1 case`, `2 cases`.
std::string count_words(std::size_t n, const std::string& one, const std::string& many);

/// Names as whole words of a text, each replaced by another.
std::string with_names(const std::string& text,
                       const std::vector<std::pair<std::string, std::string>>& names);

}  // namespace scatterproof::runner::site
