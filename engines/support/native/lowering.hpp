// SPDX-License-Identifier: Apache-2.0
// A spec's kernel entry, read once, so that each call adds little work.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scatterproof/engines/native/kernel.hpp"

namespace scatterproof::engines {

/// Lowers the calls of one API, as `lower` does.
class Lowering {
 public:
  explicit Lowering(const spec::OpSpec& spec);
  std::variant<KernelCall, spec::Outcome> operator()(const spec::Call& call) const;

 private:
  using Setter = void (*)(KernelCall& kernel, std::string_view field, const spec::Argument& argument);

  /// A field that an argument decides, or one that no kernel has.
  struct Step {
    std::string field;
    Setter set;            ///< null: no kernel has this field
    std::string argument;  ///< empty: the literal
    spec::Argument literal;
    std::vector<std::pair<std::string, spec::Argument>> table;  ///< argument's word -> kernel's word
  };
  void add(const std::string& field, const spec::LoweredValue& value);
  static void apply(const Step& step, const spec::Argument& argument, KernelCall& kernel);
  static const spec::Argument& resolve(const Step& step, const spec::Call& call);
  void complete(KernelCall& kernel) const;
  void check_range(const KernelCall& kernel) const;

  std::string why_not_;  ///< the spec names no kernel, or an unknown one
  KernelCall constant_;  ///< with the fields that are the same in every call
  std::vector<Step> steps_;
  bool has_index_ = false;
  bool has_data_ = false;
  /// An index out of range is not an error of the call, and kernels do not handle it.
  bool in_range_only_ = false;
};

}  // namespace scatterproof::engines
