// SPDX-License-Identifier: Apache-2.0
#include "lookups.hpp"

#include <algorithm>

namespace scatterproof::runner::relations {

using spec::Tensor;

std::optional<std::size_t> dimension(const spec::ExpressionPtr& expression,
                                     const spec::language::Frame& frame, std::size_t rank) {
  try {
    const auto value = spec::language::evaluate(*expression, frame);
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number && *number >= 0 && *number < static_cast<std::int64_t>(rank))
      return static_cast<std::size_t>(*number);
  } catch (const spec::language::NotEvaluable&) {
  }
  return {};
}

std::variant<LookupAxis, std::string> lookups_of(const RelationCall& given) {
  const auto& index = std::get<Tensor>(given.role("index"));
  const auto frame = spec::frame_of(given.family, given.said);
  const auto of_index = dimension(given.family.index_lookups, frame, index.rank());
  const auto of_stream = dimension(given.family.stream_lookups, frame, given.stream.size());
  if (!of_index || !of_stream) return "no dimension along which lookups follow one another";
  const LookupAxis lookups{*of_index, *of_stream, index.shape()[*of_index]};
  if (lookups.count < 2) return "fewer than two lookups";
  return lookups;
}

spec::FamilyCall with_lookups(const RelationCall& given, const LookupAxis& lookups,
                              const SliceNumbers& which) {
  const auto& index = std::get<Tensor>(given.role("index"));
  const auto chosen = selected(index, lookups.index, which);
  if (!given.scatters()) return given.with({{"index", chosen}});
  const auto* updates = std::get_if<Tensor>(&given.role("updates"));
  // Updates may lack leading dimensions of the stream, or have a size of 1 for all lookups together.
  const std::size_t missing =
      updates ? given.stream.size() - std::min(given.stream.size(), updates->rank()) : 0;
  if (!updates || lookups.stream < missing) return given.with({{"index", chosen}});
  const std::size_t along = lookups.stream - missing;
  if (updates->shape()[along] < lookups.count) return given.with({{"index", chosen}});
  return given.with({{"index", chosen}, {"updates", selected(*updates, along, which)}});
}

}  // namespace scatterproof::runner::relations
