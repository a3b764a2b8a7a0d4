// SPDX-License-Identifier: Apache-2.0
#include "staging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace scatterproof::engines::plugin {
namespace {

using spec::DType;
using spec::Outcome;
using spec::Tensor;

constexpr int cpu = 1;  ///< kDLCPU

/// DLPack's code of a dtype (DLDataTypeCode).
std::uint8_t type_code(DType dtype) {
  if (dtype == DType::boolean) return 6;
  if (dtype == DType::u8) return 1;
  if (dtype == DType::bf16) return 4;
  if (spec::is_complex(dtype)) return 5;
  return spec::is_float(dtype) ? 2 : 0;
}

/// A gather's output before the kernel runs: a value that no documented example has. Not NaN, which would
/// pass where NaN is right.
void fill_with_nothing_of_use(Tensor& tensor) {
  std::ranges::fill(tensor.storage(), fresh_memory(std::byte{0xCB}));
}

Outcome garbled(std::string what) { return {spec::Garbled{std::move(what), {}}, 0}; }

constexpr const char* lost_copy = "the library's copy to or from its device failed";

std::string outside(const std::string& damage, const std::string& of) {
  return fmt::format("the kernel {} {} during this call: the guard bytes there changed", damage, of);
}

/// The elements of a compact copy, back into the layout they came from.
void put_back(const Tensor& from, Tensor& to) {
  if (from.numel() == 0) return;
  const std::size_t size = spec::size_of(from.dtype());
  const std::byte* next_element = from.storage().data();
  spec::Coords at(to.rank(), 0);
  do {
    std::memcpy(to.storage().data() + static_cast<std::size_t>(to.position(at)) * size, next_element, size);
    next_element += size;
  } while (spec::next(at, to.shape()));
}

}  // namespace

StagedCall::Staged StagedCall::stage(const Tensor& tensor, bool strided) const {
  Tensor laid_out = strided ? tensor : tensor.contiguous();
  Block block(laid_out.storage().size(), library_.memory());
  return {tensor, laid_out, std::move(block), laid_out.shape(), laid_out.strides()};
}

scatterproof_tensor StagedCall::handle(Staged& staged) const {
  const DType dtype = staged.original.dtype();
  scatterproof_tensor tensor{};
  tensor.data = staged.block.address();
  tensor.device.device_type = library_.memory() ? library_.memory()->device_type : cpu;
  tensor.device.device_id = library_.memory() ? library_.memory()->device_id : 0;
  tensor.ndim = static_cast<std::int32_t>(staged.shape.size());
  tensor.dtype.code = type_code(dtype);
  tensor.dtype.bits = static_cast<std::uint8_t>(8 * spec::size_of(dtype));
  tensor.dtype.lanes = 1;
  tensor.shape = staged.shape.data();
  tensor.strides = staged.strides.data();
  tensor.byte_offset = static_cast<std::uint64_t>(staged.laid_out.offset()) * spec::size_of(dtype);
  return tensor;
}

StagedCall::StagedCall(const Library& library, PlainCall call)
    : library_(library),
      call_(std::move(call)),
      output_(stage(call_.output, false)),
      start_(output_.block.size(), library.memory()) {
  for (const Tensor& input : call_.inputs) inputs_.push_back(stage(input, call_.strided));
  for (Staged& input : inputs_) input_handles_.push_back(handle(input));
  output_handle_ = handle(output_);
  if (!is_scatter(call_.op)) fill_with_nothing_of_use(output_.laid_out);
  bool copied = start_.write(output_.laid_out.storage());
  for (Staged& input : inputs_) copied = copied && input.block.write(input.laid_out.storage());
  if (!copied || !restart()) throw Block::OutOfMemory{};
}

bool StagedCall::restart() { return output_.block.copy_from(start_); }

std::optional<Complaint> StagedCall::begin() {
  return library_.run(call_.op, call_.attributes, input_handles_, output_handle_);
}

/// False when a device's copy fails.
bool StagedCall::note_changes(Staged& staged) {
  Tensor::Storage now(staged.block.size());
  if (!staged.block.read(now)) return false;
  if (now == staged.laid_out.storage()) return true;
  if (staged.laid_out.shared_storage() == staged.original.shared_storage()) {
    staged.original.storage() = std::move(now);
    return true;
  }
  staged.laid_out.storage() = std::move(now);
  put_back(staged.laid_out, staged.original);
  return true;
}

std::string StagedCall::damage() const {
  std::string words;
  if (!output_.block.look_around(words)) return lost_copy;
  if (!words.empty()) return outside(words, "the result");
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].block.look_around(words)) return lost_copy;
    if (!words.empty()) return outside(words, fmt::format("its input {}", i));
  }
  return {};
}

Outcome StagedCall::collect() {
  if (auto words = damage(); !words.empty()) return garbled(std::move(words));
  for (Staged& input : inputs_)
    if (!note_changes(input)) return garbled(lost_copy);
  Tensor result(call_.output.dtype(), call_.result_shape);
  if (!output_.block.read(result.storage())) return garbled(lost_copy);
  return {spec::Produced{{std::move(result)}, {}}, 0};
}

}  // namespace scatterproof::engines::plugin
