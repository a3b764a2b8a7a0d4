// SPDX-License-Identifier: Apache-2.0
// Formulas as documents print them.
#include "names.hpp"
#include "parser.hpp"

using namespace scatterproof;
using namespace scatterproof::spec::language;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const parsers::TimeLimit limit;
  const Text text{.file = "input.yaml", .at = {3, 10}, .text = parsers::text_of(data, size)};
  const auto program =
      parse_program(text, {.renamed = {{"tensor", "input"}}, .result = ""}, parsers::names());
  if (!program) to_string(program.errors());
  return 0;
}
