// SPDX-License-Identifier: Apache-2.0
// Which families `compare` goes through, and which of their members it asks.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/runner/compare/members.hpp"

namespace scatterproof::runner::cli {

/// What the words after `compare` name: families, APIs, frameworks.
class CompareChoice {
 public:
  /// Both must outlive it.
  CompareChoice(const spec::SpecLibrary& specs, const spec::FamilyLibrary& families)
      : specs_(specs), families_(families) {}

  /// No names: all families. Errors: a name is unknown, or the APIs cannot be compared.
  spec::Errors choose(std::span<const std::string> names);
  /// The family of a call of this API, and all its members and those of other families; or the API and those
  /// that are named.
  spec::Errors choose_for_call(const std::string& api, std::span<const std::string> names);

  /// Which APIs take part in another form.
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<const spec::Family*>& families() const { return chosen_; }
  /// The frameworks that were named by themselves and have none of these members.
  std::vector<std::string> frameworks_without(std::span<const compare::FamilyMember> members) const;
  /// Whether an API of the framework might be given the call, were there an engine for it.
  bool has_part(const std::string& framework) const;
  std::vector<compare::FamilyMember> members(const spec::Family& family,
                                             std::span<const std::unique_ptr<engines::Engine>> engines) const;
  /// Without those that answer to the documents of a framework without a chosen member.
  std::vector<std::string> needed(std::vector<std::string> engines, const engines::Places& places) const;

 private:
  void choose_one(const std::string& name, spec::Errors& errors);
  void add(const spec::Family& family);
  void join_families(spec::Errors& errors);
  static bool says(const spec::Family& family, const spec::Family& other);
  std::vector<const spec::OpSpec*> forms_of(const spec::OpSpec& op) const;
  bool take_forms();
  std::string instead() const;
  std::string related(const spec::OpSpec& op, const std::string& otherwise) const;
  std::set<std::string> frameworks_known() const;
  bool is_framework(const std::string& name) const;
  bool wants(const spec::OpSpec& op) const;
  bool may_take_part(const spec::OpSpec& op) const;

  const spec::SpecLibrary& specs_;
  const spec::FamilyLibrary& families_;
  std::vector<const spec::Family*> chosen_;
  std::vector<const spec::OpSpec*> apis_;
  std::vector<std::string> notes_;
  std::vector<std::string> frameworks_;   ///< with `apis_`: empty together if all members are asked
  bool across_ = false;                   ///< members of other families are asked too
  const spec::OpSpec* called_ = nullptr;  ///< asked in any case; null: there is no call
};

}  // namespace scatterproof::runner::cli
