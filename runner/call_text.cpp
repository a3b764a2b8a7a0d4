// SPDX-License-Identifier: Apache-2.0
#include "call_text.hpp"

#include <fmt/format.h>

namespace scatterproof::runner {

std::string text_of(const spec::Call& call) {
  std::string layouts;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&argument)) {
      const spec::Layout layout = spec::layout_of(*tensor).value_or(spec::Layout::contiguous);
      if (layout != spec::Layout::contiguous)
        layouts += fmt::format("{}{}: {}", layouts.empty() ? " (" : ", ", name, spec::name(layout));
    }
  return spec::to_string(call) + (layouts.empty() ? "" : layouts + ")");
}

}  // namespace scatterproof::runner
