// SPDX-License-Identifier: Apache-2.0
// Shows that a call's result depends on memory in which the call has no part: what lay behind an argument, or
// what the result's memory held before.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner::fuzz {

/// Asks two twins of an engine, whose fresh memory holds different patterns. They start when they are needed.
class ForeignMemory {
 public:
  /// `engine` must outlive it.
  explicit ForeignMemory(const engines::Engine& engine) : engine_(engine) {}

  /// For each call, what the twins answer, as words for an explanation, if that depends on their memory; else
  /// empty. An engine whose answers vary in one and the same process, or that has no twins, gets no words.
  std::vector<std::string> words(std::span<const spec::Call* const> calls, std::chrono::milliseconds timeout);

 private:
  const engines::Engine& engine_;
  std::array<std::unique_ptr<engines::Engine>, 2> twins_;
};

/// The verdict on a call with these words.
spec::Judgement judgement_of_foreign_memory(const std::string& words);

}  // namespace scatterproof::runner::fuzz
