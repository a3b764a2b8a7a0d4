// SPDX-License-Identifier: Apache-2.0
// The functions of the language: names, operand counts and types in one table (docs/formats/spec-language.md
// §2).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "scatterproof/spec/language/language.hpp"

namespace scatterproof::spec::language {

enum class Function : std::uint8_t {
  rank,
  size,
  shape,
  numel,
  dims,
  is_compact,
  dtype,
  len,
  tuple,
  range,
  positions,
  product,
  sum,
  min,
  max,
  abs,
  wrap,
  broadcast,
  broadcastable,
  broadcasts_to,
  stretch,
  ravel,
  unravel,
  trues,
  count,
  common_shape,
  elements,
  index_shape,
  parts,
  axis_of,
  numbers_within,
  is_mask,
  masks_fit,
  numbers_first,
  selected_shape,
  selected,
  is_tensor,
  given,
  is_float,
  is_integer,
  is_complex,
  holds,
  represents
};

inline constexpr std::size_t many = 64;

/// What a function reads of the tensors among its operands.
enum class Reads : std::uint8_t {
  values,    ///< no tensor: its operands are numbers, tuples, dtypes
  presence,  ///< whether it is there
  dtype,
  sizes,  ///< rank and sizes; the whole of an operand that is not a tensor
  trues,  ///< and how many elements of a tensor of booleans are true
  elements
};

struct Signature {
  Function function;
  std::string_view name;
  std::size_t least;  ///< number of operands
  std::size_t most;
  Types first;  ///< what the first operand may be
  Types rest;   ///< and the others
  Types result;
  Reads reads;
  std::string_view usage;
};

/// Whether it reads no more of tensors than that.
constexpr bool reads_form_only(Reads reads) {
  return reads == Reads::presence || reads == Reads::dtype || reads == Reads::sizes;
}

std::span<const Signature> signatures();
const Signature* find_signature(std::string_view name);
const Signature& signature(Function function);

}  // namespace scatterproof::spec::language
