// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/snippet/translate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <variant>
#include <vector>

#include "scatterproof/runner/relations/restated.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::snippet {
namespace {

using spec::Bag;
using spec::Call;
using spec::OpSpec;

/// Whether two bags have the same result: cell by cell the same start and contributions, combined in the same
/// way.
bool same_result(const Bag& a, const Bag& b) {
  const auto same = [](const spec::Scalar& x, const spec::Scalar& y) { return identical(x, y); };
  return a.dtype == b.dtype && a.shape == b.shape && a.combine == b.combine &&
         a.start_counts == b.start_counts && a.start.has_value() == b.start.has_value() &&
         (!a.start || std::ranges::equal(*a.start, *b.start, same)) && a.offsets == b.offsets &&
         std::ranges::equal(a.list, b.list, same, &spec::Contribution::value, &spec::Contribution::value);
}

/// The call expressed by another API; or why that API does not mean the same.
spec::Result<std::variant<Call, std::string>> say_same(const spec::Family& family,
                                                       const spec::FamilyCall& said, const OpSpec& op,
                                                       const spec::Expectation& wanted) {
  auto told = spec::say(family, op, said);
  const auto* call = std::get_if<Call>(&told);
  const auto* result = std::get_if<Bag>(&wanted.what);
  if (!call || !result) return told;
  const auto given = spec::expect(op, *call);
  if (!given) return given.errors();
  const auto* other = std::get_if<Bag>(&given->what);
  if (other && same_result(*result, *other)) return told;
  return std::variant<Call, std::string>(
      fmt::format("{} {}", op.api, other ? "gives another result" : "does not define a result"));
}

/// What a call says in a family.
struct Said {
  const spec::Family* family;
  spec::FamilyCall call;
};

/// The same by a relation, unless that is only for other calls. Whether values meet is not looked up: in
/// doubt they do. Adds to `reasons` why no call of the other family can say it.
std::optional<Said> restated(const spec::Relation& relation, const Said& said,
                             const spec::FamilyLibrary& families, std::vector<std::string>& reasons) {
  try {
    spec::language::Frame frame = spec::frame_of(*said.family, said.call);
    frame.emplace_back(true);
    if (relation.when && !spec::language::evaluate_bool(*relation.when, frame)) return std::nullopt;
    const spec::Family& other = *families.find(relation.in);
    auto call = relations::restated(relation, *said.family, said.call, other);
    if (auto* found = std::get_if<spec::FamilyCall>(&call)) return Said{&other, std::move(*found)};
    reasons.push_back(std::get<std::string>(std::move(call)));
  } catch (const spec::language::NotEvaluable&) {
  }
  return std::nullopt;
}

/// In the call's own family first, then in those to which a relation leads.
std::vector<Said> in_all_families(Said own, const spec::FamilyLibrary& families,
                                  std::vector<std::string>& reasons) {
  std::vector<Said> all = {std::move(own)};
  const spec::Family& family = *all.front().family;
  for (const spec::Relation& relation : family.relations)
    if (relation.by == "restate" && relation.in != family.name)
      if (auto other = restated(relation, all.front(), families, reasons)) all.push_back(*std::move(other));
  return all;
}

spec::Error no_translation(const std::string& api, const std::string& engine,
                           const std::vector<std::string>& reasons) {
  return {.what = fmt::format("{} does not offer {}, nor an API that means the same", engine, api),
          .hint = fmt::format("{}", fmt::join(reasons, "; "))};
}

}  // namespace

spec::Result<OfferedCall> offered_call(const Call& call, const engines::EngineInfo& engine,
                                       const spec::SpecLibrary& specs, const spec::FamilyLibrary& families) {
  const OpSpec& op = *specs.find(call.api);
  if (engine.offers(op.api)) return OfferedCall{&op, call};
  const spec::Family* family = families.said_in(op);
  if (!family) return no_translation(op.api, engine.name, {fmt::format("{} has no family", op.api)});
  auto said = spec::family_call_of(*family, op, call);
  if (const auto* why_not = std::get_if<std::string>(&said))
    return no_translation(op.api, engine.name, {*why_not});
  const auto wanted = spec::expect(op, call);
  if (!wanted) return wanted.errors();
  std::vector<std::string> reasons;
  std::vector<std::string> names;
  for (const auto& [of, says] :
       in_all_families({family, std::get<spec::FamilyCall>(std::move(said))}, families, reasons)) {
    names.push_back(of->name);
    for (const OpSpec& other : specs.all()) {
      if (families.said_in(other) != of || !engine.offers(other.api)) continue;
      auto told = say_same(*of, says, other, *wanted);
      if (!told) return told.errors();
      if (auto* translated = std::get_if<Call>(&*told)) return OfferedCall{&other, std::move(*translated)};
      reasons.push_back(std::get<std::string>(*std::move(told)));
    }
  }
  if (reasons.empty())
    reasons.push_back(
        fmt::format("it offers no API of the families that say it: {}", fmt::join(names, ", ")));
  return no_translation(op.api, engine.name, reasons);
}

}  // namespace scatterproof::runner::snippet
