// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "measure.hpp"
#include "scatterproof/runner/calls/tensor_edits.hpp"
#include "steps.hpp"

namespace scatterproof::runner::shrink {
namespace {

using spec::DType;
using spec::Tensor;
using Arguments = std::vector<std::size_t>;  ///< positions of tensors among the arguments

spec::Call with_dtypes(const spec::Call& call, const Arguments& which, DType dtype) {
  spec::Call made = call;
  for (const std::size_t i : which)
    made.arguments[i].second = with_dtype(std::get<Tensor>(made.arguments[i].second), dtype);
  return made;
}

spec::Call with_contiguous(const spec::Call& call, const Arguments& which) {
  spec::Call made = call;
  for (const std::size_t i : which)
    made.arguments[i].second = std::get<Tensor>(made.arguments[i].second).contiguous();
  return made;
}

std::vector<DType> plainer_than(DType dtype) {
  std::vector<DType> dtypes(spec::all_dtypes.begin(), spec::all_dtypes.end());
  std::erase_if(dtypes, [&](DType other) { return cost(other) >= cost(dtype); });
  std::ranges::sort(dtypes, {}, [](DType other) { return cost(other); });
  return dtypes;
}

}  // namespace

void add_form_steps(const spec::OpSpec& op, const spec::Call& call, std::vector<Step>& steps) {
  Arguments tensors;
  std::map<std::pair<std::string, DType>, Arguments> alike;  // of one type variable and one dtype
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& [name, value] = call.arguments[i];
    const auto* tensor = std::get_if<Tensor>(&value);
    const spec::ArgumentDecl* declared = op.argument(name);
    if (!tensor || !declared) continue;
    tensors.push_back(i);
    alike[{declared->type, tensor->dtype()}].push_back(i);
  }
  const auto add_dtypes = [&](const Arguments& which, DType from) {
    for (const DType dtype : plainer_than(from))
      steps.push_back([&call, which, dtype] { return with_dtypes(call, which, dtype); });
  };
  for (const auto& [form, which] : alike) add_dtypes(which, form.second);
  for (const auto& [form, which] : alike)
    if (which.size() > 1)
      for (const std::size_t one : which) add_dtypes({one}, form.second);
  steps.push_back([&call, tensors] { return with_contiguous(call, tensors); });
  for (const std::size_t one : tensors)
    steps.push_back([&call, one] { return with_contiguous(call, {one}); });
}

}  // namespace scatterproof::runner::shrink
