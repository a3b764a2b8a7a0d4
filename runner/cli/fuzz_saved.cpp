// SPDX-License-Identifier: Apache-2.0
#include "fuzz_saved.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scatterproof/spec/core/shell_word.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner::cli {

LeftToOthers leave_to_others(std::vector<spec::Case>& cases, OpenEngines engines) {
  LeftToOthers left;
  left.calls = std::erase_if(cases, [&](const spec::Case& one) {
    const bool is_saved = one.id.find("/found/") != std::string::npos;
    if (!is_saved || one.tags.size() < 2) return false;
    const std::string name = spec::without_release(one.tags[1]);  // behind the verdict
    const bool is_asked = std::ranges::any_of(
        engines, [&](const auto& engine) { return spec::without_release(engine->info().name) == name; });
    if (!is_asked) left.engines.insert(name);
    return !is_asked;
  });
  return left;
}

std::string words_of(const LeftToOthers& left, const std::string& folder, const std::string& program,
                     OpenEngines engines) {
  return fmt::format("{} in {} {} not executed, as other engines failed on {} ({}): `{} run {} --engine {}`",
                     left.calls == 1 ? "1 call" : fmt::format("{} calls", left.calls), folder,
                     left.calls == 1 ? "was" : "were", left.calls == 1 ? "it" : "them",
                     fmt::join(left.engines, ", "), spec::shell_word(program), spec::shell_word(folder),
                     spec::shell_word(engines.front()->info().name));
}

}  // namespace scatterproof::runner::cli
