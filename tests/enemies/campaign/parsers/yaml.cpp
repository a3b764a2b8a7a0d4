// SPDX-License-Identifier: Apache-2.0
// The YAML reader, and the checks against every schema.
#include "scatterproof/spec/yaml/yaml.hpp"

#include "parser.hpp"

using namespace scatterproof;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const parsers::TimeLimit limit;
  const auto document = spec::yaml::read_text("input.yaml", parsers::text_of(data, size));
  if (!document) return to_string(document.errors()).empty();
  for (const char* schema : {"baseline", "bench", "cases", "engine", "equivalents", "families", "kernels",
                             "ops", "snippet", "table"})
    to_string(spec::yaml::validate(*document, schema));
  return 0;
}
