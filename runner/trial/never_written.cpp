// SPDX-License-Identifier: Apache-2.0
#include "never_written.hpp"

#include <algorithm>
#include <span>

#include "scatterproof/engines/core/unwritten.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner {
namespace {

constexpr std::size_t least_bytes = 4;  // of such cells: fewer may hold that value for another reason

}  // namespace

/// With what is due in the cells that hold that value, the result would be right.
bool is_never_written(const spec::Expectation& expectation, const engines::EngineInfo& engine,
                      const spec::Outcome& outcome) {
  const auto* bag = std::get_if<spec::Bag>(&expectation.what);
  const auto* made = std::get_if<spec::Produced>(&outcome.what);
  if (!bag || bag->start || !made || made->tensors.size() != 1 || !engine.name.starts_with("so:"))
    return false;
  spec::Tensor filled = made->tensors.front().contiguous().clone();
  const std::size_t size = spec::size_of(filled.dtype());
  if (bag->offsets.size() != filled.storage().size() / size + 1) return false;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i + 1 < bag->offsets.size(); ++i) {
    const auto cell = std::span(filled.storage()).subspan(i * size, size);
    const bool held = std::ranges::all_of(cell, [](std::byte one) { return one == engines::unwritten; });
    if (!held || bag->offsets[i] == bag->offsets[i + 1]) continue;
    filled.set_at_position(static_cast<std::int64_t>(i), bag->list[bag->offsets[i]].value);
    bytes += size;
  }
  if (bytes < least_bytes) return false;
  const spec::Outcome as_if{spec::Produced{{filled}, made->inputs_written}, 0};
  return is_allowed(spec::judge(expectation, as_if, true).verdict);
}

}  // namespace scatterproof::runner
