// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/relations/crowded.hpp"

#include <algorithm>

#include "scatterproof/runner/relations/restated.hpp"
#include "slices.hpp"

namespace scatterproof::runner::relations {
namespace {

using spec::Tensor;
using spec::language::evaluate;

/// Which of `rank` dimensions it is; throws if it is none.
std::size_t dimension(const spec::ExpressionPtr& expression, const spec::language::Frame& frame,
                      std::size_t rank) {
  const auto value = evaluate(*expression, frame);
  const auto* number = std::get_if<std::int64_t>(&value);
  if (!number || *number < 0 || *number >= static_cast<std::int64_t>(rank))
    throw spec::language::NotEvaluable("there is no dimension of lookups");
  return static_cast<std::size_t>(*number);
}

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
  const auto value = [&](std::string_view role) -> spec::Argument& {
    return said->values[static_cast<std::size_t>(family.role(role) - family.roles.data())];
  };
  const auto& index = std::get<Tensor>(value("index"));
  const std::size_t of_index = dimension(family.index_lookups, frame, index.rank());
  const std::size_t of_stream = dimension(family.stream_lookups, frame, stream.size());
  const std::int64_t landing = spec::numel(stream);
  if (landing == 0 || landing >= contributions) return {};
  const SliceNumbers which = over_and_over(index.shape()[of_index], contributions / landing + 1);
  auto updates = fitted_updates(family, *said);
  if (!updates) return {};
  if (auto* tensor = std::get_if<Tensor>(&*updates)) *tensor = selected(*tensor, of_stream, which);
  spec::FamilyCall more = *said;
  more.values[static_cast<std::size_t>(family.role("index") - family.roles.data())] =
      selected(index, of_index, which);
  more.values[static_cast<std::size_t>(family.role("updates") - family.roles.data())] = *std::move(updates);
  auto made = spec::say(family, spec, more, &call);
  if (auto* one = std::get_if<spec::Call>(&made)) return *std::move(one);
  return {};
} catch (const spec::language::NotEvaluable&) {
  return {};
}

}  // namespace scatterproof::runner::relations
