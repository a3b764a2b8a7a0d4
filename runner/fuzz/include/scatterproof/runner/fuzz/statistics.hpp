// SPDX-License-Identifier: Apache-2.0
// Coverage of the generated calls: how often each value of each aspect, and each pair of values, was reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scatterproof/runner/fuzz/generated.hpp"

namespace scatterproof::runner::fuzz {

/// Aspect and value: `rank(self)` is `3`, `index values` are `permutation`, `collisions` are `2`.
using Traits = std::vector<std::pair<std::string, std::string>>;
Traits traits_of(const spec::OpSpec& spec, const GeneratedCall& generated);
/// What matters only to gradients, of a call that obeys every rule: ties, factors of 0, elements that no cell
/// or several cells depend on.
Traits gradient_traits_of(const spec::OpSpec& spec, const spec::Call& call);
/// A number of contributions as a class: up to what 8 bits and f16 count, beyond, and beyond 16 bits.
std::string count_class(std::int64_t count);

/// The traits that the calls of this API should reach.
Traits targets_of(const spec::OpSpec& spec, const std::vector<const spec::Rule*>& breakable);

/// Of one API.
class Statistics {
 public:
  void see(const Traits& traits);

  std::uint64_t calls() const { return calls_; }
  std::uint64_t count(const std::string& aspect, const std::string& value) const;
  /// Pairs of values of two aspects that were reached together, and the number of possible pairs: the
  /// products of the numbers of values reached.
  std::pair<std::uint64_t, std::uint64_t> pairs() const;
  /// Those that were never reached.
  Traits missed(const Traits& targets) const;

  /// `rank(self)  0: 12 %, 1: 30 % ...`, a line an aspect, then the pairs.
  std::string table() const;

 private:
  /// Of numbers: whether both were seen in one call.
  using Pairs = std::vector<std::vector<bool>>;
  struct Value {
    std::size_t number = 0;  ///< among the values of all aspects
    std::uint64_t count = 0;
  };
  struct Aspect {
    std::size_t number = 0;
    std::map<std::string, Value> values;
  };

  std::uint64_t calls_ = 0;
  std::size_t values_ = 0;
  std::vector<std::string> order_;  ///< aspects as they first came
  std::map<std::string, Aspect> aspects_;
  Pairs value_pairs_, aspect_pairs_;
};

}  // namespace scatterproof::runner::fuzz
