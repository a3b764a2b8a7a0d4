// SPDX-License-Identifier: Apache-2.0
#include "again.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "differences.hpp"
#include "scatterproof/runner/trial/ask.hpp"

namespace scatterproof::runner::compare {
namespace {

/// What threads do in one order or another may take several attempts, each in new processes.
constexpr int attempts = 3;

struct Letter {
  const ClassRow* row;
  std::size_t member;
  Behaviour* behaviour;
};

/// Not those of calls that hang: the engine has already asked these again, in a new process.
std::vector<Letter> letters_of(ComparisonResult& compared, const Observations& answers) {
  std::vector<Letter> letters;
  for (ClassRow& row : compared.rows)
    for (std::size_t m = 0; m < row.cells.size(); ++m)
      for (Behaviour& one : row.cells[m].does)
        if (!std::holds_alternative<spec::TimedOut>(answers[one.input][m].outcome.what))
          letters.push_back({&row, m, &one});
  return letters;
}

/// The members, on engines in new processes. An engine without a process of its own stays as it is.
struct FreshMembers {
  explicit FreshMembers(std::vector<FamilyMember> from) : members(std::move(from)) {
    for (FamilyMember& member : members) {
      const auto [fresh, is_new] = engines.try_emplace(member.engine);
      if (is_new) fresh->second = in_new_process(*member.engine);
      if (fresh->second) member.engine = fresh->second.get();
    }
  }
  std::vector<FamilyMember> members;
  std::map<const engines::Engine*, std::unique_ptr<engines::Engine>> engines;
};

/// The first is asked first: what a call with more dimensions left behind may change what a later one does.
std::pair<std::size_t, std::int64_t> size_of(const spec::FamilyCall& said) {
  std::size_t rank = 0;
  for (const spec::Argument& value : said.values)
    if (const auto* tensor = std::get_if<spec::Tensor>(&value)) rank = std::max(rank, tensor->rank());
  return {rank, elements_of(said)};
}

/// Leaves those that are not repeated.
std::vector<Letter> not_repeated(const Plan& plan, const ComparisonResult& compared,
                                 std::vector<Letter> letters) {
  std::ranges::sort(letters, {}, [&](const Letter& letter) {
    return std::pair(size_of(compared.inputs[letter.behaviour->input].said), letter.behaviour->input);
  });
  std::vector<Input> inputs;
  std::vector<std::set<std::size_t>> members;  // who is asked about each
  std::map<std::size_t, std::size_t> places;   // of the comparison's inputs
  for (const Letter& letter : letters) {
    const std::size_t input = letter.behaviour->input;
    if (places.try_emplace(input, inputs.size()).second) {
      inputs.push_back(compared.inputs[input]);
      members.emplace_back();
    }
    members[places[input]].insert(letter.member);
  }
  const FreshMembers fresh(plan.members);
  const auto answers =
      ask({.comparison = plan.comparison,
           .members = fresh.members,
           .timeout = plan.timeout,
           .skips =
               [&](std::size_t member, const Input& input) {
                 return !members[static_cast<std::size_t>(&input - inputs.data())].contains(member);
               }},
          inputs);
  std::erase_if(letters, [&](const Letter& letter) {
    const Observation& answer = answers[places[letter.behaviour->input]][letter.member];
    if (std::holds_alternative<spec::Unavailable>(answer.outcome.what)) return true;  // nothing was learned
    return shown_by(plan, {.does = {*letter.behaviour}}, letter.row->classes, answer) != nullptr &&
           digest_of(answer) == letter.behaviour->digest;
  });
  return letters;
}

}  // namespace

void ask_again(const Plan& plan, ComparisonResult& compared, const Observations& answers) {
  std::vector<Letter> letters = letters_of(compared, answers);
  for (int i = 0; i < attempts && !letters.empty(); ++i) {
    if (plan.is_interrupted()) return;
    letters = not_repeated(plan, compared, std::move(letters));
  }
  for (const Letter& letter : letters) letter.behaviour->repeated = false;
}

}  // namespace scatterproof::runner::compare
