// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/relations/crowded.hpp"

#include "lookups.hpp"
#include "scatterproof/runner/relations/restated.hpp"
#include "scatterproof/runner/relations/slices.hpp"

namespace scatterproof::runner::relations {
namespace {

using spec::Tensor;

SliceNumbers over_and_over(std::int64_t count, std::int64_t times) {
  SliceNumbers all;
  for (std::int64_t i = 0; i < times; ++i)
    for (std::int64_t slice = 0; slice < count; ++slice) all.push_back(slice);
  return all;
}

/// What a call says, and the sizes of its stream.
struct Said {
  spec::FamilyCall said;
  spec::Shape stream;
};

std::optional<Said> read(const spec::Family& family, const spec::OpSpec& spec, const spec::Call& call) {
  if (!family.index_lookups || !family.role("index")) return {};
  auto read = spec::family_call_of(family, spec, call);
  auto* said = std::get_if<spec::FamilyCall>(&read);
  if (!said) return {};
  spec::Shape stream = spec::language::evaluate_tuple(*family.stream, spec::frame_of(family, *said));
  return Said{*std::move(said), std::move(stream)};
}

/// `given`: what the call says.
std::optional<RepeatedLookups> repeated(const spec::Family& family, const spec::OpSpec& spec,
                                        const spec::Call& call, const Said& given, std::int64_t times) {
  const auto& [said, stream] = given;
  const auto frame = spec::frame_of(family, said);
  const auto& index = std::get<Tensor>(value_of(family, said, "index"));
  const auto of_index = dimension(family.index_lookups, frame, index.rank());
  const auto of_stream = dimension(family.stream_lookups, frame, stream.size());
  if (!of_index || !of_stream || index.shape()[*of_index] != stream[*of_stream]) return {};
  const SliceNumbers which = over_and_over(index.shape()[*of_index], times);
  spec::FamilyCall more = said;
  value_of(family, more, "index") = selected(index, *of_index, which);
  if (family.role("updates")) {
    auto updates = fitted_updates(family, said);
    if (!updates) return {};
    if (auto* tensor = std::get_if<Tensor>(&*updates)) *tensor = selected(*tensor, *of_stream, which);
    value_of(family, more, "updates") = *std::move(updates);
  }
  // One tuple alone has no dimension of lookups: there, other sizes of the index mean something else.
  spec::Shape longer = stream;
  longer[*of_stream] *= times;
  if (spec::language::evaluate_tuple(*family.stream, spec::frame_of(family, more)) != longer) return {};
  auto made = spec::say(family, spec, more, &call);
  if (auto* one = std::get_if<spec::Call>(&made)) return RepeatedLookups{*std::move(one), *of_stream};
  return {};
}

}  // namespace

std::optional<RepeatedLookups> with_lookups_repeated(const spec::Family& family, const spec::OpSpec& spec,
                                                     const spec::Call& call, std::int64_t times) try {
  const auto given = read(family, spec, call);
  return given ? repeated(family, spec, call, *given, times) : std::nullopt;
} catch (const spec::language::NotEvaluable&) {
  return {};
}

std::optional<spec::Call> crowded(const spec::Family& family, const spec::OpSpec& spec,
                                  const spec::Call& call, std::int64_t contributions) try {
  const auto given = family.role("updates") ? read(family, spec, call) : std::nullopt;
  if (!given) return {};
  const std::int64_t landing = spec::numel(given->stream);
  if (landing == 0 || landing >= contributions) return {};
  auto more = repeated(family, spec, call, *given, contributions / landing + 1);
  if (!more) return {};
  return std::move(more->call);
} catch (const spec::language::NotEvaluable&) {
  return {};
}

}  // namespace scatterproof::runner::relations
