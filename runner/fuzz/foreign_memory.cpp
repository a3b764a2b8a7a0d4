// SPDX-License-Identifier: Apache-2.0
#include "foreign_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace scatterproof::runner::fuzz {
namespace {

using Outcomes = std::vector<spec::Outcome>;

constexpr std::array<std::uint8_t, 2> patterns{0x2A, 0xD5};  // no bit in common
// Threads that add in varying order give one of two roundings: the twins then differ by chance, and with one
// call in four each of them repeats itself once.
constexpr int repeats = 6;

template <typename What>
const What* as(const spec::Outcome& outcome) {
  return std::get_if<What>(&outcome.what);
}

/// What the engine did, as opposed to what befell the process from outside.
bool is_answer(const spec::Outcome& outcome) {
  return as<spec::Produced>(outcome) || as<spec::Refused>(outcome) || as<spec::Crashed>(outcome);
}

bool same(const spec::Outcome& a, const spec::Outcome& b) {
  if (a.what.index() != b.what.index()) return false;
  if (const auto* produced = as<spec::Produced>(a))
    return std::ranges::equal(produced->tensors, as<spec::Produced>(b)->tensors,
                              [](const auto& one, const auto& other) { return identical(one, other); });
  if (const auto* refused = as<spec::Refused>(a))  // messages may differ: they may hold an address
    return refused->error_classes == as<spec::Refused>(b)->error_classes;
  return true;
}

/// A crash of both is one too: the engine's own process, whose memory has no pattern, lived.
bool depends_on_memory(const spec::Outcome& a, const spec::Outcome& b) {
  return is_answer(a) && is_answer(b) && (!same(a, b) || as<spec::Crashed>(a) != nullptr);
}

Outcomes in_order(engines::Engine& twin, const std::vector<engines::CallRequest>& requests) {
  return twin.run(requests);
}

/// So that each call comes after others than in the twin that gets them in order.
Outcomes backwards(engines::Engine& twin, std::vector<engines::CallRequest> requests) {
  std::ranges::reverse(requests);
  Outcomes outcomes = twin.run(requests);
  std::ranges::reverse(outcomes);
  return outcomes;
}

}  // namespace

std::vector<std::string> ForeignMemory::words(std::span<const spec::Call* const> calls,
                                              std::chrono::milliseconds timeout) {
  std::vector<std::string> words(calls.size());
  if (calls.empty()) return words;
  for (std::size_t i = 0; i < twins_.size(); ++i)
    if (!twins_[i]) twins_[i] = engine_.twin(patterns[i]);
  if (!twins_[0]) return words;
  std::vector<engines::CallRequest> requests;
  for (const spec::Call* call : calls) requests.push_back({call, timeout});
  const Outcomes first = in_order(*twins_[0], requests);
  const Outcomes second = backwards(*twins_[1], requests);
  std::vector<std::size_t> suspects;
  std::vector<engines::CallRequest> again;
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (depends_on_memory(first[i], second[i])) {
      suspects.push_back(i);
      again.push_back(requests[i]);
    }
  if (suspects.empty()) return words;
  std::vector<bool> varies(suspects.size(), false);
  for (int n = 0; n < repeats; ++n) {
    const Outcomes first_again = in_order(*twins_[0], again);
    const Outcomes second_again = backwards(*twins_[1], again);
    for (std::size_t k = 0; k < suspects.size(); ++k)
      if (!same(first[suspects[k]], first_again[k]) || !same(second[suspects[k]], second_again[k]))
        varies[k] = true;
  }
  for (std::size_t k = 0; k < suspects.size(); ++k) {
    const std::size_t i = suspects[k];
    if (!varies[k])
      words[i] = fmt::format("with two patterns in unwritten memory, the same call\n  {}\n  {}",
                             to_string(first[i]), to_string(second[i]));
  }
  return words;
}

spec::Judgement judgement_of_foreign_memory(const std::string& words) {
  spec::Diagnosis diagnosis{.kind = spec::DiagnosisKind::foreign_memory};
  std::string explanation = sentence(diagnosis) + ", which no document allows: " + words;
  return {.verdict = spec::Verdict::mismatch,
          .diagnosis = std::move(diagnosis),
          .explanation = std::move(explanation)};
}

}  // namespace scatterproof::runner::fuzz
