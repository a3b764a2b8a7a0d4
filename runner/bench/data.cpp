// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/bench/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <span>

#include "distributions.hpp"
#include "lookups.hpp"
#include "parts.hpp"
#include "scatterproof/runner/bench/expected.hpp"
#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::runner::bench {
namespace {

using engines::KernelCall;
using engines::Walk;
using spec::Combiner;
using spec::Tensor;

constexpr std::int64_t widest = 1000;    // of data that is not summed: more would only fill caches
constexpr std::int64_t widest_term = 8;  // of data that is
constexpr std::int64_t widest_start = 4;

// ---- tensors

Tensor with_strides(const Tensor& storage, spec::Shape shape, spec::Shape strides) {
  return Tensor::view(storage.dtype(), std::move(shape), std::move(strides), 0, storage.shared_storage())
      .value();
}

Tensor transposed(spec::DType dtype, const spec::Shape& shape) {
  const spec::Shape reversed(shape.rbegin(), shape.rend());
  spec::Shape strides = spec::contiguous_strides(reversed);
  std::ranges::reverse(strides);
  return with_strides(Tensor(dtype, reversed), shape, strides);
}

Tensor expanded(const Tensor& base, const spec::Shape& shape, std::size_t along) {
  spec::Shape strides(shape.size(), 0);
  strides[along] = 1;
  return with_strides(base, shape, strides);
}

std::vector<std::int64_t> bounds_of(const TensorPlan& plan, const spec::Shape& shape,
                                    const spec::Shape& table) {
  if (!plan.tuples) return {table[plan.dim]};
  return {table.begin(), table.begin() + shape.back()};
}

/// All tensors of the row; those of kind `lattice` are still zero.
std::map<std::string, Tensor> make_tensors(const BenchmarkRow& row, std::uint64_t seed,
                                           std::int64_t largest) {
  const std::vector<spec::Shape> all = shapes(row, largest);
  std::map<std::string, Tensor> tensors;
  const auto shape_of = [&](const std::string& name) {
    const auto found = std::ranges::find(row.tensors, name, &TensorPlan::name);
    return all[static_cast<std::size_t>(found - row.tensors.begin())];
  };
  for (std::size_t i = 0; i < row.tensors.size(); ++i) {
    const TensorPlan& plan = row.tensors[i];
    if (!plan.expand.empty()) continue;
    Tensor tensor = plan.transposed ? transposed(plan.dtype, all[i]) : Tensor(plan.dtype, all[i]);
    if (plan.fill.kind == Fill::Kind::pattern)
      fill_index(tensor, plan.fill, {}, seed);
    else if (plan.fill.kind != Fill::Kind::lattice)
      fill_index(tensor, plan.fill, bounds_of(plan, all[i], shape_of(plan.into)),
                 stable_hash(row.id + "/" + plan.name, seed));
    tensors.emplace(plan.name, std::move(tensor));
  }
  for (std::size_t i = 0; i < row.tensors.size(); ++i)
    if (const TensorPlan& plan = row.tensors[i]; !plan.expand.empty())
      tensors.emplace(plan.name, expanded(tensors.at(plan.expand), all[i], plan.dim));
  return tensors;
}

spec::Call make_call(const CallPlan& plan, const std::map<std::string, Tensor>& tensors) {
  spec::Call call{plan.api, {}};
  for (const ArgumentPlan& argument : plan.arguments) {
    if (argument.tensor.empty())
      call.arguments.emplace_back(argument.name, argument.value);
    else
      call.arguments.emplace_back(argument.name, tensors.at(argument.tensor));
  }
  return call;
}

// ---- data

/// The integers of [-most, most] as elements of a dtype.
class Elements {
 public:
  Elements(spec::DType dtype, std::int64_t most) : most_(most), size_(spec::size_of(dtype)) {
    std::vector<spec::Scalar> values;
    for (std::int64_t i = -most; i <= most; ++i) values.push_back(spec::Scalar::of_int(i));
    const auto count = static_cast<std::int64_t>(values.size());
    bytes_ = Tensor(dtype, {count}, values);
  }
  void store(Tensor& to, std::int64_t position, std::int64_t value) const {
    const std::size_t from = static_cast<std::size_t>(value + most_) * size_;
    std::byte* at = to.storage().data() + static_cast<std::size_t>(position) * size_;
    switch (size_) {  // sizes known to the compiler: a store, not a call
      case 1:
        *at = bytes_.storage()[from];
        break;
      case 2:
        std::memcpy(at, bytes_.storage().data() + from, 2);
        break;
      case 4:
        std::memcpy(at, bytes_.storage().data() + from, 4);
        break;
      case 8:
        std::memcpy(at, bytes_.storage().data() + from, 8);
        break;
      default:
        std::memcpy(at, bytes_.storage().data() + from, 16);
    }
  }

