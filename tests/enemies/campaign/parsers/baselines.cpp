// SPDX-License-Identifier: Apache-2.0
// Baselines.
#include "parser.hpp"
#include "scatterproof/runner/baseline/baseline.hpp"

using namespace scatterproof;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const parsers::TimeLimit limit;
  const parsers::MemoryFile file(data, size);
  runner::Baseline baseline;
  to_string(baseline.add(file.path()));
  spec::Record record;
  record.id = "torch.gather/doc/example";
  record.engine = "torch@2.13.0";
  record.version = "2.13.0";
  baseline.reconcile(record);
  return 0;
}
