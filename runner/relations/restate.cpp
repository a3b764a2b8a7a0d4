// SPDX-License-Identifier: Apache-2.0
// The same call expressed by other APIs: of the same family, or of another that means the same in other
// shapes; with a number instead of updates that are all equal; and the gather that reads a scatter back.
#include <fmt/format.h>

#include <algorithm>

#include "scatterproof/runner/relations/derivation.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "slices.hpp"

namespace scatterproof::runner::relations {
namespace {

using spec::Argument;
using spec::Call;
using spec::Scalar;
using spec::Tensor;
using Changes = std::vector<std::pair<std::string, Argument>>;

/// Updates that every member accepts, neither cut off nor stretched by the API itself. Empty where there are
/// none: an index without elements may accept any.
std::optional<Argument> fitted_updates(const RelationCall& given) {
  const Argument& updates = given.role("updates");
  const auto* tensor = std::get_if<Tensor>(&updates);
  if (!tensor) return updates;
  auto fit = fitted(*tensor, given.stream);
  return fit ? std::optional<Argument>(*std::move(fit)) : std::nullopt;
}

Argument argument_of(const spec::language::Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return Scalar::of_int(*number);
  if (const auto* truth = std::get_if<bool>(&value)) return Scalar::of_bool(*truth);
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  return spec::None{};
}

/// The roles that the relation expresses differently.
std::variant<Changes, std::string> changes_of(const RelationCall& given) {
  const auto frame = spec::frame_of(given.family, given.said);
  Changes changes;
  for (const auto& [role, value] : given.relation.values)
    changes.emplace_back(role, argument_of(spec::language::evaluate(*value, frame)));
  for (const auto& [role, sizes] : given.relation.shapes) {
    auto tensor = reshaped(std::get<Tensor>(given.role(role)), spec::language::evaluate_tuple(*sizes, frame));
    if (!tensor) return fmt::format("{} cannot be reshaped", role);
    changes.emplace_back(role, *std::move(tensor));
  }
  if (!given.scatters()) return changes;
  auto updates = fitted_updates(given);
  if (!updates) return "updates do not fit the index";
  changes.emplace_back("updates", *std::move(updates));
  return changes;
}

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

std::variant<spec::FamilyCall, std::string> said_in(const RelationCall& given, const spec::Family& family,
                                                    const Changes& changes) {
  spec::FamilyCall said;
  for (const spec::Role& role : family.roles) {
    const auto changed =
        std::ranges::find(changes, role.name, [](const auto& change) { return change.first; });
    if (changed != changes.end())
      said.values.push_back(changed->second);
    else if (!role.policy && given.family.role(role.name))
      said.values.push_back(given.role(role.name));
    else if (role.fallback)
      said.values.push_back(*role.fallback);
    else
      return fmt::format("it has no {}", role.name);
  }
  return said;
}

Others said_by_members(const RelationCall& given, const spec::Family& family, const spec::FamilyCall& said,
                       bool own) {
  Others others;
  others.why_none = "the engine has no other call that says the same";
  const auto& offered = given.setting.engine.info().apis;
  for (const spec::OpSpec& member : given.setting.specs.all()) {
    const bool self = member.api == given.spec.api;
    if (member.kernel.op != family.name || (self && !own)) continue;
    if (std::ranges::find(offered, member.api) == offered.end()) continue;
    auto call = spec::say(family, member, said, self ? &given.call : nullptr);
    auto* one = std::get_if<Call>(&call);
    if (!one || !has_stream(family, member, *one, given.stream)) continue;
    if (!self) own_what_is_written(member, *one);
    others.calls.push_back({*one});
  }
  return others;
}

std::variant<Derivation, std::string> restate(const RelationCall& given) {
  const auto changes = changes_of(given);
  if (const auto* why_not = std::get_if<std::string>(&changes)) return *why_not;
  const spec::Family& family = *given.setting.families.find(given.relation.in);
  const auto said = said_in(given, family, std::get<Changes>(changes));
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
  const auto updates = fitted_updates(given);
  if (!updates) return "updates do not fit the index";
  const auto& data = std::get<Tensor>(given.role("data"));
  const Tensor expected = std::holds_alternative<Tensor>(*updates)
                              ? std::get<Tensor>(*updates)
                              : filled(data.dtype(), given.stream, std::get<Scalar>(*updates));
  Derivation derivation{.first = given.call};
  derivation.then = [given, expected](const Tensor& result) {
    const spec::Family& family = *given.setting.families.find(given.relation.in);
    const auto said = said_in(given, family, {{"data", result}});
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
