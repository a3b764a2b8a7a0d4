// SPDX-License-Identifier: Apache-2.0
// How the members of a family differentiate the same inputs: at ties, collisions, zeros, and where nothing
// lands.
#pragma once

#include "scatterproof/runner/compare/compare.hpp"
#include "scatterproof/spec/family/comparison.hpp"

namespace scatterproof::runner::compare {

/// Puts the inputs of a comparison to every member that has gradients, in reverse mode. The result's classes
/// are those of `gradient_classes`: a row tells what members do with the elements, or with the cells, that
/// are of its class. A difference has the smallest of these inputs that shows it.
ComparisonResult compare_gradients(const Plan& plan);

/// The comparison with what elements and cells may be instead of its input classes: to render the result by.
spec::FamilyComparison gradient_classes(const spec::FamilyComparison& comparison);

}  // namespace scatterproof::runner::compare
