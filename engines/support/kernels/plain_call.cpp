// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/engines/kernels/plain_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scatterproof/engines/native/walk.hpp"
#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::engines {
namespace {

using spec::Shape;
using spec::Tensor;
using Answer = std::variant<PlainCall, std::string>;

bool is_elements(KernelOp op) { return op == KernelOp::scatter_elements || op == KernelOp::gather_elements; }
bool is_rows(KernelOp op) { return op == KernelOp::scatter_rows || op == KernelOp::gather_rows; }

Tensor view(const Tensor& tensor, Shape shape, Shape strides) {
  return *Tensor::view(tensor.dtype(), std::move(shape), std::move(strides), tensor.offset(),
                       tensor.shared_storage());
}

Tensor at_least_vector(const Tensor& tensor) { return tensor.rank() > 0 ? tensor : view(tensor, {1}, {1}); }

/// A view of exactly these sizes: dimensions of size 1 are stretched, longer ones cut off, missing ones put
/// in front. Precondition: no size is missing otherwise.
Tensor fitted(const Tensor& tensor, const Shape& sizes) {
  const std::size_t ahead = sizes.size() - tensor.rank();
  Shape strides(sizes.size(), 0);
  for (std::size_t d = 0; d < tensor.rank(); ++d)
    if (tensor.shape()[d] != 1 || sizes[ahead + d] <= 1) strides[ahead + d] = tensor.strides()[d];
  return view(tensor, sizes, std::move(strides));
}

std::size_t from_front(std::int64_t axis, std::size_t rank) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

Shape joined(const Shape& a, const Shape& b, const Shape& c) {
  Shape all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}

/// The first `count` sizes, and those from `first` on.
Shape before(const Shape& sizes, std::size_t count) { return {sizes.begin(), sizes.begin() + count}; }
Shape after(const Shape& sizes, std::size_t first) { return {sizes.begin() + first, sizes.end()}; }

/// One size for each position of updates, or of a gather's result; empty when data does not have the axis or
/// the number of dimensions to copy.
std::optional<Shape> positions(const KernelCall& call) {
  const Shape& data = call.data.shape();
  const Shape& index = call.index.shape();
  if (is_elements(call.op)) return index;
  if (is_rows(call.op)) {
    const auto rank = static_cast<std::int64_t>(data.size());
    if (call.axis < -rank || call.axis >= rank) return {};
    const std::size_t axis = from_front(call.axis, data.size());
    return joined(before(data, axis), index, after(data, axis + 1));
  }
  if (index.empty() || call.batch_dims < 0) return {};
  const std::int64_t taken = call.batch_dims + index.back();
  if (taken > static_cast<std::int64_t>(data.size())) return {};
  return joined(before(index, index.size() - 1), after(data, static_cast<std::size_t>(taken)), {});
}

std::string attributes(const KernelCall& call, int threads) {
  return fmt::format(R"({{"axis":{},"batch_dims":{},"combine":"{}","include_start":{},)"
                     R"("integer_mean":"{}","wrap_negative":{},"threads":{}}})",
                     call.axis, call.batch_dims, spec::name(call.combine), call.include_start,
                     call.integer_mean == spec::IntegerMean::truncate ? "truncate" : "floor",
                     call.wrap_negative, threads);
}

PlainCall asked(const OfferedKernel& entry, const KernelCall& call, Tensor output, Shape result_shape,
                int threads) {
  std::vector<Tensor> inputs;
  if (!is_scatter(call.op)) inputs.push_back(call.data);
  inputs.push_back(call.index);
  if (is_scatter(call.op)) inputs.push_back(std::get<Tensor>(*call.updates));
  return {.op = call.op,
          .attributes = attributes(call, threads),
          .inputs = std::move(inputs),
          .strided = entry.strided,
          .outputs = {std::move(output)},
          .result_shapes = {std::move(result_shape)},
          .has_gradient = entry.gradient};
}

std::string ends_at_the_caller(const std::string& kind, const std::string& words) {
  return fmt::format("the kernel leaves checks of {} to its caller: {}", kind, words);
}

/// The rules that hold between a kernel and its caller, whatever the API allows.
KernelCall strict(KernelCall call, const OfferedKernel& entry) {
  call.index_equals_updates = true;
  call.index_equals_data = call.broadcast = call.surplus_updates = false;
  call.needs_dimensions = call.empty_index_unchecked = false;
  call.index_dtypes = entry.index_dtypes;
  return call;
}

/// What a call that breaks a rule writes into: a scatter's data, a gather's positions.
std::optional<Tensor> possible_output(const KernelCall& call) {
  if (is_scatter(call.op)) {
    if (!call.start_from_data || !std::holds_alternative<Tensor>(*call.updates)) return {};
    return call.data.contiguous();
  }
  const auto shape = positions(call);
  if (!shape || shape->size() > spec::max_rank) return {};
  const auto numel = spec::checked_numel(*shape);
  if (!numel || *numel > spec::max_numel) return {};
  return Tensor(call.data.dtype(), *shape);
}

const spec::Refused& refused(const spec::Outcome& outcome) { return std::get<spec::Refused>(outcome.what); }

/// A call that breaks a rule of its API goes to a kernel that finds such breaks itself, unless the rule is
/// the API's alone and the kernel cannot know it.
Answer broken_call(const KernelCall& call, const OfferedKernel& entry, const spec::Outcome& refusal,
                   int threads) {
  const std::string kind = refused(refusal).error_classes.front();
  const std::string& words = refused(refusal).message;
  if (!entry.checks_for(kind)) return ends_at_the_caller(kind, words);
  if (kind != "dtype" && !entry.takes_index(call.index.dtype()))
    return fmt::format("{} takes no index of dtype {}", name(call.op), spec::name(call.index.dtype()));
  Walk walk;
  const KernelCall as_it_is = strict(call, entry);
  const auto between = make_walk(as_it_is, walk);
  if (!between || refused(*between).error_classes.front() != kind)
    return fmt::format("a rule of the API that no kernel can know: {}", words);
  auto output = possible_output(as_it_is);
  if (!output) return fmt::format("no caller can make a result for this call: {}", words);
  Shape shape = output->shape();
  return asked(entry, as_it_is, *std::move(output), std::move(shape), threads);
}

Tensor updates_of(const KernelCall& call) {
  if (const auto* tensor = std::get_if<Tensor>(&*call.updates)) return *tensor;
  return Tensor(call.data.dtype(), {}, std::vector{std::get<spec::Scalar>(*call.updates)});
}

/// numpy's stretching of index and data against each other, off the axis. A scatter's data is its result and
/// cannot be stretched.
void stretch(KernelCall& call) {
  Shape index = call.index.shape();
  Shape data = call.data.shape();
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (d == static_cast<std::size_t>(call.axis)) continue;
    if (index[d] == 1) index[d] = data[d];
    if (data[d] == 1) data[d] = index[d];
  }
  call.index = fitted(call.index, index);
  if (!is_scatter(call.op)) call.data = fitted(call.data, data);
}

