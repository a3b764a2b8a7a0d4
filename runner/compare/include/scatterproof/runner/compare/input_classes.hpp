// SPDX-License-Identifier: Apache-2.0
// The input classes of calls: of a family's inputs, and of the calls of any API.
#pragma once

#include <bitset>
#include <cstddef>
#include <string>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/family/comparison.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::compare {

/// What is said, and the input classes that it is in (places in FamilyComparison::classes).
struct Input {
  spec::FamilyCall said;
  std::vector<std::size_t> classes;
};
/// Finds the classes.
Input classified(const spec::FamilyComparison& comparison, spec::FamilyCall said);

inline constexpr std::size_t most_input_classes = 192;
/// The classes that a call is in, by their places in InputClasses::all.
using InputClassSet = std::bitset<most_input_classes>;

struct InputClass {
  std::string id;    ///< `index/negative`, `mode=clip`
  std::string says;  ///< which calls are in it, in words
};

/// The values of one argument.
struct ArgumentClass {
  std::string argument, value;
  bool equal = true;  ///< false: every other value
};

/// The input classes of an API's calls: the classes and details of its family, then the values of its words,
/// truth values and numbers with a default.
class InputClasses {
 public:
  /// `comparison`: of the family in whose roles calls of the API are said; null: there is none. Both outlive
  /// this.
  InputClasses(const spec::OpSpec& op, const spec::FamilyComparison* comparison);
  const std::vector<InputClass>& all() const { return all_; }
  InputClassSet of(const spec::Call& call) const;

 private:
  const spec::OpSpec& op_;
  const spec::FamilyComparison* comparison_;
  std::vector<ArgumentClass> by_argument_;
  std::vector<InputClass> all_;
};

}  // namespace scatterproof::runner::compare
