// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/calls/call_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::runner {

std::string text_of(const spec::Call& call) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& [name, argument] = call.arguments[i];
    const auto* tensor = std::get_if<spec::Tensor>(&argument);
    if (!tensor) continue;
    const auto layout = spec::layout_of(*tensor);
    if (!layout)
      notes.push_back(fmt::format("{}: strides {}, offset {}", name, spec::to_string(tensor->strides()),
                                  tensor->offset()));
    else if (*layout != spec::Layout::contiguous)
      notes.push_back(fmt::format("{}: {}", name, spec::name(*layout)));
    if (const auto other = spec::shared_with(call, i))
      notes.push_back(fmt::format("{}: in the memory of {}", name, call.arguments[*other].first));
  }
  for (const std::string& name : call.omitted) notes.push_back(name + ": left out");
  return spec::to_string(call) + (notes.empty() ? "" : fmt::format(" ({})", fmt::join(notes, ", ")));
}

std::uint64_t elements_of(const spec::Call& call) {
  std::uint64_t elements = 0;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&argument))
      elements += static_cast<std::uint64_t>(tensor->numel());
  return elements;
}

}  // namespace scatterproof::runner
