// SPDX-License-Identifier: Apache-2.0
// Calls of one API made from its spec alone: some obey every rule, some break exactly one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::fuzz {

/// What a user narrows the calls to.
struct Wishes {
  enum class Sides : std::uint8_t { both, valid, broken };
  Sides sides = Sides::both;
  std::string rule;                                  ///< only calls that break this rule; empty: any
  std::shared_ptr<const spec::Call> from = nullptr;  ///< calls that are much like this one; null: any
};

/// How the index values of a call were drawn.
enum class IndexMode : std::uint8_t {
  uniform,
  permutation,    ///< every value once before any comes again
  all_duplicate,  ///< one value everywhere it is allowed
  hot,            ///< one value mostly
  sorted,
  boundary,  ///< the first and the last place
  negative,  ///< counted from the end, where the document allows it
  one_bad,   ///< one value breaks the rule, the others are good
  all_bad
};
/// How the data was drawn.
enum class DataMode : std::uint8_t {
  lattice,  ///< small multiples of one number: any order of summation is exact
  real,     ///< numbers that round
  special   ///< NaN, infinities, zeros of both signs, subnormals and the dtype's ends among them
};
std::string_view name(IndexMode mode);
std::string_view name(DataMode mode);

struct Generated {
  spec::Call call;
  const spec::Rule* broken = nullptr;  ///< the one rule it breaks; null: it obeys all
  bool far = false;                    ///< broken by much
  IndexMode index = IndexMode::uniform;
  DataMode data = DataMode::lattice;
  std::vector<spec::Layout> layouts;  ///< by argument; contiguous for what is no tensor
};

/// The calls of an API, numbered from 0. A call follows from the spec, the seed and its number alone: not
/// from what was made before, so that any part of a run can be made anywhere. Several threads may use one
/// generator.
class Generator {
 public:
  /// `spec` must outlive it.
  Generator(const spec::OpSpec& spec, std::uint64_t seed, Wishes wishes = {});
  ~Generator();
  Generator(Generator&&) noexcept;

  /// Nothing when this number's draw came to no call: its forms were none, or its values did not fit.
  std::optional<Generated> make(std::uint64_t number);

  /// The rules that some small call breaks alone, in the spec's order; none if only valid calls are wished
  /// for.
  const std::vector<const spec::Rule*>& breakable() const;

 private:
  class Pages;
  std::unique_ptr<Pages> pages_;
};

}  // namespace scatterproof::runner::fuzz