 private:
  std::int64_t most_;
  std::size_t size_;
  Tensor bytes_;
};

/// Never 0, so that no contribution can be lost unseen.
std::int64_t nonzero(std::uint64_t random, std::int64_t most) {
  const std::int64_t value = spec::below(random, 2 * most) - most;
  return value < 0 ? value : value + 1;
}

void fill_storage(Tensor& tensor, std::uint64_t seed, std::int64_t most) {
  const Elements elements(tensor.dtype(), most);
  const auto count = static_cast<std::int64_t>(tensor.storage().size() / spec::size_of(tensor.dtype()));
  in_parts(count, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      elements.store(tensor, i, nonzero(spec::random(seed, static_cast<std::uint64_t>(i)), most));
  });
}

/// Sums within this magnitude are exact in every order.
std::int64_t exact_range(spec::DType dtype) {
  if (dtype == spec::DType::boolean) return 1;
  if (spec::is_float(dtype) || spec::is_complex(dtype))
    return std::int64_t{1} << spec::float_format(dtype).precision;
  return spec::integer_range(dtype).highest;
}

/// The most contributions that meet in one cell. Along dimensions in which the index does not vary, all cells
/// get the same number.
std::int64_t most_contributions(const Walk& walk) {
  std::vector<std::uint32_t> count(static_cast<std::size_t>(walk.result_numel), 0);
  std::uint32_t most = 0;
  for_each_run(
      walk,
      [&](std::int64_t cell, std::int64_t) {
        most = std::max(most, ++count[static_cast<std::size_t>(cell)]);
      },
      true);
  return most;
}

/// Where even values of 1 would be too much: about one contribution in `stride` is 1 or -1, the others stay
/// 0.
void fill_sparsely(Tensor& updates, std::uint64_t seed, std::uint64_t stride) {
  const Elements elements(updates.dtype(), 1);
  const auto count = static_cast<std::int64_t>(updates.storage().size() / spec::size_of(updates.dtype()));
  in_parts(count, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint64_t r = spec::random(seed, static_cast<std::uint64_t>(i));
      elements.store(updates, i, (r >> 1) % stride != 0 ? 0 : r & 1 ? 1 : -1);
    }
  });
}

/// The largest number of contributions to a cell that are not 0.
std::int64_t most_nonzero(const Walk& walk, const Tensor& updates) {
  const std::size_t size = spec::size_of(updates.dtype());
  const std::byte* const first = walk.stream;
  std::vector<std::uint32_t> count(static_cast<std::size_t>(walk.result_numel), 0);
  const std::int64_t run = run_length(walk);
  const std::int64_t step = run > 1 ? walk.stream_stride[walk.rank - 1] : 0;
  static constexpr std::byte zero[16] = {};
  std::uint32_t most = 0;
  for_each_run(walk, [&](std::int64_t cell, std::int64_t stream) {
    for (std::int64_t k = 0; k < run; ++k)
      if (std::memcmp(first + (stream + k * step) * static_cast<std::int64_t>(size), zero, size) != 0)
        most = std::max(most, ++count[static_cast<std::size_t>(cell + k)]);
  });
  return most;
}

/// Terms of a sum (or mean): as large as what the fullest cell can take allows, and rare where that is not
/// even 1.
void fill_terms(const Walk& walk, Tensor& updates, std::uint64_t seed, std::int64_t range) {
  const std::int64_t most = std::max<std::int64_t>(1, most_contributions(walk));
  if (most <= range) return fill_storage(updates, seed, std::min(widest_term, range / most));
  for (auto stride = static_cast<std::uint64_t>(2 * (most / range));; stride *= 2) {
    fill_sparsely(updates, seed, stride);
    if (most_nonzero(walk, updates) <= range) return;
  }
}

/// What an assignment writes: a function of the cell.
void fill_by_cell(const Walk& walk, Tensor& updates, std::uint64_t seed, std::int64_t most) {
  const Elements elements(updates.dtype(), most);
  const std::int64_t run = run_length(walk);
  const std::int64_t step = run > 1 ? walk.stream_stride[walk.rank - 1] : 0;
  for_each_run(walk, [&](std::int64_t cell, std::int64_t stream) {
    for (std::int64_t k = 0; k < run; ++k)
      elements.store(updates, updates.offset() + stream + k * step,
                     nonzero(spec::random(seed, static_cast<std::uint64_t>(cell + k)), most));
  });
}

void fill_data(const KernelCall& call, const Walk& walk, std::uint64_t seed) {
  const spec::DType dtype = call.data.dtype();
  const std::int64_t range = exact_range(dtype);
  const bool sums = call.combine == Combiner::sum || call.combine == Combiner::mean;
  Tensor start = call.data;
  if (!walk.scatter) return fill_storage(start, seed, std::min(widest, range));
  const bool products = call.combine == Combiner::prod;
  const std::int64_t most = products ? 1 : std::min(sums ? widest_start : widest, range);
  fill_storage(start, seed, most);
  if (!call.updates || !std::holds_alternative<Tensor>(*call.updates)) return;
  Tensor updates = std::get<Tensor>(*call.updates);
  if (sums) return fill_terms(walk, updates, ~seed, std::max<std::int64_t>(1, range - most));
  if (call.combine == Combiner::assign) return fill_by_cell(walk, updates, ~seed, most);
  fill_storage(updates, ~seed, most);
}