/// The output for a kernel that takes any layout: a scatter's like that of its data, a gather's with gaps
/// between its rows where an input has any.
Tensor laid_out(const KernelCall& call, Tensor output) {
  if (!is_scatter(call.op)) {
    const bool dense = call.data.is_contiguous() && call.index.is_contiguous();
    return dense ? output : spec::with_layout(output, spec::Layout::padded);
  }
  if (call.data.shape() != output.shape() || spec::overlaps_itself(call.data)) return output;
  Tensor made = call.data.clone();
  spec::copy_elements(output, made);
  return made;
}

/// A call that breaks no rule of its API, except perhaps with values of the index, as a kernel expects it.
Answer sound_call(const KernelCall& call, const OfferedKernel& entry, const Walk& walk, int threads) {
  KernelCall plain = strict(call, entry);
  if (is_scatter(call.op)) {
    plain.data = make_result(call, walk);
    plain.start_from_data = true;
  }
  if (is_elements(call.op)) {
    plain.data = at_least_vector(plain.data);
    plain.index = at_least_vector(plain.index);
  }
  if (is_elements(call.op) || is_rows(call.op))
    plain.axis = static_cast<std::int64_t>(from_front(call.axis, plain.data.rank()));
  if (is_elements(call.op) && call.broadcast) stretch(plain);
  const Shape sizes = *positions(plain);
  // numpy.add.at takes a bare number for updates of any number of dimensions; a tensor has at most
  // `max_rank`.
  if (sizes.size() > spec::max_rank)
    return fmt::format("updates of {} dimensions cannot be handed to a kernel", sizes.size());
  if (is_scatter(call.op))  // without positions the API may not have looked at the updates either
    plain.updates =
        spec::numel(sizes) == 0 ? Tensor(call.data.dtype(), sizes) : fitted(updates_of(call), sizes);
  Walk between;
  if (const auto refusal = make_walk(plain, between))
    return fmt::format("what this API allows here ends at the caller: {}", refused(*refusal).message);
  Tensor output = is_scatter(call.op) ? plain.data : Tensor(call.data.dtype(), sizes);
  if (entry.strided_output) output = laid_out(call, std::move(output));
  return asked(entry, plain, std::move(output),
               Shape(walk.result_shape, walk.result_shape + walk.result_rank), threads);
}

