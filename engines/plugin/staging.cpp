// SPDX-License-Identifier: Apache-2.0
#include "staging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "scatterproof/engines/core/unwritten.hpp"
#include "scatterproof/spec/core/sharing.hpp"

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

/// A gather's output before the kernel runs.
void fill_with_nothing_of_use(Tensor& tensor) {
  std::ranges::fill(tensor.storage(), fresh_memory(unwritten));
}

Outcome garbled(std::string what) { return {spec::Garbled{std::move(what), {}}, 0}; }

constexpr const char* lost_copy = "the library's copy to or from its device failed";

std::string outside(const std::string& damage, const std::string& of) {
  return fmt::format("the kernel {} {} during this call: the guard bytes there changed", damage, of);
}

/// The elements at the beginning of a compact copy, back into the layout they came from.
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

constexpr const char* between_elements =
    "the kernel wrote between the elements of its result, which is a view: what lay there changed";

std::string operation_name(const PlainCall& call) {
  return std::string(name(call.op)) + (call.gradient ? "_gradient" : "");
}

bool begins_storage(const Tensor& tensor) { return tensor.is_contiguous() && tensor.offset() == 0; }

}  // namespace

StagedCall::Staged StagedCall::in_new_block(const Tensor& tensor, const Tensor& laid_out) const {
  return {tensor, laid_out, std::make_shared<Block>(laid_out.storage().size(), library_.memory()),
          laid_out.shape(), laid_out.strides()};
}

/// Inputs that share a storage share a block. A kernel that takes only row-major tensors gets those in one
/// block that begin at the beginning of the storage.
StagedCall::Staged StagedCall::stage_input(const Tensor& tensor) const {
  const auto shares = [&](const Tensor& other) {
    return spec::share_storage(tensor, other) &&
           (call_.strided || (begins_storage(tensor) && begins_storage(other)));
  };
  if (const auto other = std::ranges::find_if(inputs_, shares, &Staged::original); other != inputs_.end()) {
    const Tensor laid_out = *Tensor::view(tensor.dtype(), tensor.shape(), tensor.strides(), tensor.offset(),
                                          other->laid_out.shared_storage());
    return {tensor, laid_out, other->block, laid_out.shape(), laid_out.strides()};
  }
  if (call_.strided) return in_new_block(tensor, tensor);
  const Tensor* largest = &tensor;
  for (const Tensor& other : call_.inputs)
    if (shares(other) && other.numel() > largest->numel()) largest = &other;
  return in_new_block(
      tensor, *Tensor::view(tensor.dtype(), tensor.shape(), spec::contiguous_strides(tensor.shape()), 0,
                            largest->contiguous().shared_storage()));
}

scatterproof_tensor StagedCall::handle(Staged& staged) const {
  const DType dtype = staged.original.dtype();
  scatterproof_tensor tensor{};
  tensor.data = staged.block->address();
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

/// A scatter's output holds its start values.
bool StagedCall::begins_with_values() const { return is_scatter(call_.op) && !call_.gradient; }

StagedCall::Output StagedCall::stage_output(const Tensor& tensor) const {
  Output output{in_new_block(tensor, tensor), Block(tensor.storage().size(), library_.memory()), {}};
  if (!begins_with_values()) fill_with_nothing_of_use(output.staged.laid_out);
  if (!output.start.write(output.staged.laid_out.storage())) throw Block::OutOfMemory{};
  return output;
}

StagedCall::StagedCall(const Library& library, PlainCall call) : library_(library), call_(std::move(call)) {
  for (const Tensor& output : call_.outputs) outputs_.push_back(stage_output(output));
  for (const Tensor& input : call_.inputs) inputs_.push_back(stage_input(input));
  for (Staged& input : inputs_) input_handles_.push_back(handle(input));
  for (Output& output : outputs_) output_handles_.push_back(handle(output.staged));
  bool copied = true;
  for (Staged& input : inputs_) copied = copied && input.block->write(input.laid_out.storage());
  if (!copied || !restart()) throw Block::OutOfMemory{};
}

bool StagedCall::restart() {
  return std::ranges::all_of(outputs_,
                             [](Output& output) { return output.staged.block->copy_from(output.start); });
}

std::optional<Complaint> StagedCall::begin() {
  return library_.run(operation_name(call_), call_.attributes, input_handles_, output_handles_);
}

/// False when a device's copy fails. Inputs may share a block: all are compared before any is written.
bool StagedCall::note_changes() {
  std::vector<std::pair<Staged*, Tensor::Storage>> changed;
  for (Staged& input : inputs_) {
    Tensor::Storage now(input.block->size());
    if (!input.block->read(now)) return false;
    if (now != input.laid_out.storage()) changed.emplace_back(&input, std::move(now));
  }
  for (auto& [input, now] : changed) {
    input->laid_out.storage() = std::move(now);
    if (!call_.strided) put_back(input->laid_out, input->original);
  }
  return true;
}

std::string StagedCall::damage() const {
  std::string words;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (!outputs_[i].staged.block->look_around(words)) return lost_copy;
    if (!words.empty()) return outside(words, output_name(i));
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].block->look_around(words)) return lost_copy;
    if (!words.empty()) return outside(words, fmt::format("its input {}", i));
  }
  return {};
}

std::string StagedCall::output_name(std::size_t i) const {
  if (!call_.gradient) return "the result";
  return fmt::format("its output {}, a gradient,", i);
}

Outcome StagedCall::collect() {
  if (auto words = damage(); !words.empty()) return garbled(std::move(words));
  if (!note_changes()) return garbled(lost_copy);
  spec::Produced produced;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    Tensor& written = outputs_[i].written;
    written = outputs_[i].staged.laid_out.clone();
    if (!outputs_[i].staged.block->read(written.storage())) return garbled(lost_copy);
    const Tensor elements = begins_storage(written) ? written : written.contiguous();
    if (!begins_storage(written)) {
      Tensor expected = outputs_[i].staged.laid_out.clone();
      spec::copy_elements(elements, expected);
      if (expected.storage() != written.storage()) return garbled(between_elements);
    }
    const spec::Shape& shape = call_.result_shapes[i];
    produced.tensors.push_back(*Tensor::view(elements.dtype(), shape, spec::contiguous_strides(shape), 0,
                                             elements.shared_storage()));
  }
  return {std::move(produced), 0};
}

bool StagedCall::changed_output() const {
  return begins_with_values() &&
         outputs_.front().written.storage() != outputs_.front().staged.laid_out.storage();
}

EndedCall StagedCall::end() const {
  EndedCall ended;
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    ended.add(output_name(i), outputs_[i].staged.block, outputs_[i].written);
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    ended.add(fmt::format("input {}", i), inputs_[i].block, inputs_[i].laid_out);
  return ended;
}

}  // namespace scatterproof::engines::plugin
