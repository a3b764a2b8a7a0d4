// SPDX-License-Identifier: Apache-2.0
// The tool tests itself: calls generated from the specs must catch engines with one fault and specs with one
// thing wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::selftest {

/// The calls of one API, numbered from 0; empty where a number has no call. Thread-safe.
using Calls = std::function<std::optional<spec::Call>(std::uint64_t number)>;
/// Makes the calls of an API from its spec, which outlives them. Thread-safe.
using CallMaker = std::function<Calls(const spec::OpSpec& spec)>;

/// By runner/fuzz: those that the reference takes; for `gradients` those of `fuzz --gradients`. `specs`
/// outlives them.
CallMaker generated_calls(const spec::SpecLibrary& specs, std::uint64_t seed, bool gradients = false);

struct Options {
  std::uint64_t cases = 100'000;  ///< calls tried on a mutant or fault before it counts as alive
  int jobs = 1;
  CallMaker calls;
  CallMaker gradient_calls;                              ///< for faults of gradients
  std::function<bool(const std::string& name)> wanted;   ///< which to try
  std::function<bool()> stopped = [] { return false; };  ///< then only what was settled before is returned
  std::function<void(const std::string& name)>
      tried;  ///< for progress display; called from any thread, one at a time
};

/// How a fault or mutant was caught.
struct Kill {
  std::uint64_t calls = 0;  ///< made, the one that showed it included
  std::string
      verdict;  ///< `mismatch`; `spec error` where the spec has no expectation for a call that obeys it
  spec::Call witness;  ///< the smallest call that shows it
};

/// One fault or mutant.
struct SelftestResult {
  std::string name;  ///< `faulty:dropped-tail`, `torch.gather/rule/dim-range/weakened-1`
  std::string says;
  std::optional<Kill> kill;  ///< empty: alive
};

/// Every engine fault, on calls of all APIs in turn; faults of gradients on calls that have some. A call
/// kills the fault when the document forbids what the faulty engine does and allows what the reference does.
std::vector<SelftestResult> try_faults(const spec::SpecLibrary& specs, const Options& options);

/// Every mutant of every spec. The calls it judges are generated in turn from the mutant and from the spec. A
/// call kills the mutant when the mutant forbids what a correct engine does and the spec allows it.
std::vector<SelftestResult> try_mutants(const spec::SpecLibrary& specs, const Options& options);

}  // namespace scatterproof::runner::selftest
