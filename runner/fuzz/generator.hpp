// SPDX-License-Identifier: Apache-2.0
// Calls of one API made from its spec alone: some obey every rule, some break exactly one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scatterproof/spec/call.hpp"
#include "scatterproof/spec/op_spec.hpp"
#include "traits.hpp"

namespace scatterproof::runner::fuzz {

/// What a user narrows the calls to.
struct Wishes {
  enum class Sides : std::uint8_t { both, valid, broken };
  Sides sides = Sides::both;
  std::string rule;  ///< calls that break this rule; empty: any
};

struct Generated {
  spec::Call call;
  std::string broken;  ///< id of the one rule it breaks; empty: it obeys all
  Traits traits;
};

/// The calls of an API, numbered from 0. A call follows from the spec, the seed and its number alone: not
/// from what was made before, so that any part of a run can be made anywhere. Not safe to use from two
/// threads.
class Generator {
 public:
  /// `spec` must outlive it.
  Generator(const spec::OpSpec& spec, std::uint64_t seed, Wishes wishes = {});
  ~Generator();
  Generator(Generator&&) noexcept;

  /// Nothing when this number's draw found no call: its rule cannot be broken alone by values, say.
  std::optional<Generated> make(std::uint64_t number);

  /// The rules that some small call breaks alone, in the spec's order.
  const std::vector<const spec::Rule*>& breakable() const;

 private:
  class Pools;
  std::unique_ptr<Pools> pools_;
};

}  // namespace scatterproof::runner::fuzz