Answer ask(const KernelCall& call, const OfferedKernel& entry, int threads) {
  if (auto reason = not_covered(entry, call); !reason.empty()) return reason;
  Walk walk;
  if (const auto refusal = make_walk(call, walk)) return broken_call(call, entry, *refusal, threads);
  if (!entry.takes_index(call.index.dtype()))
    return fmt::format("{} takes no index of dtype {}", name(call.op), spec::name(call.index.dtype()));
  if (const auto refusal = refuse_index(call, walk)) {
    const std::string& words = refused(*refusal).message;
    if (!entry.checks_for("index")) return ends_at_the_caller("index", words);
    if (call.broadcast && walk.count == 0)
      return fmt::format("an index stretched over no positions has no values for a kernel to check: {}",
                         words);
  } else if (call.wrap_negative && !entry.wrap_negative) {
    walk.wrap_negative = false;
    if (refuse_index(call, walk))
      return fmt::format(
          R"(a negative index counts from the end, and {} does not declare "wrap_negative": true)",
          name(call.op));
  }
  return sound_call(call, entry, walk, threads);
}

}  // namespace

Answer plain_call(const KernelCall& call, const OfferedKernels& kernels, int threads) {
  Answer answer = fmt::format("the library has no kernel {}", name(call.op));
  bool takes_dtype = false;
  for (const OfferedKernel& kernel : kernels) {
    if (kernel.op != call.op) continue;
    Answer of_kernel = ask(call, kernel, threads);
    if (std::holds_alternative<PlainCall>(of_kernel)) return of_kernel;
    // Of several reasons, that of a kernel for this dtype says what is missing.
    const bool takes = std::ranges::find(kernel.dtypes, call.data.dtype()) != kernel.dtypes.end();
    if (takes || !takes_dtype) answer = std::move(of_kernel);
    takes_dtype |= takes;
  }
  return answer;
}

PlainCall gradient_call(const PlainCall& forward, const Tensor& result, const Tensor& cotangent) {
  PlainCall question = forward;
  question.gradient = true;
  const Tensor& output = forward.outputs.front();
  const auto as_output = [&](const Tensor& tensor) {
    if (tensor.shape() == output.shape()) return tensor;  // its layout is kept
    return *Tensor::view(tensor.dtype(), output.shape(), spec::contiguous_strides(output.shape()), 0,
                         tensor.contiguous().shared_storage());
  };
  const Tensor& table = is_scatter(forward.op) ? output : forward.inputs.front();
  question.outputs = {Tensor(table.dtype(), table.shape())};
  if (is_scatter(forward.op)) {
    question.inputs.push_back(output);
    question.inputs.push_back(as_output(result));
    question.outputs.emplace_back(table.dtype(), forward.inputs.back().shape());
  }
  question.inputs.push_back(as_output(cotangent));
  question.result_shapes.clear();
  for (const Tensor& gradient : question.outputs) question.result_shapes.push_back(gradient.shape());
  return question;
}

Answer plain_call(const spec::OpSpec& spec, const spec::Call& call, const OfferedKernels& kernels,
                  int threads) {
  const auto lowered = lower(spec, call);
  const auto* outcome = std::get_if<spec::Outcome>(&lowered);
  if (!outcome) return plain_call(std::get<KernelCall>(lowered), kernels, threads);
  if (const auto* refusal = std::get_if<spec::Refused>(&outcome->what))
    return "an argument that no kernel has ends at the caller: " + refusal->message;
  return std::get<spec::Unsupported>(outcome->what).reason;
}

std::vector<std::string> apis_of(const OfferedKernels& kernels, const spec::SpecLibrary& specs) {
  std::vector<std::string> apis;
  for (const spec::OpSpec& spec : specs.all())
    if (std::ranges::any_of(kernels,
                            [&](const OfferedKernel& one) { return spec.kernel.op == name(one.op); }))
      apis.push_back(spec.api);
  return apis;
}

}  // namespace scatterproof::engines
