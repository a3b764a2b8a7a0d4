// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/trial/misreading.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "changed_calls.hpp"
#include "scatterproof/runner/trial/repair.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner {
namespace {

using CauseKind = spec::DiagnosisKind;

constexpr std::int64_t most_elements = 1
                                       << 16;  // of a tensor: a name for a larger call is not worth the wait

/// One argument as the engine may have read it.
struct Misreading {
  spec::Diagnosis diagnosis;
  std::size_t argument = 0;
  spec::Argument value;
};

/// The first index of the call, if there is one.
const spec::Tensor* index_of(const spec::OpSpec& op, const spec::Call& call) {
  for (const auto& [name, value] : call.arguments)
    if (is_index(op, name, value)) return &std::get<spec::Tensor>(value);
  return nullptr;
}

/// The tensor with other strides over the same memory, from its first element or, if that leaves the memory,
/// from where this begins. None where it would leave the memory, or read the same.
std::optional<spec::Tensor> with_strides(const spec::Tensor& tensor, const spec::Shape& strides) {
  auto other =
      spec::Tensor::view(tensor.dtype(), tensor.shape(), strides, tensor.offset(), tensor.shared_storage());
  if (!other) other = spec::Tensor::view(tensor.dtype(), tensor.shape(), strides, 0, tensor.shared_storage());
  return other && !identical(*other, tensor) ? std::optional(other->contiguous()) : std::nullopt;
}

/// Where an engine that takes the strides of the index for a tensor's finds elements.
struct ByIndex {
  spec::Tensor memory;
  spec::Shape strides;
};

/// In the tensors as they are, or in contiguous copies, if the engine makes such.
std::vector<ByIndex> by_index(const spec::Tensor& tensor, const spec::Tensor& index) {
  std::vector<ByIndex> ways = {{tensor, index.strides()}};
  if (!tensor.is_contiguous() || !index.is_contiguous())
    ways.push_back({tensor.contiguous(), spec::contiguous_strides(index.shape())});
  return ways;
}

void add_other_strides(const spec::Tensor& tensor, const spec::Tensor* index, std::size_t argument,
                       const std::string& name, std::vector<Misreading>& found) {
  if (tensor.numel() > most_elements) return;
  const auto add = [&](CauseKind kind, const spec::Tensor& memory, const spec::Shape& strides) {
    if (auto read = with_strides(memory, strides))
      found.push_back({{.kind = kind, .subject = spec::as_subject(name)}, argument, *std::move(read)});
  };
  add(CauseKind::strides_ignored, tensor, spec::contiguous_strides(tensor.shape()));
  const spec::Shape reversed(tensor.shape().rbegin(), tensor.shape().rend());
  spec::Shape strides = spec::contiguous_strides(reversed);
  std::ranges::reverse(strides);
  add(CauseKind::column_major, tensor, strides);
  if (!index || index == &tensor || index->rank() != tensor.rank()) return;
  for (const auto& [memory, its_strides] : by_index(tensor, *index))
    add(CauseKind::strides_of_index, memory, its_strides);
}

/// Axes that the call does not name, up to the highest rank of its tensors.
void add_other_axes(const spec::Call& call, std::int64_t axis, std::size_t argument,
                    std::vector<Misreading>& found) {
  std::size_t rank = 0;
  for (const auto& [name, value] : call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&value)) rank = std::max(rank, tensor->rank());
  const auto axes = static_cast<std::int64_t>(rank);
  const std::int64_t named = axis < 0 ? axis + axes : axis;
  for (std::int64_t other = 0; other < axes; ++other)
    if (other != named)
      found.push_back({{.kind = CauseKind::other_dimension, .numbers = {other, named}},
                       argument,
                       spec::Scalar::of_int(other)});
}

std::vector<Misreading> possible_misreadings(const spec::OpSpec& op, const spec::Call& call) {
  std::vector<Misreading> found;
  const spec::Tensor* const index = index_of(op, call);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& [name, value] = call.arguments[i];
    if (const auto* tensor = std::get_if<spec::Tensor>(&value))
      add_other_strides(*tensor, index, i, name, found);
    else if (const auto* number = std::get_if<spec::Scalar>(&value);
             number && (name == "dim" || name == "axis") && number->is_integral())
      add_other_axes(call, number->integer(), i, found);
  }
  return found;
}

