// SPDX-License-Identifier: Apache-2.0
// Calls of one API, generated from its spec alone: some obey every rule, some break exactly one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scatterproof/runner/fuzz/generated.hpp"

namespace scatterproof::runner::fuzz {

/// What a call leaves out of the arguments that have their default values: in one call of four one, several
/// or all of them, chosen by `drawn`; in the others nothing.
std::vector<std::string> draw_omitted(const spec::OpSpec& op, const spec::Call& call, std::uint64_t drawn);

/// The calls of an API, numbered from 0. A call is determined by the spec, the seed, the wishes and its
/// number, not by the calls made before, so any part of a run can be generated anywhere. Thread-safe.
class Generator {
 public:
  /// `spec` must outlive it.
  Generator(const spec::OpSpec& spec, std::uint64_t seed, GenerationOptions wishes = {});
  ~Generator();
  Generator(Generator&&) noexcept;

  /// Empty when this number has no call: there was no form for it, or no values fitted the form.
  std::optional<GeneratedCall> make(std::uint64_t number);

  /// The rules that some small call breaks alone, in the spec's order; empty if only valid calls are wanted.
  std::vector<const spec::Rule*> breakable() const;

 private:
  class Pages;
  std::unique_ptr<Pages> pages_;
};

}  // namespace scatterproof::runner::fuzz
