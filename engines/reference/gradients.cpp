// SPDX-License-Identifier: Apache-2.0
// The operation is executed on the numbers of its elements, to see where each of them goes. Then each cell
// gives its cotangent back, or takes the tangents: evenly at ties, and of the last assigned value.
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

spec::Tensor flat_tensor(const Doubles& values, DType dtype) {
  std::vector<Scalar> all;
  for (const double value : values) all.push_back(Scalar::of_real(value));
  return {dtype, {std::ssize(values)}, all};
}

std::size_t place_of(const Scalar& number) { return static_cast<std::size_t>(number.real()) - 1; }

/// For each position of a gather's result, the place of the element that it reads.
std::vector<std::size_t> places_read(const KernelCall& call) {
  KernelCall numbers = call;
  numbers.data = numbered(call.data);
  const spec::Outcome outcome = run_reference_kernel(numbers);
  std::vector<std::size_t> places;
  for (const Scalar& number : std::get<spec::Produced>(outcome.what).tensors.front().values())
    places.push_back(place_of(number));
  return places;
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

/// What lands in a cell, and how the cell changes with each.
struct Meeting {
  bool starts = false;              ///< the start value takes part
  std::vector<std::size_t> places;  ///< of updates
  Doubles weights;                  ///< of the start if it takes part, then of updates

  double of_start() const { return starts ? weights.back() : 0; }
};

/// One for each cell of a scatter's result.
std::vector<Meeting> meetings(const KernelCall& call) {
  const auto* given = std::get_if<spec::Tensor>(&*call.updates);
  KernelCall numbers = call;
  numbers.data = spec::Tensor(DType::f64, call.data.shape());
  numbers.combine = Combiner::assign;  // only where they land is of use
  numbers.updates = given ? std::variant<spec::Tensor, Scalar>(numbered(*given)) : Scalar::of_int(0);
  ReceivedValues received;
  scatter(numbers, received);
  const Doubles start = doubles_of(call.data), values = given ? doubles_of(*given) : Doubles();
  std::vector<Meeting> all(received.size());
  for (std::size_t c = 0; c < received.size(); ++c) {
    Meeting& meeting = all[c];
    meeting.starts = received[c].empty() || (call.combine != Combiner::assign && call.include_start);
    Doubles meet;
    for (const Scalar& number : received[c]) {
      if (given) meeting.places.push_back(place_of(number));
      meet.push_back(given ? values[place_of(number)]
                           : spec::convert(std::get<Scalar>(*call.updates), call.data.dtype()).real());
    }
    if (meeting.starts) meet.push_back(call.start_from_data ? start[c] : call.fill.real());
    meeting.weights = shares(meet, call.combine);
  }
  return all;
}

}  // namespace

KernelGradients gradients(const KernelCall& call, const spec::Tensor& cotangent) {
  const Doubles g = doubles_of(cotangent);
  Doubles data(static_cast<std::size_t>(call.data.numel()), 0);
  if (!is_scatter(call.op)) {
    const std::vector<std::size_t> read = places_read(call);
    for (std::size_t p = 0; p < read.size(); ++p) data[read[p]] += g[p];
    return {.data = flat_tensor(data, call.data.dtype()), .updates = {}};
  }
  const auto* given = std::get_if<spec::Tensor>(&*call.updates);
  Doubles updates(given ? static_cast<std::size_t>(given->numel()) : 0, 0);
  const std::vector<Meeting> cells = meetings(call);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (call.start_from_data && cells[c].starts) data[c] += g[c] * cells[c].of_start();
    for (std::size_t k = 0; k < cells[c].places.size(); ++k)
      updates[cells[c].places[k]] += g[c] * cells[c].weights[k];
  }
  return {.data = flat_tensor(data, call.data.dtype()),
          .updates = given ? flat_tensor(updates, given->dtype()) : spec::Tensor()};
}

spec::Tensor tangent(const KernelCall& call, const spec::Tensor* of_data, const spec::Tensor* of_updates) {
  const auto along = [](const spec::Tensor* tangent, const spec::Tensor& argument) {
    return tangent ? doubles_of(*tangent) : Doubles(static_cast<std::size_t>(argument.numel()), 0);
  };
  const Doubles data = along(of_data, call.data);
  Doubles made;
  if (!is_scatter(call.op)) {
    for (const std::size_t place : places_read(call)) made.push_back(data[place]);
    return flat_tensor(made, call.data.dtype());
  }
  const auto* given = std::get_if<spec::Tensor>(&*call.updates);
  const Doubles updates = given ? along(of_updates, *given) : Doubles();
  const std::vector<Meeting> cells = meetings(call);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    double sum = call.start_from_data && cells[c].starts ? data[c] * cells[c].of_start() : 0;
    for (std::size_t k = 0; k < cells[c].places.size(); ++k)
      sum += updates[cells[c].places[k]] * cells[c].weights[k];
    made.push_back(sum);
  }
  return flat_tensor(made, call.data.dtype());
}

}  // namespace scatterproof::engines::reference
