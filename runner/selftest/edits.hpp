// SPDX-License-Identifier: Apache-2.0
// Texts of an expression with one thing changed: the mutants of a spec are made from these.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/language/language.hpp"

namespace scatterproof::runner::selftest {

/// How the changed condition compares with the original. `changed` for anything that is not a condition.
enum class Sense : std::uint8_t { weakened, tightened, changed };

struct Edit {
  Sense sense = Sense::changed;
  std::string text;  ///< the whole expression, in the language's notation
};

/// A condition with one comparison, list, connective or quantifier moved by one step: `<` to `<=`, a bound up
/// and down by 1, an alternative or a conjunct dropped.
std::vector<Edit> condition_edits(const spec::language::Expression& expression);

/// A value, tuple or position with one coordinate changed: an axis replaced by the next one modulo the rank,
/// an index, a number of an element or a count moved by one, a wrap or stretch left out, another tensor read
/// (one of `tensors`), parts joined in the opposite order, bounds of slices and integers up and down by 1,
/// branches swapped.
std::vector<Edit> coordinate_edits(const spec::language::Expression& expression,
                                   const std::vector<std::string>& tensors);

/// An expression that gives a word, with one of its words replaced by another of `words`.
std::vector<Edit> word_edits(const spec::language::Expression& expression,
                             const std::vector<std::string>& words);

}  // namespace scatterproof::runner::selftest