/// The operation that is the gradient of a gather by its data, or of a sum by its updates: each is the other
/// one, with zeros and a cotangent as its tensors. Empty: there is none in kernel terms.
std::optional<KernelCall> gradient_kernel(const KernelCall& call) {
  using engines::KernelOp;
  static const std::map<KernelOp, KernelOp> others = {{KernelOp::gather_elements, KernelOp::scatter_elements},
                                                      {KernelOp::gather_rows, KernelOp::scatter_rows},
                                                      {KernelOp::gather_nd, KernelOp::scatter_nd},
                                                      {KernelOp::scatter_nd, KernelOp::gather_nd},
                                                      {KernelOp::scatter_elements, KernelOp::gather_elements},
                                                      {KernelOp::scatter_rows, KernelOp::gather_rows}};
  Walk walk;
  if (!spec::is_float(call.data.dtype()) || call.batch_dims != 0 || make_walk(call, walk)) return {};
  KernelCall other;
  other.op = others.at(call.op);
  other.index = call.index;
  other.axis = call.axis;
  other.wrap_negative = call.wrap_negative;
  other.index_dtypes = call.index_dtypes;
  other.data = Tensor(call.data.dtype(), call.data.shape());
  if (!walk.scatter) {
    other.combine = Combiner::sum;
    other.updates = Tensor(call.data.dtype(), make_result(call, walk).shape());
    return other;
  }
  const auto* updates = call.updates ? std::get_if<Tensor>(&*call.updates) : nullptr;
  Walk back;
  if (call.combine != Combiner::sum || !updates || make_walk(other, back) ||
      make_result(other, back).shape() != updates->shape())
    return {};
  return other;
}

void fill_cotangent(Tensor& cotangent, const Walk& walk, std::uint64_t seed) {
  const std::int64_t range = exact_range(cotangent.dtype());
  if (walk.scatter) return fill_terms(walk, cotangent, ~seed, range);
  fill_storage(cotangent, seed, std::min(widest, range));
}

}  // namespace

spec::Result<RowData> make_data(const BenchmarkRow& row, const spec::SpecLibrary& specs, std::uint64_t seed,
                                std::int64_t largest) {
  const auto tensors = make_tensors(row, seed, largest);
  RowData data;
  data.call = make_call(row.call, tensors);
  for (const CallPlan& peer : row.peers) data.peers.push_back(make_call(peer, tensors));
  const auto refused = [&](const spec::Outcome& outcome) {
    return spec::Error{.file = row.file,
                       .at = row.at,
                       .what = fmt::format("row '{}' is {}", row.id, spec::to_string(outcome)),
                       .hint = "a row must be a call that succeeds"};
  };
  auto lowered = engines::lower(*specs.find(row.call.api), data.call);
  if (const auto* outcome = std::get_if<spec::Outcome>(&lowered)) return refused(*outcome);
  data.kernel = std::get<KernelCall>(std::move(lowered));
  Walk walk;
  if (const auto outcome = engines::make_walk(data.kernel, walk)) return refused(*outcome);
  if (!in_range(walk)) return refused(engines::refuse_index(data.kernel, walk).value());
  fill_data(data.kernel, walk, stable_hash(row.id, seed));
  if (!row.gradient) return data;
  auto gradient = gradient_kernel(data.kernel);
  if (!gradient) return refused({spec::Unsupported{"without a gradient that is an operation"}, 0});
  const bool gathers = !engines::is_scatter(data.kernel.op);
  data.differentiated = gathers ? data.kernel.data : std::get<Tensor>(*data.kernel.updates);
  data.kernel = *std::move(gradient);
  data.cotangent = gathers ? std::get<Tensor>(*data.kernel.updates) : data.kernel.data;
  Walk back;
  engines::make_walk(data.kernel, back);
  fill_cotangent(data.cotangent, back, stable_hash(row.id, seed));
  return data;
}

std::vector<BenchmarkRow> gradient_rows(const std::vector<BenchmarkRow>& rows,
                                        const spec::SpecLibrary& specs) {
  std::vector<BenchmarkRow> made;
  for (BenchmarkRow row : rows) {
    if (!row.is_gather() && row.operation != "scatter_add") continue;
    row.id += "/gradient";
    row.operation += "_gradient";
    row.gradient = true;
    row.call.in_place = false;  // the gradient is a new tensor
    for (CallPlan& peer : row.peers) peer.in_place = false;
    if (make_data(row, specs, 0, small_size(row))) made.push_back(std::move(row));
  }
  return made;
}

spec::GradientQuestion RowData::question(const spec::Call& one) const {
  spec::GradientQuestion question{.of = {}, .cotangent = cotangent};
  for (const auto& [name, value] : one.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&value); tensor && share_storage(*tensor, differentiated))
      question.of.push_back(name);
  return question;
}

}  // namespace scatterproof::runner::bench
