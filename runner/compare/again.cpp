// SPDX-License-Identifier: Apache-2.0
#include "again.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "scatterproof/runner/trial/ask.hpp"
#include "scatterproof/runner/trial/started_ahead.hpp"

namespace scatterproof::runner::compare {

class FreshMembers {
 public:
  /// Starts those that `wanted` says, as many at once as there are cores; the others stay as they are.
  template <class Wanted>
  FreshMembers(std::vector<FamilyMember> from, Wanted wanted) : members_(std::move(from)) {
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (!wanted(m)) continue;
      const auto [fresh, is_new] = engines_.try_emplace(members_[m].engine);
      if (is_new) fresh->second = in_new_process(*members_[m].engine);
      if (fresh->second) members_[m].engine = fresh->second.get();
    }
    std::vector<engines::Engine*> to_start;
    for (const auto& [_, fresh] : engines_) to_start.push_back(fresh.get());
    starting_.emplace(std::move(to_start));
  }

  /// Waits until they have started. One that does not start says why when it is asked.
  std::span<const FamilyMember> started() {
    starting_.reset();
    return members_;
  }

 private:
  std::vector<FamilyMember> members_;
  std::map<const engines::Engine*, std::unique_ptr<engines::Engine>> engines_;
  std::optional<StartedAhead> starting_;  ///< the last member: it ends before the engines do
};

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

/// The first is asked first: what a call with more dimensions left behind may change what a later one does.
std::pair<std::size_t, std::int64_t> size_of(const spec::FamilyCall& said) {
  std::size_t rank = 0;
  for (const spec::Argument& value : said.values)
    if (const auto* tensor = std::get_if<spec::Tensor>(&value)) rank = std::max(rank, tensor->rank());
  return {rank, elements_of(said)};
}

/// What became of letters.
struct Again {
  std::vector<Letter> unlike;  ///< not repeated
  std::vector<Letter> unasked;
};

bool was_skipped(const Observation& answer) {
  return answer.kind == Observation::Kind::absent &&
         (answer.why_absent.empty() || std::holds_alternative<spec::Unavailable>(answer.outcome.what));
}

/// Asks for the calls behind these letters, as long as there is time.
Again asked_again(const Plan& plan, const Budget& budget, const ComparisonResult& compared,
                  std::span<const FamilyMember> fresh, std::vector<Letter> letters) {
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
  const auto answers =
      ask({.comparison = plan.comparison,
           .members = fresh,
           .timeout = plan.timeout,
           .skips =
               [&](std::size_t member, const Input& input) {
                 return plan.is_interrupted() || !budget.has_time_to_ask_again() ||
                        !members[static_cast<std::size_t>(&input - inputs.data())].contains(member);
               },
           .saw = [](auto&&...) {}},  // one call after the other, as time may end
          inputs);
  Again again;
  for (const Letter& letter : letters) {
    const Observation& answer = answers[places[letter.behaviour->input]][letter.member];
    if (was_skipped(answer))
      again.unasked.push_back(letter);
    else if (!shown_by(plan, {.does = {*letter.behaviour}}, letter.row->classes, answer) ||
             digest_of(answer) != letter.behaviour->digest)
      again.unlike.push_back(letter);
  }
  return again;
}

}  // namespace

AskingAgain::AskingAgain(const Plan& plan, const Budget& budget)
    : plan_(plan),
      budget_(budget),
      first_(std::make_unique<FreshMembers>(plan.members, [](std::size_t) { return true; })) {}
AskingAgain::~AskingAgain() = default;

void AskingAgain::run(ComparisonResult& compared, const Observations& answers) {
  const auto fresh = std::move(first_);
  Again again = asked_again(plan_, budget_, compared, fresh->started(), letters_of(compared, answers));
  for (const Letter& letter : again.unasked) {
    letter.behaviour->asked_again = false;
    ++compared.not_asked_again[plan_.members[letter.member].engine->info().name];
  }
  for (int i = 1; i < attempts && !again.unlike.empty() && budget_.has_time_to_start_again(); ++i) {
    std::set<std::size_t> members;
    for (const Letter& letter : again.unlike) members.insert(letter.member);
    FreshMembers some(plan_.members, [&](std::size_t member) { return members.contains(member); });
    const Again more = asked_again(plan_, budget_, compared, some.started(), again.unlike);
    again.unlike = more.unlike;
    again.unlike.insert(again.unlike.end(), more.unasked.begin(), more.unasked.end());
  }
  for (const Letter& letter : again.unlike) letter.behaviour->repeated = false;
}

}  // namespace scatterproof::runner::compare
