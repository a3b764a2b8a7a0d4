// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/documents/audit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "printed.hpp"

namespace scatterproof::spec {
namespace {

/// The words by which a clause defines behaviour, or limits what is promised, whatever its subject
/// (docs/understand/judging.md §11).
std::string weighty_words(std::string_view text) {
  static constexpr std::string_view words[] = {"equivalent to", "alias for",    "alias of",
                                               "same as",       "identical to", "supported platforms",
                                               "is deprecated"};
  const auto alike = [](unsigned char a, unsigned char b) { return std::tolower(a) == b; };
  for (const std::string_view one : words)
    if (!std::ranges::search(text, one, alike).empty()) return std::string(one);
  return {};
}

class Audit {
 public:
  Audit(const std::string& name, std::string_view text) : name_(name) {
    for (Clause& one : clauses(text)) made_.clauses.push_back({.clause = std::move(one)});
    resting_.resize(made_.clauses.size());
  }

  TextAudit run(const std::vector<SpecPart>& parts) {
    for (const SpecPart& part : parts)
      for (const Anchor* one : part.anchors) settle(part, *one);
    for (std::size_t i = 0; i < made_.clauses.size(); ++i) {
      look_for_what_is_printed(made_.clauses[i], resting_[i]);
      look_for_weight(made_.clauses[i], resting_[i]);
    }
    return std::move(made_);
  }

 private:
  void settle(const SpecPart& part, const Anchor& one) {
    std::vector<int> found;
    for (std::size_t i = 0; i < made_.clauses.size(); ++i) {
      ClauseState& state = made_.clauses[i];
      if (state.clause.fingerprint != one.fingerprint) continue;
      found.push_back(state.clause.number);
      (part.omits ? state.omitted_by : state.covered_by).push_back(part.name);
      resting_[i].push_back(&part);
    }
    if (found.size() < one.numbers.size()) return fail_gone(part, one, found);
    if (found != one.numbers) ++made_.moved;
    const std::string words = anchor(made_.clauses[static_cast<std::size_t>(found.front() - 1)].clause).words;
    if (words != one.words)
      fail(part, one, fmt::format("the clause of '{}' begins otherwise", to_string(one)),
           fmt::format("it begins '{}'", words));
  }

  void fail_gone(const SpecPart& part, const Anchor& one, const std::vector<int>& found) {
    std::vector<int> lost;
    std::ranges::set_difference(one.numbers, found, std::back_inserter(lost));
    lost.resize(std::min(lost.size(), one.numbers.size() - found.size()));
    fail(part, one,
         fmt::format("{} rests on a clause that is gone from {}: '{}'", part.name, name_, to_string(one)),
         fmt::format("it was clause {} there", fmt::join(lost, ", ")));
  }

  void fail(const SpecPart& part, const Anchor& one, std::string what, std::string hint) {
    made_.gone.push_back({.file = part.file, .at = one.at, .what = std::move(what), .hint = std::move(hint)});
  }

  /// A part that omits a block says what is not here; everything else that is printed must be.
  static void look_for_what_is_printed(ClauseState& state, const std::vector<const SpecPart*>& parts) {
    if (!state.covered() || !state.omitted_by.empty()) return;
    std::vector<const Tensor*> tensors;
    std::vector<const Shape*> lists;
    std::vector<std::string_view> reads;
    for (const SpecPart* part : parts) {
      tensors.insert(tensors.end(), part->tensors.begin(), part->tensors.end());
      lists.insert(lists.end(), part->lists.begin(), part->lists.end());
      reads.insert(reads.end(), part->reads.begin(), part->reads.end());
    }
    const std::string& text = state.clause.text;
    if (has_numbers(text))
      state.unprinted = missing_numbers(reads.empty() ? text : without_formulas(text, reads), tensors, lists);
    else if (state.clause.printed)
      state.unprinted = without_formulas(text, reads);
  }

  /// No part may omit a clause that defines or limits behaviour.
  static void look_for_weight(ClauseState& state, const std::vector<const SpecPart*>& parts) {
    if (!state.omitted() || std::ranges::any_of(parts, &SpecPart::not_yet)) return;
    state.slighted = weighty_words(state.clause.text);
    if (state.slighted.empty()) state.slighted = weighty_words(state.clause.section);
  }

  const std::string& name_;
  TextAudit made_;
  std::vector<std::vector<const SpecPart*>> resting_;  // for each clause, the parts that rest on it
};

template <class Holds>
std::size_t count(const TextAudit& audit, Holds holds) {
  return static_cast<std::size_t>(std::ranges::count_if(audit.clauses, holds));
}

}  // namespace

std::size_t TextAudit::covered() const { return count(*this, &ClauseState::covered); }
std::size_t TextAudit::omitted() const { return count(*this, &ClauseState::omitted); }
std::size_t TextAudit::uncovered() const { return count(*this, &ClauseState::uncovered); }
std::size_t TextAudit::unprinted() const {
  return count(*this, [](const ClauseState& state) { return !state.unprinted.empty(); });
}

std::size_t TextAudit::slighted() const {
  return count(*this, [](const ClauseState& state) { return !state.slighted.empty(); });
}

TextAudit audit(const std::string& name, std::string_view text, const std::vector<SpecPart>& parts) {
  return Audit(name, text).run(parts);
}

}  // namespace scatterproof::spec
