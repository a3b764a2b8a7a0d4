// SPDX-License-Identifier: Apache-2.0
// Names of engines, as records have them.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace scatterproof::spec {

/// Whether an engine is named by a path or a command, which may contain an @ or a colon: a kernel, a worker,
/// a recording.
inline bool is_named_by_path(std::string_view engine) {
  constexpr std::array<std::string_view, 3> paths = {"so:", "cmd:", "recorded:"};
  return std::ranges::any_of(paths, [&](std::string_view each) { return engine.starts_with(each); });
}

/// `torch:compile` of `torch:compile@2.13.0`. A path stays.
inline std::string without_release(const std::string& engine) {
  return is_named_by_path(engine) ? engine : engine.substr(0, engine.find('@'));
}

/// `torch@2.13.0` of `torch:compile@2.13.0`. A path stays.
inline std::string without_form(const std::string& engine) {
  const std::size_t colon = engine.find(':'), at = std::min(engine.find('@'), engine.size());
  return is_named_by_path(engine) || colon > at ? engine : engine.substr(0, colon) + engine.substr(at);
}

/// `torch:compile@2.13.0` from `torch@2.13.0` and `compile`. Precondition: the engine is a framework in its
/// usual form.
inline std::string with_form(const std::string& engine, const std::string& form) {
  const std::size_t at = std::min(engine.find('@'), engine.size());
  return engine.substr(0, at) + ":" + form + engine.substr(at);
}

/// Whether its form names a device, as that of `torch:device=cuda` and `onnxruntime:provider=CUDA` does.
inline bool is_on_named_device(std::string_view engine) {
  return !is_named_by_path(engine) && (engine.find(":device=") != std::string_view::npos ||
                                       engine.find(":provider=") != std::string_view::npos);
}

}  // namespace scatterproof::spec
