// SPDX-License-Identifier: Apache-2.0
// A spec as readable text: `spec show`.
#pragma once

#include <string>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner {

/// Documents, arguments, rules, meaning, formulas, latitude and doubts; each doubt's claims executed on its
/// witness.
std::string describe(const spec::OpSpec& op);

/// Its parts: what a broken rule means, when something holds (empty: always), and where it is said.
std::string words(const spec::Promise& promise);
std::string words(const spec::Applies& applies);
std::string words(const spec::Source& from);
/// The statement that defines the operator, in lines.
std::string describe_meaning(const spec::Meaning& meaning);

}  // namespace scatterproof::runner
