// SPDX-License-Identifier: Apache-2.0
// A call of a documented API with its arguments and nothing else. This is all that an engine ever sees.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scatterproof/spec/core/scalar.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec {

struct None {
  friend bool operator==(None, None) = default;
};

/// The value of one argument: absent on purpose, a tensor, a number, a word, or a list of integers.
using Argument = std::variant<None, Tensor, Scalar, std::string, Shape>;

struct Call {
  std::string api;                                          ///< the spec's name: `torch.Tensor.scatter_`
  std::vector<std::pair<std::string, Argument>> arguments;  ///< in the spec's order; defaults filled in
  std::vector<std::string> omitted = {};  ///< which of them the caller leaves out; they have their defaults

  const Argument* find(std::string_view name) const {
    for (const auto& [key, value] : arguments)
      if (key == name) return &value;
    return nullptr;
  }
};

/// The tensors among a call's arguments, in their order.
std::vector<const Tensor*> tensors_of(const Call& call);

/// Whether this argument is an item of a list of tensors, named LIST_0, LIST_1 .., that the call does not
/// give.
bool is_absent_item(const Call& call, const std::string& name, const Argument& value);

/// `torch.gather(input=i64[2,2] [[1, 2], [3, 4]], dim=1, index=...)`, cut to a readable length. Absent items
/// are left out.
std::string to_string(const Call& call);
std::string to_string(const Argument& argument);

/// Of the same kind, with the same value; tensors also of the same dtype and shape.
bool identical(const Argument& a, const Argument& b);

/// A copy with storages of its own, laid out and shared as in the original: for an engine that may write.
Call clone(const Call& call);

}  // namespace scatterproof::spec
