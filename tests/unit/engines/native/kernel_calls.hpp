// SPDX-License-Identifier: Apache-2.0
// Short ways to write kernel calls and to look at their outcomes.
#pragma once

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <variant>
#include <vector>

#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/spec/core/outcome.hpp"

namespace scatterproof::engines::test {

using spec::Combiner;
using spec::DType;
using spec::Scalar;
using spec::Shape;
using spec::Tensor;

inline Tensor tensor(DType dtype, Shape shape, const std::vector<double>& values) {
  std::vector<Scalar> scalars;
  for (double v : values)
    scalars.push_back(spec::is_float(dtype) || spec::is_complex(dtype)
                          ? Scalar::of_real(v)
                          : Scalar::of_int(static_cast<std::int64_t>(v)));
  return Tensor(dtype, std::move(shape), scalars);
}
inline Tensor f32(Shape shape, const std::vector<double>& values) {
  return tensor(DType::f32, std::move(shape), values);
}
inline Tensor i64(Shape shape, const std::vector<double>& values) {
  return tensor(DType::i64, std::move(shape), values);
}

inline KernelCall scatter(KernelOp op, Tensor data, std::int64_t axis, Tensor index, Tensor updates,
                          Combiner combine = Combiner::assign) {
  KernelCall call;
  call.op = op;
  call.data = std::move(data);
  call.axis = axis;
  call.index = std::move(index);
  call.updates = std::move(updates);
  call.combine = combine;
  return call;
}
inline KernelCall gather(KernelOp op, Tensor data, std::int64_t axis, Tensor index) {
  KernelCall call;
  call.op = op;
  call.data = std::move(data);
  call.axis = axis;
  call.index = std::move(index);
  return call;
}

/// The one tensor a call produces; fails the test and gives an empty tensor otherwise.
inline Tensor produced(const KernelCall& call) {
  const spec::Outcome outcome = run_reference_kernel(call);
  const auto* result = std::get_if<spec::Produced>(&outcome.what);
  if (!result || result->tensors.size() != 1) {
    ADD_FAILURE() << spec::to_string(outcome);
    return {};
  }
  EXPECT_TRUE(result->tensors[0].is_contiguous());
  return result->tensors[0];
}
/// The values as nested lists, whole floats without their `.0`.
inline std::string plain(const Tensor& values) {
  return std::regex_replace(spec::to_string(values), std::regex("\\.0(?![0-9])"), "");
}
inline std::string result_of(const KernelCall& call) { return plain(produced(call)); }

/// `kind: message` of a refusal, or what came instead.
inline std::string refusal_of(const KernelCall& call) {
  const spec::Outcome outcome = run_reference_kernel(call);
  if (const auto* refused = std::get_if<spec::Refused>(&outcome.what))
    return refused->error_classes.at(0) + ": " + refused->message;
  return "no refusal, but " + spec::to_string(outcome);
}
inline std::string refusal_kind(const KernelCall& call) {
  const std::string text = refusal_of(call);
  return text.substr(0, text.find(':'));
}

}  // namespace scatterproof::engines::test
