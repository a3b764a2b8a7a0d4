// SPDX-License-Identifier: Apache-2.0
// The same call expressed by other APIs: of the same family, or of another that means the same in other
// shapes; with a number instead of updates that are all equal; and the gather that reads a scatter back.
#include <fmt/format.h>

#include <algorithm>

#include "scatterproof/runner/relations/derivation.hpp"
#include "scatterproof/runner/relations/restated.hpp"
#include "scatterproof/runner/relations/slices.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner::relations {
namespace {

using spec::Argument;
using spec::Call;
using spec::Scalar;
using spec::Tensor;
/// Whether a call reads its arguments as positions of the same stream.
bool has_stream(const spec::Family& family, const spec::OpSpec& spec, const Call& call,
                const spec::Shape& stream) {
  const auto said = spec::family_call_of(family, spec, call);
  if (!std::holds_alternative<spec::FamilyCall>(said)) return false;
  try {
    const auto frame = spec::frame_of(family, std::get<spec::FamilyCall>(said));
    return spec::language::evaluate_tuple(*family.stream, frame) == stream;
  } catch (const spec::language::NotEvaluable&) {
    return false;
  }
}

/// Gives storage of their own to the tensors that the API overwrites: no document says what happens when such
/// a tensor overlaps itself or another, and a call that overwrites nothing may have one.
void own_what_is_written(const spec::OpSpec& spec, Call& call) {
  for (auto& [name, argument] : call.arguments)
    if (auto* tensor = std::get_if<Tensor>(&argument); tensor && spec.meaning.overwrites(name))
      *tensor = tensor->contiguous();
}

}  // namespace

Others said_by_members(const RelationCall& given, const spec::Family& family, const spec::FamilyCall& said,
                       bool own) {
  Others others;
  others.why_none = "the engine has no other call that says the same";
  const engines::EngineInfo& engine = given.setting.engine.info();
  for (const spec::OpSpec& member : given.setting.specs.all()) {
    const bool self = member.api == given.spec.api;
    if (member.said().op != family.name || (self && !own)) continue;
    if (!engine.offers(member.api)) continue;
    auto call = spec::say(family, member, said, self ? &given.call : nullptr);
    auto* one = std::get_if<Call>(&call);
    if (!one || !has_stream(family, member, *one, given.stream)) continue;
    if (!self) own_what_is_written(member, *one);
    others.calls.push_back({*one});
  }
  return others;
}

std::variant<Derivation, std::string> restate(const RelationCall& given) {
  const spec::Family& family = *given.setting.families.find(given.relation.in);
  const auto said = restated(given.relation, given.family, given.said, family);
  if (const auto* why_not = std::get_if<std::string>(&said)) return *why_not;
  return Derivation{.first = given.call,
                    .others = said_by_members(given, family, std::get<spec::FamilyCall>(said), false)};
}

std::variant<Derivation, std::string> fill_updates(const RelationCall& given) {
  const auto* updates = std::get_if<Tensor>(&given.role("updates"));
  if (!updates || updates->numel() == 0) return "it has no updates to fill";
  const Scalar value = updates->get(spec::Coords(updates->rank(), 0));
  auto first = given.say(given.with({{"updates", filled(updates->dtype(), updates->shape(), value)}}));
  if (const auto* why_not = std::get_if<std::string>(&first)) return *why_not;
  return Derivation{.first = std::get<Call>(std::move(first)),
                    .others = said_by_members(given, given.family, given.with({{"updates", value}}), true)};
}

std::variant<Derivation, std::string> gather_back(const RelationCall& given) {
  const auto updates = fitted_updates(given.family, given.said);
  if (!updates) return "updates do not fit the index";
  const auto& data = std::get<Tensor>(given.role("data"));
  const Tensor expected = std::holds_alternative<Tensor>(*updates)
                              ? std::get<Tensor>(*updates)
                              : filled(data.dtype(), given.stream, std::get<Scalar>(*updates));
  Derivation derivation{.first = given.call};
  derivation.then = [given, expected](const Tensor& result) {
    const spec::Family& family = *given.setting.families.find(given.relation.in);
    const auto said = said_in(given.family, given.said, family, {{"data", result}});
    if (const auto* why_not = std::get_if<std::string>(&said)) return Others{{}, *why_not};
    Others others = said_by_members(given, family, std::get<spec::FamilyCall>(said), false);
    for (Other& other : others.calls) {
      other.expected = [expected](const Tensor&) { return expected; };
      other.settled = [expected](const Tensor&) {
        const auto whole = Scalar::of_int(static_cast<int>(spec::Settled::whole));
        return filled(spec::DType::u8, expected.shape(), whole);
      };
    }
    return others;
  };
  return derivation;
}

}  // namespace scatterproof::runner::relations
