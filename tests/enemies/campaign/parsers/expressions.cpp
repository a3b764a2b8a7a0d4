// SPDX-License-Identifier: Apache-2.0
// The expression language: parsed, checked, and put into words.
#include "names.hpp"
#include "parser.hpp"

using namespace scatterproof;
using namespace scatterproof::spec::language;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const parsers::TimeLimit limit;
  constexpr Types any = 255;
  const Text text{.file = "input.yaml", .at = {3, 10}, .text = parsers::text_of(data, size)};
  const auto expression = parse_expression(text, parsers::names(), any);
  if (expression)
    in_words(**expression);
  else
    to_string(expression.errors());
  const auto write = parse_write(text, parsers::names());
  if (!write) to_string(write.errors());
  return 0;
}
