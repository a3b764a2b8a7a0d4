// SPDX-License-Identifier: Apache-2.0
// Spec files, and the files of families.
#include "parser.hpp"
#include "scatterproof/spec/family/family.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

using namespace scatterproof;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const parsers::TimeLimit limit;
  const std::string text = parsers::text_of(data, size);
  const auto specs = spec::load_op_specs_text("input.yaml", text);
  if (!specs) to_string(specs.errors());
  const auto family = spec::load_family_text("input.yaml", text);
  if (!family) to_string(family.errors());
  return 0;
}
