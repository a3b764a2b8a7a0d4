// SPDX-License-Identifier: Apache-2.0
// The stream of a run, read and written again.
#include "parser.hpp"
#include "scatterproof/spec/record/record.hpp"

using namespace scatterproof;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const parsers::TimeLimit limit;
  const parsers::MemoryFile file(data, size);
  const auto run = spec::read_stream(file.path());
  if (!run) {
    to_string(run.errors());
    return 0;
  }
  to_json_line(run->header);
  for (const spec::Record& record : run->records) to_json_line(record);
  if (run->trailer) to_json_line(*run->trailer);
  return 0;
}
