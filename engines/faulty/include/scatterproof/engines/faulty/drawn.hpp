// SPDX-License-Identifier: Apache-2.0
// Faults drawn by number: something that goes wrong, under a condition that a seed decides. So there are as
// many as needed, and the generated calls cannot have been tuned to them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

// Conditions. Each holds for a call, or for a call and those before it.

enum class Quantity : std::uint8_t {
  elements,   ///< of the updates or the index, whichever has more
  data,       ///< elements of the data
  axis,       ///< size of the dimension that the index addresses, the first of a tuple's
  row,        ///< size of the data's last dimension
  duplicates  ///< how often the most frequent value of the index occurs
};
struct SizeCondition {
  Quantity of = Quantity::elements;
  std::int64_t at_least = 0;
  std::int64_t modulus = 1;
  std::int64_t remainder = 0;
  bool holds(std::int64_t size) const { return size >= at_least && size % modulus == remainder; }
};
struct RankCondition {
  std::size_t rank = 1;  ///< of the data
};
enum class WhichTensor : std::uint8_t { data, index, updates };
struct DTypeCondition {
  WhichTensor operand = WhichTensor::data;  ///< data or index
  spec::DType dtype = spec::DType::f32;
};
/// What kernels that look at strides go wrong on. Strides are those of axes of more than one element.
enum class LayoutTrait : std::uint8_t {
  not_contiguous,
  at_offset,
  negative_stride,
  zero_stride,
  dense_rows,          ///< the last stride is 1, and there are gaps between the rows
  reordered,           ///< the axes lie in another order
  stepped,             ///< a step along the last axis, the axes in their order
  first_stride_dense,  ///< the first stride is that of a dense tensor, another is not
  odd_stride_of_one,   ///< an axis of one element has a stride that a dense tensor has not
  gaps                 ///< unused places between the elements
};
inline constexpr std::size_t layout_traits = 10;
struct LayoutCondition {
  WhichTensor operand = WhichTensor::data;
  LayoutTrait trait = LayoutTrait::not_contiguous;
  std::int64_t offset = 0;  ///< of at_offset: the offset modulo 16; 0: any but 0
};
enum class SpecialValue : std::uint8_t { negative_index, nan, infinity, negative_zero, beyond_24_bits };
struct ValueCondition {
  SpecialValue value = SpecialValue::nan;  ///< somewhere in the index; or in the data or the updates
};
struct NumberCondition {
  std::int64_t at_least = 0;  ///< calls before this one
  std::int64_t modulus = 1;
  std::int64_t remainder = 0;
};
enum class Previous : std::uint8_t {
  same_sizes,
  other_axis,
  fewer_elements,
  more_elements,
  other_dtype,
  refused,
  none  ///< this is the first call of the engine
};
struct PreviousCondition {
  Previous previous = Previous::same_sizes;  ///< what the call before was like
};
using FaultCondition = std::variant<SizeCondition, RankCondition, DTypeCondition, LayoutCondition,
                                    ValueCondition, NumberCondition, PreviousCondition>;
std::string to_string(const FaultCondition& condition);
/// The condition without its numbers, to count by: `axis size`, `rank`, `layout`.
std::string kind_of(const FaultCondition& condition);

struct DrawnFault {
  std::string name;          ///< `drawn-7-42`: of seed 7, number 42; of gradients `drawn-gradient-7-42`
  std::string_view place;    ///< in the life of a call: `tiling and tails`
  std::string_view effect;   ///< the name of what goes wrong there, unconditionally
  std::string_view says;     ///< the same in a sentence
  FaultCondition condition;  ///< when it goes wrong
};

/// Always the same for the same seed and number. `gradient`: a fault that shows only in gradients, or in what
/// comes with them.
DrawnFault draw_fault(std::uint64_t seed, std::uint64_t number, bool gradient = false);
bool is_of_gradients(const DrawnFault& fault);
/// The fault of a name; empty for other names.
std::optional<DrawnFault> parse_drawn(std::string_view name);

/// The reference with this fault. What it does may depend on the calls before; of a fault of gradients, on
/// those whose gradients were asked for.
std::unique_ptr<Engine> make_drawn(const DrawnFault& fault, const spec::SpecLibrary& specs);

/// Many of these engines, on the same calls of one API. A fault is executed only where its condition holds.
class DrawnEngines {
 public:
  DrawnEngines(const std::vector<DrawnFault>& faults, const spec::SpecLibrary& specs);
  ~DrawnEngines();
  /// Passes on the outcomes of those of `faults`, by place in the list, whose condition holds. `question`:
  /// the gradients that are asked for; null: none, so that faults of gradients do not show.
  void run(const spec::Call& call, std::span<const std::size_t> faults,
           const std::function<void(std::size_t fault, spec::Outcome outcome)>& take,
           const spec::GradientQuestion* question = nullptr);
  /// Forgets the calls so far: the next one is the first.
  void restart();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scatterproof::engines
