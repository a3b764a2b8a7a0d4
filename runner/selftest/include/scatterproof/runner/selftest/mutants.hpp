// SPDX-License-Identifier: Apache-2.0
// Specs with one thing wrong, to test the judge with.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::selftest {

struct Mutant {
  std::string name;    ///< `torch.gather/rule/dim-range/weakened-1`
  std::string says;    ///< what it says instead of the original
  std::string engine;  ///< the correct engine that must contradict it: `reference`, or one that uses
                       ///< the latitude that was removed
  std::function<void(spec::OpSpec&)> change;  ///< makes the spec this mutant
};

/// The spec with the mutant's change.
spec::OpSpec mutated(spec::OpSpec spec, const Mutant& mutant);

/// Each written and implied rule removed, inverted, and weakened and tightened by one at each comparison;
/// each combiner, start, result and coordinate of the meaning altered; each latitude removed. Mutants that no
/// correct engine can contradict are left out: rules that a native engine does not read (other releases and
/// devices), a tightened rule whose break is undefined or open (it promises less), and mutants that the
/// loader refuses (a rule that is always true or never).
std::vector<Mutant> mutants_of(const spec::OpSpec& spec);

}  // namespace scatterproof::runner::selftest
