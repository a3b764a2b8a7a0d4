// SPDX-License-Identifier: Apache-2.0
// The tool turned on itself: engines with one fault, and specs with one thing wrong, must be caught by calls
// made from the specs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::selftest {

/// The calls of one API, numbered from 0; nothing where a number has none. Thread-safe.
using Calls = std::function<std::optional<spec::Call>(std::uint64_t number)>;
/// Makes the calls of an API from its spec, which outlives them. Thread-safe.
using CallMaker = std::function<Calls(const spec::OpSpec& spec)>;

/// By runner/fuzz/generator.hpp.
CallMaker generated_calls(std::uint64_t seed);

struct Options {
  std::uint64_t cases = 100'000;  ///< calls a mutant or fault is given before it counts as alive
  int jobs = 1;
  CallMaker calls;
  std::function<bool(const std::string& name)> wanted;  ///< which to try
  std::function<void(const std::string& name)>
      tried;  ///< for a person who waits; called from any thread, one at a time
};

/// How a fault or mutant was caught.
struct Kill {
  std::uint64_t calls = 0;  ///< made, the one that showed it included
  std::string verdict;      ///< `mismatch`; `spec error` where the spec has no word for a call that obeys it
  spec::Call witness;       ///< the smallest call that shows it
};

/// One fault or mutant.
struct Tried {
  std::string name;  ///< `faulty:dropped-tail`, `torch.gather/rule/dim-range/weakened-1`
  std::string says;
  std::optional<Kill> kill;  ///< empty: alive
};

/// Every engine fault, on calls of all APIs in turn. A call counts when the document does not allow what the
/// faulty engine does, and allows what the reference does.
std::vector<Tried> try_faults(const spec::SpecLibrary& specs, const Options& options);

/// Every mutant of every spec. The calls it judges are made in turn from it and from the spec: those that a
/// wrong spec makes by itself, and those that were kept from before it went wrong. A call counts when the
/// mutant does not allow what a correct engine does, and the spec does.
std::vector<Tried> try_mutants(const spec::SpecLibrary& specs, const Options& options);

}  // namespace scatterproof::runner::selftest
