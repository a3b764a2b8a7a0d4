// SPDX-License-Identifier: Apache-2.0
// The concrete syntax tree: what the grammar finds in a text, before it has a meaning. grammar.cpp fills it,
// lower.cpp reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/language/language.hpp"

namespace scatterproof::spec::language {

enum class SyntaxKind : std::uint8_t {
  unselected,
  number,
  word,
  name,
  sign,  // leaves; a sign is an operator's or a mark's own text
  list,
  parenthesis,
  brackets,
  arguments,  // the text between them, with the commas and colons as signs
  attribute,  // `.name`
  postfix,
  negative,
  replacement,  // `x[..](..).y`, `-x`, `p with d = x`
  product,
  sum,
  joined,
  comparison,  // operands with their operators between them
  negation,
  conjunction,
  disjunction,
  implication,
  conditional,
  quantified,
  write,  // `out[AT] <- VALUE`
  loop_line,
  if_line,
  elif_line,
  else_line,
  function_line,
  return_line,
  import_line,
  assignment,
  condition
};

/// A piece of the text. Children come in the order written.
struct Syntax {
  SyntaxKind form = SyntaxKind::unselected;
  std::size_t begin = 0;  ///< byte offsets into the text
  std::size_t end = 0;
  std::string_view text;  ///< of the text that was parsed
  std::vector<std::unique_ptr<Syntax>> children;
};

enum class Goal { expression, write, program_line };

/// One error, at its place, when the text does not follow the grammar (docs/formats/spec-language.md §3). The
/// result's views look into `source.text`.
Result<std::unique_ptr<Syntax>> parse_syntax(const Text& source, Goal goal);

/// The place of a byte of a text inside its file. Further lines are assumed to be indented like the first.
Position place_in(const Text& source, std::size_t offset);
Error error_at(const Text& source, std::size_t offset, std::string what, std::string hint = {});

}  // namespace scatterproof::spec::language
