// SPDX-License-Identifier: Apache-2.0
#include "compare_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/select/suggest.hpp"

namespace scatterproof::runner::cli {

spec::Errors CompareChoice::choose(std::span<const std::string> names) {
  spec::Errors errors;
  for (const std::string& name : names) choose_one(name, errors);
  if (chosen_.empty() && errors.empty())
    for (const spec::Family& one : families_.all()) add(one);
  across_ = !apis_.empty();
  if (across_ && errors.empty()) join_families(errors);
  return errors;
}

spec::Errors CompareChoice::choose_for_call(const std::string& api, std::span<const std::string> names) {
  spec::Errors errors;
  choose_one(api, errors);
  const std::vector<const spec::Family*> of_call = chosen_;
  apis_.clear();
  for (const std::string& name : names) choose_one(name, errors);
  chosen_ = of_call;
  called_ = specs_.find(api);
  across_ = true;
  return errors;
}

/// A family by its name; an API and thereby its family; or a framework.
void CompareChoice::choose_one(const std::string& name, spec::Errors& errors) {
  if (const spec::Family* family = families_.find(name)) return add(*family);
  if (is_framework(name)) return frameworks_.push_back(name);
  const spec::OpSpec* op = specs_.find(name);
  if (const spec::Family* family = op ? families_.said_in(*op) : nullptr) {
    apis_.push_back(op);
    return add(*family);
  }
  std::vector<std::string> known, alike;
  for (const spec::Family& one : families_.all()) known.push_back(one.name);
  const std::string list = fmt::format("the families: {}", fmt::join(known, ", "));
  if (op) return errors.push_back({.what = fmt::format("{} is in no family", name), .hint = list});
  for (const spec::OpSpec& one : specs_.all()) {
    known.push_back(one.api);
    if (one.api.ends_with("." + name)) alike.push_back(one.api);
  }
  errors.push_back({.what = fmt::format("there is no family, API or framework '{}'", name),
                    .hint = alike.empty() ? did_you_mean(name, known, list)
                                          : fmt::format("APIs of that name: {}", fmt::join(alike, ", "))});
}

void CompareChoice::add(const spec::Family& family) {
  if (std::ranges::find(chosen_, &family) == chosen_.end()) chosen_.push_back(&family);
}

/// Leaves the family whose calls can be said in all the others.
void CompareChoice::join_families(spec::Errors& errors) {
  const auto says_all = [&](const spec::Family* family) {
    return std::ranges::all_of(chosen_, [&](const spec::Family* other) {
      return other == family || compare::restating(*family, *other);
    });
  };
  const auto found = std::ranges::find_if(chosen_, says_all);
  if (found != chosen_.end()) {
    chosen_ = {*found};
    return;
  }
  std::vector<std::string> names;
  for (const spec::Family* family : chosen_) names.push_back(family->name);
  errors.push_back(
      {.what = fmt::format("the APIs are of several families, {}, and no relation says the calls of one "
                           "in all the others",
                           fmt::join(names, " and ")),
       .hint = "name families, APIs of one family, or a framework: `compare torch.scatter_add jax` takes "
               "those of its APIs that can say the calls"});
}

bool CompareChoice::is_framework(const std::string& name) const {
  return std::ranges::find(specs_.all(), name, &spec::OpSpec::framework) != specs_.all().end();
}

/// A variant has its spec's meaning, and is asked only where it is named.
bool CompareChoice::wants(const spec::OpSpec& op) const {
  if (&op == called_ || std::ranges::find(apis_, &op) != apis_.end()) return true;
  if (!op.variant_of.empty()) return false;
  return (apis_.empty() && frameworks_.empty()) ||
         std::ranges::find(frameworks_, op.framework) != frameworks_.end();
}

/// Whether it is of a chosen family, or of one that is given the calls of a chosen one.
bool CompareChoice::may_take_part(const spec::OpSpec& op) const {
  const spec::Family* of = families_.said_in(op);
  return of && std::ranges::any_of(chosen_, [&](const spec::Family* family) {
           return family == of || (across_ && compare::restating(*family, *of));
         });
}

std::vector<compare::FamilyMember> CompareChoice::members(
    const spec::Family& family, std::span<const std::unique_ptr<engines::Engine>> engines) const {
  auto members = compare::members_of(family, families_, specs_, engines);
  if (across_)
    for (const auto& one : compare::restated_members(family, families_, specs_, engines))
      members.push_back(one);
  std::erase_if(members, [&](const compare::FamilyMember& member) { return !wants(*member.spec); });
  return members;
}

std::vector<std::string> CompareChoice::needed(std::vector<std::string> engines,
                                               const engines::Places& places) const {
  std::erase_if(engines, [&](const std::string& engine) {
    const std::string name = engines::framework_of(engine, places);
    return is_framework(name) && std::ranges::none_of(specs_.all(), [&](const spec::OpSpec& one) {
             return one.framework == name && wants(one) && may_take_part(one);
           });
  });
  return engines;
}

}  // namespace scatterproof::runner::cli
