// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/relations/crowded.hpp"

#include "lookups.hpp"
#include "scatterproof/runner/relations/restated.hpp"
#include "slices.hpp"

namespace scatterproof::runner::relations {
namespace {

using spec::Tensor;

SliceNumbers over_and_over(std::int64_t count, std::int64_t times) {
  SliceNumbers all;
  for (std::int64_t i = 0; i < times; ++i)
    for (std::int64_t slice = 0; slice < count; ++slice) all.push_back(slice);
  return all;
}

}  // namespace

std::optional<spec::Call> crowded(const spec::Family& family, const spec::OpSpec& spec,
                                  const spec::Call& call, std::int64_t contributions) try {
  if (!family.index_lookups || !family.role("updates") || !family.role("index")) return {};
  auto read = spec::family_call_of(family, spec, call);
  auto* said = std::get_if<spec::FamilyCall>(&read);
  if (!said) return {};
  const auto frame = spec::frame_of(family, *said);
  const spec::Shape stream = spec::language::evaluate_tuple(*family.stream, frame);
  const auto& index = std::get<Tensor>(value_of(family, *said, "index"));
  const auto of_index = dimension(family.index_lookups, frame, index.rank());
  const auto of_stream = dimension(family.stream_lookups, frame, stream.size());
  const std::int64_t landing = spec::numel(stream);
  if (!of_index || !of_stream || landing == 0 || landing >= contributions) return {};
  const SliceNumbers which = over_and_over(index.shape()[*of_index], contributions / landing + 1);
  auto updates = fitted_updates(family, *said);
  if (!updates) return {};
  if (auto* tensor = std::get_if<Tensor>(&*updates)) *tensor = selected(*tensor, *of_stream, which);
  spec::FamilyCall more = *said;
  value_of(family, more, "index") = selected(index, *of_index, which);
  value_of(family, more, "updates") = *std::move(updates);
  auto made = spec::say(family, spec, more, &call);
  if (auto* one = std::get_if<spec::Call>(&made)) return *std::move(one);
  return {};
} catch (const spec::language::NotEvaluable&) {
  return {};
}

}  // namespace scatterproof::runner::relations
