// SPDX-License-Identifier: Apache-2.0
// An engine with one vice, and the calls, results and vices that tests of relations are made of.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::relations {

using engines::CallRequest;
using spec::Bag;
using spec::Call;
using spec::Combiner;
using spec::Outcome;
using spec::Produced;
using spec::Scalar;
using spec::Tensor;

/// What a value becomes when another one lands on it.
using Fold = std::function<double(double, double)>;

inline double honest_fold(Combiner combine, double a, double b) {
  if (combine == Combiner::sum) return a + b;
  return combine == Combiner::prod ? a * b : b;
}

inline Bag bag_of(const Call& call) {
  return *spec::execute(*shipped().catalogue.specs.find(call.api), call);
}

/// The document's meaning, executed contribution by contribution.
inline Tensor result_of(const Bag& bag, const Fold& fold = nullptr) {
  Tensor result(bag.dtype, bag.shape);
  for (std::size_t c = 0; c + 1 < bag.offsets.size(); ++c) {
    double value = bag.start ? (*bag.start)[c].real() : 0;
    for (auto i = bag.offsets[c]; i < bag.offsets[c + 1]; ++i) {
      const double landing = bag.list[static_cast<std::size_t>(i)].value.real();
      value = fold ? fold(value, landing) : honest_fold(bag.combine, value, landing);
    }
    result.set_at_position(static_cast<std::int64_t>(c), Scalar::of_real(value));
  }
  return result;
}

inline Outcome produced(Tensor tensor, std::vector<std::string> written = {}) {
  return {Produced{{std::move(tensor)}, std::move(written)}, 0};
}
inline Outcome honest(const Call& call) { return produced(result_of(bag_of(call))); }

/// An engine with a vice: how it executes a call that came in a batch of this size.
using Vice = std::function<Outcome(const Call&, std::size_t batch)>;

class Liar final : public engines::Engine {
 public:
  Liar(std::vector<std::string> apis, Vice vice, std::string varies = {}) : vice_(std::move(vice)) {
    info_ = {"liar", "", "1", "cpu", std::move(apis), {}, std::move(varies)};
  }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const Call&) const override { return {}; }
  std::vector<std::size_t> batches;

 private:
  std::vector<Outcome> do_run(std::span<const CallRequest> requests) override {
    batches.push_back(requests.size());
    std::vector<Outcome> outcomes;
    for (const CallRequest& request : requests) outcomes.push_back(vice_(*request.call, requests.size()));
    return outcomes;
  }

  engines::EngineInfo info_;
  Vice vice_;
};

inline Call scatter_add(Tensor self, Tensor index, Tensor src) {
  return {"torch.Tensor.scatter_add_", {{"self", self}, {"dim", number(0)}, {"index", index}, {"src", src}}};
}
inline Call scatter(Tensor self, Tensor index, Tensor src) {
  return {
      "torch.Tensor.scatter_",
      {{"self", self}, {"dim", number(0)}, {"index", index}, {"src", src}, {"reduce", std::string("none")}}};
}
inline Call gather(Tensor input, Tensor index) {
  return {"torch.gather", {{"input", input}, {"dim", number(0)}, {"index", index}}};
}
inline Call index_copy(Tensor self, Tensor index, Tensor copied) {
  return {"torch.Tensor.index_copy_",
          {{"self", self}, {"dim", number(0)}, {"index", index}, {"source", copied}}};
}
inline Call scatter_nd(Tensor data, Tensor indices, Tensor updates) {
  return {"onnx.ScatterND",
          {{"data", data},
           {"indices", indices},
           {"updates", updates},
           {"reduction", std::string("none")},
           {"opset", number(18)}}};
}
inline Call gather_rows(Tensor data, Tensor indices) {
  return {"onnx.Gather", {{"data", data}, {"indices", indices}, {"axis", number(0)}, {"opset", number(13)}}};
}
inline Call gather_nd(Tensor data, Tensor indices) {
  return {"onnx.GatherND",
          {{"data", data}, {"indices", indices}, {"batch_dims", number(0)}, {"opset", number(13)}}};
}

inline const Tensor& tensor_of(const Call& call, const char* name) {
  return std::get<Tensor>(*call.find(name));
}
inline std::int64_t axis_of(const Call& call) { return std::get<Scalar>(*call.find("axis")).integer(); }

/// One more in a cell of what is right.
inline Outcome one_more(const Call& call, std::int64_t cell = 0) {
  Tensor tensor = result_of(bag_of(call));
  tensor.set_at_position(cell, Scalar::of_real(tensor.at_position(cell).real() + 1));
  return produced(tensor);
}

/// Of a tensor that is not row-major, the elements as if it were.
inline Outcome without_strides(Call call) {
  for (auto& [name, argument] : call.arguments)
    if (auto* one = std::get_if<Tensor>(&argument); one && name == "src")
      *one = *Tensor::view(one->dtype(), one->shape(), spec::contiguous_strides(one->shape()), 0,
                           one->shared_storage());
  return honest(call);
}

/// A gather that gives what it read in the order of the index's values.
inline Outcome sorted_lookups(Call call) {
  for (auto& [name, argument] : call.arguments)
    if (auto* index = std::get_if<Tensor>(&argument); index && index->dtype() == spec::DType::i64) {
      auto values = index->values();
      std::ranges::sort(values, {}, &Scalar::integer);
      *index = Tensor(index->dtype(), index->shape(), values);
    }
  return honest(call);
}

/// What is right, with a zero in the last cell.
inline Outcome zero_at_the_end(const Call& call) {
  Tensor tensor = result_of(bag_of(call));
  tensor.set_at_position(tensor.numel() - 1, number(0));
  return produced(tensor);
}

inline const std::string add = "torch.Tensor.scatter_add_", put = "torch.Tensor.scatter_",
                         get = "torch.gather", rows = "torch.Tensor.index_copy_", nd = "onnx.ScatterND",
                         row_get = "onnx.Gather", nd_get = "onnx.GatherND",
                         tuple_get = "numpy.ndarray.__getitem__.tuple";

}  // namespace scatterproof::runner::relations
