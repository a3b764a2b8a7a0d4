// SPDX-License-Identifier: Apache-2.0
// The inputs of a comparison, as what they say: calls generated from every member's own rules. Some obey the
// rules and some break one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/runner/compare/observe.hpp"

namespace scatterproof::runner::fuzz {
class FormStore;
}

namespace scatterproof::runner::compare {

struct InputWishes {
  std::uint64_t seed = 1;
  /// Generated for each API. While no input is in some class: as many again, then as many that are in it.
  std::uint64_t calls = 3000;
  std::size_t alike = 12;      ///< inputs kept of those that one API gives in one class
  std::size_t both = 0;        ///< inputs kept of those that are in the same two classes
  std::int64_t elements = 48;  ///< in all tensors of an input, at most
  const std::atomic<bool>* interrupted = nullptr;
  std::shared_ptr<const fuzz::FormStore> store = nullptr;  ///< as GenerationOptions
  /// Told what is being done, for people who wait.
  std::function<void(const std::string& what)> progress = {};
};

/// Inputs in one class or in none, so that what is seen has one cause, and, if wished, some in two. If few
/// calls are in a class alone, calls that are in others too are made plainer until they are; and large ones
/// get small twins. The result depends on the seed and the APIs, not on the engines.
std::vector<Input> draw_inputs(const spec::FamilyComparison& comparison,
                               std::span<const spec::OpSpec* const> specs, const InputWishes& wishes);

/// Elements of all tensors.
std::int64_t elements_of(const spec::FamilyCall& said);
/// Whether no tensor has more elements than a reader takes in at a glance: four.
bool is_small(const spec::FamilyCall& said);

}  // namespace scatterproof::runner::compare
