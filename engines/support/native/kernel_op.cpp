// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "scatterproof/engines/native/kernel.hpp"

namespace scatterproof::engines {
namespace {

/// In the order of KernelOp.
constexpr std::array<std::string_view, 6> names = {"scatter_elements", "scatter_rows", "scatter_nd",
                                                   "gather_elements",  "gather_rows",  "gather_nd"};

}  // namespace

std::string_view name(KernelOp op) { return names[static_cast<std::size_t>(op)]; }

std::optional<KernelOp> parse_kernel_op(std::string_view word) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == word) return static_cast<KernelOp>(i);
  return std::nullopt;
}

bool is_scatter(KernelOp op) { return op <= KernelOp::scatter_nd; }

}  // namespace scatterproof::engines