/// Where the result was written by the strides of the index: the argument that it starts from.
std::optional<spec::Diagnosis> written_by_index(const spec::OpSpec& op, const spec::Call& call,
                                                const spec::Bag& bag, const spec::Outcome& outcome) {
  const auto* produced = std::get_if<spec::Produced>(&outcome.what);
  const spec::Tensor* const index = index_of(op, call);
  if (!produced || produced->tensors.size() != 1 || !bag.start || !index) return std::nullopt;
  if (index->rank() != bag.shape.size() || spec::numel(bag.shape) > most_elements) return std::nullopt;
  const auto start = std::ranges::find_if(call.arguments, [&](const auto& argument) {
    const auto* tensor = std::get_if<spec::Tensor>(&argument.second);
    return tensor && tensor != index && tensor->shape() == bag.shape && tensor->dtype() == bag.dtype;
  });
  const auto writes = [&](const ByIndex& way) {
    return spec::is_written_by(bag, produced->tensors.front(), way.strides);
  };
  if (start == call.arguments.end() ||
      std::ranges::none_of(by_index(std::get<spec::Tensor>(start->second), *index), writes))
    return std::nullopt;
  return spec::Diagnosis{.kind = CauseKind::strides_of_index, .subject = spec::as_subject(start->first)};
}

/// Whether each cell of a gather's result holds what lies in this memory where the strides lead to. A place
/// beyond the memory may have held anything; fewer cells may be of such places than the memory shows.
bool is_read_by(const ByIndex& way, const spec::Bag& bag, std::size_t argument, const spec::Tensor& result) {
  const auto& [memory, strides] = way;
  const auto elements = static_cast<std::int64_t>(memory.storage().size() / spec::size_of(memory.dtype()));
  const std::vector<spec::Scalar> actual = result.values();
  std::size_t shown = 0, beyond = 0;
  for (std::size_t cell = 0; cell < actual.size(); ++cell) {
    const auto begin = bag.offsets[cell];
    if (bag.offsets[cell + 1] - begin != 1) return false;
    const spec::Contribution& due = bag.list[static_cast<std::size_t>(begin)];
    if (due.origin.coords < 0 || due.origin.argument != static_cast<std::int32_t>(argument)) return false;
    const spec::Coords at = spec::coords_of(due.origin.coords, bag.origins[argument].second);
    std::int64_t place = memory.offset();
    for (std::size_t d = 0; d < at.size(); ++d) place += at[d] * strides[d];
    if (place < 0 || place >= elements)
      ++beyond;
    else if (!identical(memory.at_position(place), actual[cell]))
      return false;
    else if (!identical(due.value, actual[cell]))
      ++shown;
  }
  return shown > 0 && shown >= beyond;
}

/// The data of a gather that was read by the strides of the index, also where these leave its memory.
std::optional<spec::Diagnosis> read_by_index(const spec::OpSpec& op, const spec::Call& call,
                                             const spec::Bag& bag, const spec::Outcome& outcome) {
  const auto* produced = std::get_if<spec::Produced>(&outcome.what);
  const spec::Tensor* const index = index_of(op, call);
  if (!produced || produced->tensors.size() != 1 || bag.start || !index) return std::nullopt;
  const spec::Tensor& result = produced->tensors.front();
  if (result.shape() != bag.shape || result.dtype() != bag.dtype || result.numel() > most_elements)
    return std::nullopt;
  for (std::size_t i = 0; i < bag.origins.size(); ++i) {
    const auto* data = std::get_if<spec::Tensor>(call.find(bag.origins[i].first));
    if (!data || data == index || data->rank() != index->rank() || data->dtype() != bag.dtype) continue;
    const auto reads = [&](const ByIndex& way) { return is_read_by(way, bag, i, result); };
    if (std::ranges::any_of(by_index(*data, *index), reads))
      return spec::Diagnosis{.kind = CauseKind::strides_of_index,
                             .subject = spec::as_subject(bag.origins[i].first)};
  }
  return std::nullopt;
}

}  // namespace

std::vector<spec::Diagnosis> misreadings_of(const spec::OpSpec& op, const spec::Call& call,
                                            const spec::Target& target, const spec::Expectation& expectation,
                                            const spec::Outcome& outcome) {
  constexpr std::size_t most = 2;
  std::vector<spec::Diagnosis> found;
  for (const Misreading& one : possible_misreadings(op, call)) {
    if (found.size() == most) return found;
    if (std::ranges::find(found, one.diagnosis) != found.end()) continue;
    if (verdict_on(op, with_argument(call, one.argument, one.value), target, outcome) == spec::Verdict::pass)
      found.push_back(one.diagnosis);
  }
  const auto* bag = std::get_if<spec::Bag>(&expectation.what);
  if (!bag) return found;
  for (const auto look : {written_by_index, read_by_index}) {
    if (found.size() == most) break;
    auto one = look(op, call, *bag, outcome);
    if (one && std::ranges::find(found, *one) == found.end()) found.push_back(*std::move(one));
  }
  return found;
}

}  // namespace scatterproof::runner
