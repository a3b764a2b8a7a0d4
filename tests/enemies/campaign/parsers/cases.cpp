// SPDX-License-Identifier: Apache-2.0
// Case files, read for the shipped specs and written again.
#include "parser.hpp"
#include "scatterproof/spec/cases/case.hpp"

using namespace scatterproof;

static const auto specs = spec::SpecLibrary::load(SCATTERPROOF_SOURCE_DIR "/spec/data/ops").value();

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const parsers::TimeLimit limit;
  const auto cases = spec::load_cases_text("input.yaml", parsers::text_of(data, size), specs);
  if (!cases) {
    to_string(cases.errors());
    return 0;
  }
  for (const spec::Case& one : *cases) to_yaml(one);
  return 0;
}
