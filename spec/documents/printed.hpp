// SPDX-License-Identifier: Apache-2.0
// What a printed block has of numbers and formulas, and whether spec and cases have it too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec {

/// The first bracketed list of numbers that is none of the lists, nor the elements or sizes of a tensor;
/// empty: there is none.
std::string missing_numbers(std::string_view printed, const std::vector<const Tensor*>& tensors,
                            const std::vector<const Shape*>& lists);

/// Whether the block has a bracketed list of numbers: then it is an example, else formulas.
bool has_numbers(std::string_view printed);

/// What is left of the formulas when those that are `read` are taken out; empty: nothing.
std::string without_formulas(std::string_view printed, const std::vector<std::string_view>& reads);

}  // namespace scatterproof::spec
