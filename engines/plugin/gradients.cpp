// SPDX-License-Identifier: Apache-2.0
#include "gradients.hpp"

#include <optional>
#include <utility>
#include <variant>

#include "scatterproof/engines/kernels/plain_call.hpp"
#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::engines::plugin {
namespace {

using spec::Scalar;
using spec::Tensor;

/// The call with its tensors row-major, each in a storage of its own: a place there is the number of an
/// element.
spec::Call row_major(const spec::Call& call) {
  spec::Call same = call;
  for (auto& [name, argument] : same.arguments)
    if (auto* tensor = std::get_if<Tensor>(&argument)) *tensor = tensor->contiguous().clone();
  return same;
}

/// `seen`: the argument as the kernel got it, a view into its storage.
Tensor collected(const Tensor& gradient, const Tensor& seen, const Tensor& argument) {
  std::vector<std::optional<double>> sums(static_cast<std::size_t>(argument.numel()));
  if (gradient.numel() > 0) {
    const std::vector<Scalar> values = gradient.values();
    spec::Coords at(seen.rank(), 0);
    std::size_t next_value = 0;
    do {
      auto& sum = sums[static_cast<std::size_t>(seen.position(at))];
      const double value = values[next_value++].real();
      sum = sum ? *sum + value : value;
    } while (spec::next(at, seen.shape()));
  }
  std::vector<Scalar> all;
  for (const auto& sum : sums) all.push_back(Scalar::of_real(sum.value_or(0)));
  return {argument.dtype(), argument.shape(), all};
}

std::string argument_given_as(const spec::OpSpec& spec, std::string_view field) {
  const spec::LoweredValue* value = spec.kernel.find(field);
  return value ? value->argument : std::string();
}

}  // namespace

std::vector<spec::GradientAnswer> gradients_of_arguments(const spec::OpSpec& spec, const spec::Call& call,
                                                         const spec::GradientQuestion& question,
                                                         const OfferedKernels& kernels,
                                                         const std::vector<Tensor>& given) {
  const spec::Call same = row_major(call);
  const auto kernel_call = std::get<KernelCall>(lower(spec, same));
  const auto plain = std::get<PlainCall>(plain_call(kernel_call, kernels, 1));
  const bool scatter = is_scatter(plain.op);
  std::vector<spec::GradientAnswer> answers;
  for (const std::string& name : question.of) {
    const auto& argument = std::get<Tensor>(*same.find(name));
    const bool updates = scatter && name == argument_given_as(spec, "updates");
    const bool data = !updates && name == argument_given_as(spec, "data");
    if (updates || (data && !scatter)) {
      const Tensor& seen = updates ? plain.inputs.back() : plain.inputs.front();
      if (spec::share_storage(seen, argument) || seen.numel() == 0)
        answers.emplace_back(collected(given.back(), seen, argument));
      else
        answers.emplace_back(spec::Refused{{"unsupported"}, "the kernel gets a number in its place"});
    } else if (data && kernel_call.start_from_data) {
      answers.emplace_back(*Tensor::view(argument.dtype(), argument.shape(),
                                         spec::contiguous_strides(argument.shape()), 0,
                                         given.front().shared_storage()));
    } else {
      answers.emplace_back(spec::NotConnected{});  // it only says how large the result is
    }
  }
  return answers;
}

}  // namespace scatterproof::engines::plugin
