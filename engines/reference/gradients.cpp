// SPDX-License-Identifier: Apache-2.0
// The operation is executed on the numbers of its elements, to see where each of them goes. Then each cell
// gives its cotangent back: evenly at ties, and to the last of several assigned values.
#include "gradients.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels.hpp"
#include "scatterproof/engines/reference/reference.hpp"

namespace scatterproof::engines::reference {
namespace {

using spec::Combiner;
using spec::DType;
using spec::Scalar;
using Doubles = std::vector<double>;

/// 1, 2, 3 .. in the places of a tensor's elements, row-major.
spec::Tensor numbered(const spec::Tensor& tensor) {
  spec::Tensor numbers(DType::f64, tensor.shape());
  double number = 0;
  spec::assign<double>(numbers, [&] { return ++number; });
  return numbers;
}

Doubles doubles_of(const spec::Tensor& tensor) {
  Doubles all;
  for (const Scalar& value : tensor.values()) all.push_back(value.real());
  return all;
}

spec::Tensor tensor_of(const Doubles& values, const spec::Tensor& like) {
  std::vector<Scalar> all;
  for (const double value : values) all.push_back(Scalar::of_real(value));
  return {like.dtype(), like.shape(), all};
}

std::size_t place_of(const Scalar& number) { return static_cast<std::size_t>(number.real()) - 1; }

KernelGradients gradients_of_gather(const KernelCall& call, const Doubles& cotangent) {
  KernelCall numbers = call;
  numbers.data = numbered(call.data);
  const spec::Outcome outcome = run_reference_kernel(numbers);
  const std::vector<Scalar> read = std::get<spec::Produced>(outcome.what).tensors.front().values();
  Doubles data(static_cast<std::size_t>(call.data.numel()), 0);
  for (std::size_t p = 0; p < read.size(); ++p) data[place_of(read[p])] += cotangent[p];
  return {.data = tensor_of(data, call.data), .updates = {}};
}

/// The derivative of a cell by each of the values that it combines.
Doubles shares(const Doubles& values, Combiner combine) {
  if (values.size() == 1) return {1};
  Doubles all(values.size(), combine == Combiner::sum ? 1 : 0);
  if (combine == Combiner::assign) all.back() = 1;
  if (combine == Combiner::mean) std::ranges::fill(all, 1 / static_cast<double>(values.size()));
  if (combine == Combiner::prod)
    for (std::size_t k = 0; k < values.size(); ++k) {
      all[k] = 1;
      for (std::size_t other = 0; other < values.size(); ++other)
        if (other != k) all[k] *= values[other];
    }
  if (combine == Combiner::amax || combine == Combiner::amin) {
    const double extreme = combine == Combiner::amax ? std::ranges::max(values) : std::ranges::min(values);
    const auto ties = static_cast<double>(std::ranges::count(values, extreme));
    for (std::size_t k = 0; k < values.size(); ++k) all[k] = values[k] == extreme ? 1 / ties : 0;
  }
  return all;
}

spec::Outcome scatter(const KernelCall& call, ReceivedValues& received) {
  if (call.op == KernelOp::scatter_elements) return scatter_elements(call, &received);
  if (call.op == KernelOp::scatter_rows) return scatter_rows(call, &received);
  return scatter_nd(call, &received);
}

KernelGradients gradients_of_scatter(const KernelCall& call, const Doubles& cotangent) {
  const auto* given = std::get_if<spec::Tensor>(&*call.updates);
  KernelCall numbers = call;
  numbers.data = spec::Tensor(DType::f64, call.data.shape());
  numbers.updates = given ? std::variant<spec::Tensor, Scalar>(numbered(*given)) : Scalar::of_int(0);
  ReceivedValues received;
  scatter(numbers, received);
  const Doubles start = doubles_of(call.data), values = given ? doubles_of(*given) : Doubles();
  Doubles data(start.size(), 0), updates(values.size(), 0);
  for (std::size_t c = 0; c < received.size(); ++c) {
    const bool counts = call.combine != Combiner::assign && call.include_start;
    const bool starts = received[c].empty() || counts;
    Doubles meeting;
    for (const Scalar& number : received[c])
      meeting.push_back(given ? values[place_of(number)]
                              : spec::convert(std::get<Scalar>(*call.updates), call.data.dtype()).real());
    if (starts) meeting.push_back(call.start_from_data ? start[c] : call.fill.real());
    const Doubles weights = shares(meeting, call.combine);
    if (starts && call.start_from_data) data[c] += cotangent[c] * weights.back();
    for (std::size_t k = 0; given && k < received[c].size(); ++k)
      updates[place_of(received[c][k])] += cotangent[c] * weights[k];
  }
  return {.data = tensor_of(data, call.data), .updates = given ? tensor_of(updates, *given) : spec::Tensor()};
}

}  // namespace

KernelGradients gradients(const KernelCall& call, const spec::Tensor& cotangent) {
  return is_scatter(call.op) ? gradients_of_scatter(call, doubles_of(cotangent))
                             : gradients_of_gather(call, doubles_of(cotangent));
}

}  // namespace scatterproof::engines::reference
