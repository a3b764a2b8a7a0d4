// SPDX-License-Identifier: Apache-2.0
#include "deadly_calls.hpp"

#include <fmt/format.h>

#include "scatterproof/runner/select/select.hpp"

namespace scatterproof::runner::fuzz {
namespace {

constexpr std::uint64_t deaths_to_know = 3;
constexpr std::uint64_t one_asked_in = 16;

std::uint64_t likeness(const GeneratedCall& made) {
  std::string text = made.call.api + ' ' + (made.broken ? made.broken->id : "");
  for (const auto& [name, value] : made.call.arguments) {
    if (const auto* tensor = std::get_if<spec::Tensor>(&value))
      text += fmt::format(" {}[{}]", spec::name(tensor->dtype()), tensor->rank());
    else if (const auto* word = std::get_if<std::string>(&value))
      text += ' ' + *word;
  }
  return stable_hash(text);
}

bool is_deadly(const spec::Outcome& outcome) {
  return std::holds_alternative<spec::Crashed>(outcome.what) ||
         std::holds_alternative<spec::TimedOut>(outcome.what);
}

}  // namespace

bool DeadlyCalls::leave_out(const GeneratedCall& made, std::uint64_t hash) const {
  if (seen_.empty() || hash % one_asked_in == 0) return false;
  const auto alike = seen_.find(likeness(made));
  return alike != seen_.end() && alike->second.deadly >= deaths_to_know &&
         2 * alike->second.deadly > alike->second.calls;
}

/// Only what was deadly once is counted from then on: most engines never die.
void DeadlyCalls::saw(const GeneratedCall& made, const spec::Outcome& outcome) {
  const bool deadly = is_deadly(outcome);
  if (!deadly && seen_.empty()) return;
  const std::uint64_t key = likeness(made);
  const auto alike = deadly ? seen_.try_emplace(key).first : seen_.find(key);
  if (alike == seen_.end()) return;
  ++alike->second.calls;
  alike->second.deadly += deadly;
}

}  // namespace scatterproof::runner::fuzz
