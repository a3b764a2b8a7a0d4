// SPDX-License-Identifier: Apache-2.0
#include "explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace scatterproof::runner::claims {
namespace {

using State = ClaimTrial::State;

/// Where fewer of the calls in a class differ, it does not tell.
constexpr double least_share = 0.2;

/// How well classes separate the calls that differ as the witness does: a call that agrees weighs four of
/// them, one that differs in another way weighs one. Two classes have to be clearly better than one.
double score(std::span<const std::size_t> classes, const ClaimTrial& witness,
             std::span<const ClaimTrial> trials) {
  constexpr double weight_of_agreeing = 4, price_of_second = 0.8;
  double differing = 0, agreeing = 0, others = 0;
  for (const ClaimTrial& trial : trials) {
    if (!is_in(trial.classes, classes)) continue;
    differing +=
        trial.state == State::differs && trial.did == witness.did && trial.refusal == witness.refusal;
    agreeing += trial.state == State::agrees;
    others += trial.state == State::differs && trial.did != witness.did;
  }
  if (differing < least_share * (differing + agreeing) || differing == 0) return 0;
  const double price = classes.size() > 1 ? price_of_second : 1;
  return price * differing * differing / (differing + weight_of_agreeing * agreeing + others);
}

double share(const ClaimDifference& difference) {
  return difference.of == 0 ? 0 : static_cast<double>(difference.count) / static_cast<double>(difference.of);
}

/// Whether some call is explained by this difference and by none that is as sharp.
bool is_needed(const std::vector<ClaimDifference>& differences, std::size_t i,
               std::span<const ClaimTrial> trials) {
  return std::ranges::any_of(trials, [&](const ClaimTrial& trial) {
    if (trial.state != State::differs || !explains(differences[i], trial)) return false;
    for (std::size_t j = 0; j < differences.size(); ++j)
      if (j != i && share(differences[j]) >= share(differences[i]) && explains(differences[j], trial))
        return false;
    return true;
  });
}

}  // namespace

Departure did_of(const spec::Judgement& judgement) {
  using Kind = spec::DiagnosisKind;
  if (judgement.verdict == spec::Verdict::unexpected_error) return Departure::refuses;
  if (judgement.verdict == spec::Verdict::crash || judgement.verdict == spec::Verdict::timeout)
    return Departure::crashes;
  if (judgement.diagnosis.kind == Kind::form_dtype) return Departure::other_dtype;
  const bool shape =
      judgement.diagnosis.kind == Kind::form_shape || judgement.diagnosis.kind == Kind::form_transposed;
  return shape ? Departure::other_shape : Departure::other_values;
}

bool is_in(const compare::InputClassSet& classes, std::span<const std::size_t> all) {
  return std::ranges::all_of(all, [&](std::size_t one) { return classes.test(one); });
}

bool explains(const ClaimDifference& difference, const ClaimTrial& trial) {
  if (trial.did != difference.did) return false;
  return difference.when.empty() ? trial.refusal == difference.witness.refusal
                                 : is_in(trial.classes, difference.when);
}

std::vector<std::size_t> telling_classes(const ClaimTrial& witness, const compare::InputClassSet& classes,
                                         std::span<const ClaimTrial> trials) {
  std::vector<std::size_t> own, best;
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (classes.test(i)) own.push_back(i);
  double most = 0;
  const auto consider = [&](std::vector<std::size_t> some) {
    if (const double now = score(some, witness, trials); now > most) most = now, best = std::move(some);
  };
  for (const std::size_t one : own) consider({one});
  for (std::size_t i = 0; i < own.size(); ++i)
    for (std::size_t j = i + 1; j < own.size(); ++j) consider({own[i], own[j]});
  return best;
}

void settle(std::vector<ClaimDifference>& differences, std::span<const ClaimTrial> trials) {
  for (ClaimDifference& one : differences)
    for (const ClaimTrial& trial : trials) {
      const bool differs = trial.state == State::differs && explains(one, trial);
      one.count += differs;
      one.of += differs || (trial.state == State::agrees && is_in(trial.classes, one.when));
    }
  for (std::size_t i = 0; i < differences.size();)
    if (is_needed(differences, i, trials))
      ++i;
    else
      differences.erase(differences.begin() + static_cast<std::ptrdiff_t>(i));
}

std::string_view name(Departure did) {
  switch (did) {
    case Departure::refuses:
      return "refuses";
    case Departure::other_values:
      return "gives other values";
    case Departure::other_dtype:
      return "gives another dtype";
    case Departure::other_shape:
      return "gives another shape";
    case Departure::crashes:
      break;
  }
  return "crashes";
}

bool is_silent(Departure did) {
  return did == Departure::other_values || did == Departure::other_dtype || did == Departure::other_shape;
}

std::string name_of(const ClaimDifference& difference, const std::vector<compare::InputClass>& classes) {
  std::vector<std::string> ids;
  for (const std::size_t one : difference.when) ids.push_back(classes[one].id);
  std::string when = ids.empty() ? "no common class" : fmt::format("{}", fmt::join(ids, " and "));
  if (difference.after_others) when = "after other calls";
  return fmt::format("{}: {}", when,
                     difference.explained.empty() ? name(difference.did) : difference.explained);
}

}  // namespace scatterproof::runner::claims
