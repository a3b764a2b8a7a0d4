// SPDX-License-Identifier: Apache-2.0
// A call of one API as code that calls another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twins.hpp"

namespace scatterproof::runner::site {

/// The call of an API, with the names of its arguments, and the keywords that its family speaks of.
std::string call_in_python(const spec::OpSpec& op);

/// The call of `twin.to`, in Python, over the arguments of `from`, which `steps` prepare; empty: it is not
/// called from Python.
std::string translation(const spec::OpSpec& from, const Twin& twin,
                        const std::vector<const Preparation*>& steps, const spec::FamilyLibrary& families);

/// A word or another constant as specs write it in entries of families.
std::string text_of_word(const spec::Argument& value);
/// What an API takes for its updates; nothing if it has none.
std::optional<spec::ArgumentKind> kind_of_updates(const spec::OpSpec& op);
/// The code of a bridge for an API whose updates are a number: nothing has to be done with them. Empty: the
/// rest of the code needs a tensor of them.
std::string code_for_a_number(const Bridge& bridge);

}  // namespace scatterproof::runner::site
