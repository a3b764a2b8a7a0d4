// SPDX-License-Identifier: Apache-2.0
// Tensors, arguments and calls as YAML writes them (docs/formats/case-format.md): in case files, and in the
// witnesses and defaults of spec files.
#pragma once

#include <optional>
#include <span>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"
#include "scatterproof/spec/opspec/reader.hpp"

namespace scatterproof::spec {

/// The most elements that a literal may have: every engine reads a case whole, several times.
inline constexpr std::int64_t max_literal_numel = std::int64_t{1} << 22;

/// The sizes of a literal or a view. Empty after an error.
std::optional<Shape> read_shape(Reader& reader, const yaml::Node& list);

/// Their strides, in elements, of any sign and number. Empty after an error.
std::optional<Shape> read_strides(Reader& reader, const yaml::Node& list);

/// `{dtype: f32, values: [[1, 2]]}` and its other forms. Empty after an error.
std::optional<Tensor> read_tensor(Reader& reader, const yaml::Node& literal);

/// A nested list of numbers of a known dtype. With a shape, its nesting must be that shape, or flat, or empty
/// where the shape has no elements; without one, the nesting is the shape. `whose` names the shape in errors.
/// Empty after an error.
std::optional<Tensor> read_values(Reader& reader, const yaml::Node& nested, DType dtype, const Shape* shape,
                                  std::string_view whose = "the shape");

/// The value of one argument, of the kind that is declared. Empty after an error.
std::optional<Argument> read_argument(Reader& reader, const yaml::Node& node, const ArgumentDecl& declared);

/// The argument that a user means by a word: the one of that name, or the first by `input` or `self`, as the
/// page of a function and that of a method call it. Null: none.
const ArgumentDecl* argument_meant(const OpSpec& spec, const std::string& word);

/// A call from several maps of arguments (the last one wins), with defaults filled in and unknown and missing
/// arguments reported. `at` is where a missing argument is reported. Empty after an error.
std::optional<Call> read_call(Reader& reader, const OpSpec& spec, std::span<const yaml::Node* const> layers,
                              Position at);

}  // namespace scatterproof::spec
