// SPDX-License-Identifier: Apache-2.0
// The first half of the lookups, and the second: a scatter goes on from where the first half ended, a gather
// gives the two parts of its result.
#include "lookups.hpp"

namespace scatterproof::runner::relations {
namespace {

using spec::Tensor;

Derivation split_gather(const RelationCall& given, const LookupAxis& lookups) {
  Derivation derivation{.first = given.call};
  const std::int64_t middle = lookups.count / 2;
  for (const SliceNumbers& part : {places(0, middle), places(middle, lookups.count)}) {
    const Image image = [=](const Tensor& result) { return selected(result, lookups.stream, part); };
    derivation.others.add(given.say(with_lookups(given, lookups, part)), image, image);
  }
  return derivation;
}

}  // namespace

std::variant<Derivation, std::string> split(const RelationCall& given) {
  const auto found = lookups_of(given);
  if (const auto* why_not = std::get_if<std::string>(&found)) return *why_not;
  const auto& lookups = std::get<LookupAxis>(found);
  if (!given.scatters()) return split_gather(given, lookups);
  const std::int64_t middle = lookups.count / 2;
  auto half = given.say(with_lookups(given, lookups, places(0, middle)));
  if (const auto* why_not = std::get_if<std::string>(&half)) return *why_not;
  Derivation derivation{.first = given.call, .half = std::get<spec::Call>(std::move(half))};
  derivation.then = [given,
                     rest = with_lookups(given, lookups, places(middle, lookups.count))](const Tensor& data) {
    RelationCall second = given;
    second.said = rest;
    Others others;
    others.add(second.say(second.with({{"data", data}})));
    return others;
  };
  return derivation;
}

}  // namespace scatterproof::runner::relations
