// SPDX-License-Identifier: Apache-2.0
// Values as Python literals that read back to the same value. `inf` and `nan` are names.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scatterproof/spec/core/call.hpp"

namespace scatterproof::runner::snippet {

/// What literals call for a NaN with a payload; a script defines it.
inline constexpr std::string_view nan_function = "nan_of_bits";

/// A number of a tensor's dtype.
std::string python(const spec::Scalar& value, spec::DType dtype);
/// A number on its own.
std::string python(const spec::Scalar& value);
/// `"add"`, escaped as needed.
std::string python(const std::string& word);
/// `(2, 3)`, `(3,)`, `()`.
std::string python_tuple(const spec::Shape& numbers);
/// Nested lists; of a tensor without dimensions its one element.
std::string nested_lists(const spec::Tensor& tensor);
/// The storage of tensors of one dtype that share it, as a flat list; 0 where no element of theirs lies.
std::string flat_storage(std::span<const spec::Tensor> views);

}  // namespace scatterproof::runner::snippet
