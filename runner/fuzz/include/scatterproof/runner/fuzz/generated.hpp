// SPDX-License-Identifier: Apache-2.0
// A generated call and how it was drawn, and the calls that the user asks for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::fuzz {

class FormStore;

/// The calls that the user asks for.
struct GenerationOptions {
  enum class Sides : std::uint8_t { both, valid, broken };
  Sides sides = Sides::both;
  std::string rule = {};                             ///< only calls that break this rule; empty: any
  std::shared_ptr<const spec::Call> from = nullptr;  ///< calls similar to this one; null: any
  /// Only calls that this accepts, such as those that an engine offers; empty: any. Several threads ask at
  /// once.
  std::function<bool(const spec::Call&)> offered = {};
  bool large = false;  ///< much larger tensors than usual
  /// Values that tell where gradients go wrong, and no tensor larger than those whose gradients are judged.
  bool gradients = false;
  bool few = false;  ///< of the dtypes and attributes are offered: they are drawn first, until a call is
  /// This many consecutive calls differ only in values. A multiple of it should make a block (Schedule).
  std::uint64_t calls_in_a_row = 1;
  /// As many calls as others break a rule without a documented error; otherwise they are few (turns.hpp).
  bool practice = false;
  std::shared_ptr<const FormStore> store = nullptr;  ///< of forms that were solved before; null: none is kept
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
  sparse,   ///< lattice, but most are 0, or 1 where they are multiplied: exact for any number of them
  few,      ///< one to four numbers: many are equal. Only where gradients are judged
  real,     ///< numbers that round
  special,  ///< NaN, infinities, zeros of both signs, subnormals and the dtype's ends among them
  wide      ///< far apart: integers that a narrower type rounds or wraps, numbers whose sum depends on the
            ///< accumulator's width, products near the ends of the dtype
};
std::string_view name(IndexMode mode);
std::string_view name(DataMode mode);

/// Empty: strides that no word names (`mixed`).
using DrawnLayout = std::optional<spec::Layout>;

struct GeneratedCall {
  spec::Call call;
  const spec::Rule* broken = nullptr;  ///< the one rule it breaks; null: it obeys all
  bool far = false;                    ///< broken by much
  IndexMode index = IndexMode::uniform;
  DataMode data = DataMode::lattice;
  std::vector<DrawnLayout> layouts = {};  ///< by argument; contiguous for arguments other than tensors
};

/// Whether some tensor has no elements.
bool has_zero_size(const spec::Call& call);

}  // namespace scatterproof::runner::fuzz
