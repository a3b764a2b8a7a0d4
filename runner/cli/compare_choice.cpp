// SPDX-License-Identifier: Apache-2.0
#include "compare_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/catalogue/api_names.hpp"
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
  const spec::OpSpec* op = find_api(name, specs_);
  if (const spec::Family* family = op ? families_.said_in(*op) : nullptr) {
    apis_.push_back(op);
    return add(*family);
  }
  const std::set<std::string> frameworks = frameworks_known();
  std::vector<std::string> known, alike;
  for (const spec::Family& one : families_.all()) known.push_back(one.name);
  // Behind a family or an API, what is named next is mostly a framework.
  const std::string list = chosen_.empty() ? fmt::format("the families: {}", fmt::join(known, ", "))
                                           : fmt::format("the frameworks: {}", fmt::join(frameworks, ", "));
  known.insert(known.end(), frameworks.begin(), frameworks.end());
  if (op)
    return errors.push_back({.what = fmt::format("{} is in no family", name), .hint = related(*op, list)});
  for (const spec::OpSpec& one : specs_.all()) {
    known.push_back(one.api);
    if (one.api.ends_with("." + name)) alike.push_back(one.api);
  }
  errors.push_back({.what = fmt::format("there is no family, API or framework '{}'", name),
                    .hint = alike.empty() ? did_you_mean(name, known, list)
                                          : fmt::format("APIs of that name: {}", fmt::join(alike, ", "))});
}

/// Other forms of an API that is in no family; if none is in one, `otherwise`.
std::string CompareChoice::related(const spec::OpSpec& op, const std::string& otherwise) const {
  std::vector<std::string> names;
  const std::string parent = op.api.substr(0, op.api.rfind('.'));
  const spec::OpSpec* known = specs_.find(parent);
  for (const spec::OpSpec* form : forms_of(known ? *known : op))
    if (families_.said_in(*form)) names.push_back(form->api);
  return names.empty() ? otherwise : fmt::format("these forms of it are: {}", fmt::join(names, ", "));
}

void CompareChoice::add(const spec::Family& family) {
  if (std::ranges::find(chosen_, &family) == chosen_.end()) chosen_.push_back(&family);
}

/// Leaves the family whose calls can be said in all the others, and of each API the form that is compared.
void CompareChoice::join_families(spec::Errors& errors) {
  const auto says_all = [&](const spec::Family* family) {
    return std::ranges::all_of(chosen_, [&](const spec::Family* other) { return says(*family, *other); });
  };
  const auto found = std::ranges::find_if(chosen_, says_all);
  if (found != chosen_.end()) {
    chosen_ = {*found};
    return;
  }
  if (take_forms()) return;
  std::vector<std::string> names;
  for (const spec::Family* family : chosen_) names.push_back(family->name);
  errors.push_back(
      {.what = fmt::format("the APIs are of several families, {}, and no relation says the calls of one "
                           "in all the others",
                           fmt::join(names, " and ")),
       .hint = instead()});
}

/// Whether members of the other family can be given what calls of the family say.
bool CompareChoice::says(const spec::Family& family, const spec::Family& other) {
  return &family == &other || compare::restating(family, other);
}

/// The API, and the specs of its other forms: `numpy.add.at.selection` of numpy.add.at.
std::vector<const spec::OpSpec*> CompareChoice::forms_of(const spec::OpSpec& op) const {
  std::vector<const spec::OpSpec*> forms = {&op};
  for (const spec::OpSpec& one : specs_.all())
    if (one.api.starts_with(op.api + ".") && one.variant_of.empty() && families_.said_in(one))
      forms.push_back(&one);
  return forms;
}

/// Takes a family, and a form of each API that is given its calls. False: there is none.
bool CompareChoice::take_forms() {
  for (const spec::OpSpec* first : apis_)
    for (const spec::OpSpec* of : forms_of(*first)) {
      const spec::Family& family = *families_.said_in(*of);
      std::vector<const spec::OpSpec*> taken;
      for (const spec::OpSpec* api : apis_) {
        const auto forms = forms_of(*api);
        const auto fits = std::ranges::find_if(
            forms, [&](const spec::OpSpec* form) { return says(family, *families_.said_in(*form)); });
        if (fits != forms.end()) taken.push_back(*fits);
      }
      if (taken.size() < apis_.size()) continue;
      for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i] != apis_[i])
          notes_.push_back(fmt::format("{} takes part as {}", apis_[i]->api, taken[i]->api));
      apis_ = std::move(taken);
      chosen_ = {&family};
      return true;
    }
  return false;
}

/// What the first API can be compared with, of the frameworks of the others.
std::string CompareChoice::instead() const {
  constexpr std::size_t most = 6;
  const spec::OpSpec& first = *apis_.front();
  const spec::Family& family = *families_.said_in(first);
  std::vector<std::string> names;
  for (const spec::OpSpec& one : specs_.all()) {
    const spec::Family* other = families_.said_in(one);
    const auto is_its = [&](const spec::OpSpec* api) { return api->framework == one.framework; };
    if (one.variant_of.empty() && other && std::ranges::any_of(apis_ | std::views::drop(1), is_its) &&
        &one != &first && (says(family, *other) || says(*other, family)))
      names.push_back(one.api);
  }
  if (names.empty())
    return "name APIs of one family, or a framework after an API: `compare torch.gather jax`";
  const std::size_t more = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - more);
  return fmt::format("{} can be compared with {}{}", first.api, fmt::join(names, ", "),
                     more > 0 ? fmt::format(", and {} more", more) : "");
}

std::set<std::string> CompareChoice::frameworks_known() const {
  std::set<std::string> names;
  for (const spec::OpSpec& one : specs_.all()) names.insert(one.framework);
  return names;
}

bool CompareChoice::is_framework(const std::string& name) const { return frameworks_known().contains(name); }

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

std::vector<std::string> CompareChoice::frameworks_without(
    std::span<const compare::FamilyMember> members) const {
  std::vector<std::string> without = frameworks_;
  std::erase_if(without, [&](const std::string& framework) {
    return std::ranges::any_of(
        members, [&](const compare::FamilyMember& one) { return one.spec->framework == framework; });
  });
  return without;
}

bool CompareChoice::has_part(const std::string& framework) const {
  return std::ranges::any_of(specs_.all(), [&](const spec::OpSpec& one) {
    return one.framework == framework && wants(one) && may_take_part(one);
  });
}

std::vector<std::string> CompareChoice::needed(std::vector<std::string> engines,
                                               const engines::Places& places) const {
  std::erase_if(engines, [&](const std::string& engine) {
    const std::string name = engines::framework_of(engine, places);
    return is_framework(name) && !has_part(name);
  });
  return engines;
}

}  // namespace scatterproof::runner::cli
