// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/documents/changes.hpp"

#include <algorithm>
#include <map>

namespace scatterproof::spec {
namespace {

std::vector<std::string> resting_on(const Clause& clause, const std::vector<SpecPart>& parts) {
  std::vector<std::string> names;
  for (const SpecPart& part : parts)
    if (std::ranges::count(part.anchors, clause.fingerprint, &Anchor::fingerprint) > 0)
      names.push_back(part.name);
  return names;
}

/// The clauses of the first list that the second has not, or not as often.
std::vector<Clause> without(std::vector<Clause> some, const std::vector<Clause>& others) {
  std::map<std::string_view, int> left;
  for (const Clause& one : others) ++left[one.fingerprint];
  std::erase_if(some, [&](const Clause& one) { return left[one.fingerprint]-- > 0; });
  return some;
}

}  // namespace

std::vector<TextChange> changes(std::string_view from, std::string_view to,
                                const std::vector<SpecPart>& parts) {
  const std::vector<Clause> before = clauses(from);
  const std::vector<Clause> after = clauses(to);
  std::vector<TextChange> found;
  for (Clause& one : without(before, after)) {
    auto touches = resting_on(one, parts);
    found.push_back({.clause = std::move(one), .added = false, .touches = std::move(touches)});
  }
  for (Clause& one : without(after, before)) {
    auto touches = resting_on(one, parts);
    found.push_back({.clause = std::move(one), .added = true, .touches = std::move(touches)});
  }
  return found;
}

}  // namespace scatterproof::spec
