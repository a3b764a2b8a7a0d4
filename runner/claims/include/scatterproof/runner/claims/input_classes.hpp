// SPDX-License-Identifier: Apache-2.0
// Classes of inputs, by which a difference between two APIs is named:
// spec/data/claims/classes/input_classes.yaml.
#pragma once

#include <bitset>
#include <string>
#include <utility>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/language/language.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::claims {

inline constexpr std::size_t most_classes = 128;
/// The classes that a call is in, by their numbers.
using ClassSet = std::bitset<most_classes>;

struct InputClass {
  std::string id;
  std::string says;
  std::string without;                     ///< a role: APIs that have it are not concerned; may be empty
  std::vector<spec::language::Text> when;  ///< over roles; a call is in the class when one of them holds
};

struct InputClasses {
  /// A role, and what APIs call the argument that has it.
  std::vector<std::pair<std::string, std::vector<std::string>>> roles;
  std::vector<InputClass> classes;

  static spec::Result<InputClasses> load(const std::string& path);
};

/// The classes as one API's arguments can be in them. `spec` and `classes` must outlive it.
class ClassesOf {
 public:
  ClassesOf(const InputClasses& classes, const spec::OpSpec& spec);
  ClassSet of(const spec::Call& call) const;
  /// Those that the API has the arguments for.
  const ClassSet& applicable() const { return applicable_; }

 private:
  const spec::OpSpec& spec_;
  std::vector<std::size_t> arguments_;  ///< by role of the scope
  std::vector<std::vector<spec::ExpressionPtr>> when_;
  ClassSet applicable_;
};

}  // namespace scatterproof::runner::claims
