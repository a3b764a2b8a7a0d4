// SPDX-License-Identifier: Apache-2.0
// What of a call a rule looks at, so that a change elsewhere need not be checked against it.
#pragma once

#include <cstdint>

#include "scatterproof/spec/opspec/op_spec.hpp"
#include "ties.hpp"

namespace scatterproof::spec::solve {

/// Sets of arguments, by bit. An argument beyond the bits is in every set.
struct Dependencies {
  std::uint64_t sizes = 0;   ///< their ranks and sizes; the whole of an argument that is not a tensor
  std::uint64_t dtypes = 0;  ///< the same of dtypes

  static std::uint64_t bit(std::size_t argument) {
    return argument < 64 ? std::uint64_t{1} << argument : ~std::uint64_t{0};
  }
  bool meets(const Dependencies& other) const {
    return (sizes & other.sizes) != 0 || (dtypes & other.dtypes) != 0;
  }
  Dependencies& operator|=(const Dependencies& other) {
    sizes |= other.sizes;
    dtypes |= other.dtypes;
    return *this;
  }
};

/// For each rule of the spec, in their order, what `require` and `unless` read. If that is an element, or
/// unknown, it is the whole argument.
std::vector<Dependencies> looks_of_rules(const OpSpec& spec);

/// What changes when these sizes or dtypes, or one argument that is not a tensor, are set.
Dependencies change_of_sizes(const Tie& tie);
Dependencies change_of_dtypes(const Tie& tie);
Dependencies change_of_all(std::size_t argument);

}  // namespace scatterproof::spec::solve
