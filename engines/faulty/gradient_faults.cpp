// SPDX-License-Identifier: Apache-2.0
// Faults in reading a cotangent, in adding up what elements get, and in what is handed back; and those of
// forward kernels that a backward kernel has too.
#include <algorithm>
#include <cmath>

#include "gradient_fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

Tensor of_values(const Tensor& like, const Shape& shape, const std::vector<Scalar>& values) {
  return {like.dtype(), shape, values};
}

/// The elements that lie at these strides and this offset; beyond the storage, from its beginning.
void read_by(Tensor& tensor, const Shape& strides, std::int64_t offset) {
  if (tensor.numel() == 0) return;
  const auto held = static_cast<std::int64_t>(tensor.storage().size() / spec::size_of(tensor.dtype()));
  std::vector<Scalar> values;
  spec::Coords at(tensor.rank(), 0);
  do {
    std::int64_t place = offset;
    for (std::size_t d = 0; d < at.size(); ++d) place += at[d] * strides[d];
    values.push_back(tensor.at_position((place % held + held) % held));
  } while (spec::next(at, tensor.shape()));
  tensor = of_values(tensor, tensor.shape(), values);
}

/// Replaces the values by what `change` makes of them, given row-major.
void change_values(Tensor& tensor, void (*change)(std::vector<Scalar>&)) {
  std::vector<Scalar> values = tensor.values();
  if (values.empty()) return;
  change(values);
  tensor = of_values(tensor, tensor.shape(), values);
}

/// The dtype that is one step narrower.
DType narrower(DType dtype) {
  if (dtype == DType::f64) return DType::f32;
  return dtype == DType::f32 ? DType::f16 : DType::bf16;
}

void each_gradient(spec::Produced& answer, void (*change)(Tensor&)) {
  for (spec::GradientAnswer& gradient : answer.gradients)
    if (auto* tensor = std::get_if<Tensor>(&gradient)) change(*tensor);
}

void reshape(spec::Produced& answer, Shape (*shape)(const Shape&)) {
  for (spec::GradientAnswer& gradient : answer.gradients)
    if (auto* tensor = std::get_if<Tensor>(&gradient))
      *tensor = of_values(*tensor, shape(tensor->shape()), tensor->values());
}

bool have_one_form(const spec::GradientAnswer& a, const spec::GradientAnswer& b) {
  const auto *one = std::get_if<Tensor>(&a), *other = std::get_if<Tensor>(&b);
  return one && other && one->dtype() == other->dtype() && one->shape() == other->shape();
}

}  // namespace

std::vector<GradientFault> cotangent_faults() {
  return {
      {.name = "gradient-cotangent-taken-for-ones",
       .says = "The cotangent is taken for ones.",
       .cotangent =
           [](Tensor& g) {
             change_values(
                 g, [](std::vector<Scalar>& values) { std::ranges::fill(values, Scalar::of_real(1)); });
           }},
      {.name = "gradient-cotangent-strides-ignored",
       .says = "The cotangent is read as if it were contiguous.",
       .cotangent = [](Tensor& g) { read_by(g, spec::contiguous_strides(g.shape()), g.offset()); }},
      {.name = "gradient-cotangent-offset-ignored",
       .says = "The cotangent is read from the beginning of its storage.",
       .cotangent = [](Tensor& g) { read_by(g, g.strides(), 0); }},
      {.name = "gradient-cotangent-column-major",
       .says = "The cotangent is read column by column.",
       .cotangent =
           [](Tensor& g) {
             Shape strides(g.rank());
             std::int64_t stride = 1;
             for (std::size_t d = 0; d < strides.size(); ++d) strides[d] = stride, stride *= g.shape()[d];
             g = g.contiguous();
             read_by(g, strides, 0);
           }},
      {.name = "gradient-cotangent-of-next-cell",
       .says = "Each cell has the cotangent of the next one.",
       .cotangent =
           [](Tensor& g) {
             change_values(g, [](std::vector<Scalar>& values) {
               std::rotate(values.begin(), values.begin() + 1, values.end());
             });
           }},
      {.name = "gradient-cotangent-end-lost",
       .says = "The cotangent of the last cell is taken for 0.",
       .cotangent =
           [](Tensor& g) {
             change_values(g, [](std::vector<Scalar>& values) { values.back() = Scalar::of_real(0); });
           }},
      {.name = "gradient-cotangent-broadcast",
       .says = "The first cotangent is taken for that of every cell.",
       .cotangent =
           [](Tensor& g) {
             change_values(g, [](std::vector<Scalar>& values) {
               std::fill(values.begin(), values.end(), Scalar(values.front()));
             });
           }},
  };
}

std::vector<GradientFault> sum_faults() {
  return {
      {.name = "gradient-shares-replace-each-other",
       .says = "Of several shares of an element the last one stays, instead of their sum.",
       .sum = [](Summing& summing) { summing.adds = false; }},
      {.name = "gradient-first-share-stays",
       .says = "Of several shares of an element the first one stays.",
       .sum =
           [](Summing& summing) {
             summing.adds = false;
             std::ranges::reverse(summing.shares);
           }},
      {.name = "gradient-summed-in-narrower-dtype",
       .says = "Shares are added up in the next narrower dtype.",
       .sum = [](Summing& summing) { summing.accumulator = narrower(summing.dtype); }},
      {.name = "gradient-summed-as-integers",
       .says = "Shares are added up as integers.",
       .sum =
           [](Summing& summing) {
             for (GradientShare& one : summing.shares) one.value = std::trunc(one.value);
           }},
      {.name = "gradient-last-share-lost",
       .says = "The last share is left out.",
       .sum =
           [](Summing& summing) {
             if (!summing.shares.empty()) summing.shares.pop_back();
           }},
      {.name = "gradient-last-share-twice",
       .says = "The last share is added twice.",
       .sum =
           [](Summing& summing) {
             if (!summing.shares.empty()) summing.shares.push_back(GradientShare(summing.shares.back()));
           }},
      {.name = "gradient-shares-beyond-block-lost",
       .says = "Shares behind the last whole block of 64 are left out, if there is one.",
       .sum =
           [](Summing& summing) {
             if (summing.shares.size() > 64) summing.shares.resize(summing.shares.size() / 64 * 64);
           }},
      {.name = "gradient-elements-in-8-bits",
       .says = "The position of an element that gets a share is kept in 8 bits.",
       .sum =
           [](Summing& summing) {
             for (GradientShare& one : summing.shares) one.element &= 0xff;
           }},
      {.name = "gradient-negative-dropped",
       .says = "A negative share is taken for 0.",
       .sum =
           [](Summing& summing) {
             for (GradientShare& one : summing.shares) one.value = std::max(one.value, 0.0);
           }},
      {.name = "gradient-unreached-not-written",
       .says = "An element that no cell depends on holds what its memory held before.",
       .sum = [](Summing& summing) { summing.unreached = -1; }},
      {.name = "gradient-unreached-nan",
       .says = "An element that no cell depends on gets NaN.",
       .sum = [](Summing& summing) { summing.unreached = std::nan(""); }},
  };
}

std::vector<GradientFault> gradient_answer_faults() {
  return {
      {.name = "gradient-first-missing",
       .says = "The engine says that the result does not depend on the first argument.",
       .answer =
           [](spec::Produced& answer) {
             if (!answer.gradients.empty()) answer.gradients.front() = spec::NotConnected{};
           }},
      {.name = "gradient-last-missing",
       .says = "The engine says that the result does not depend on the last argument.",
       .answer =
           [](spec::Produced& answer) {
             if (!answer.gradients.empty()) answer.gradients.back() = spec::NotConnected{};
           }},
      {.name = "gradient-of-other-argument",
       .says = "The gradients of the first two arguments of one form are exchanged.",
       .answer =
           [](spec::Produced& answer) {
             auto& all = answer.gradients;
             if (all.size() > 1 && have_one_form(all[0], all[1])) std::swap(all[0], all[1]);
           }},
      {.name = "gradient-flattened",
       .says = "A gradient comes back as a vector.",
       .answer =
           [](spec::Produced& answer) {
             reshape(answer, [](const Shape& shape) { return Shape{spec::numel(shape)}; });
           }},
      {.name = "gradient-extra-dimension",
       .says = "A gradient has one more dimension, of size 1.",
       .answer =
           [](spec::Produced& answer) {
             reshape(answer, [](const Shape& shape) {
               Shape longer = shape;
               if (shape.size() < spec::max_rank) longer.push_back(1);
               return longer;
             });
           }},
      {.name = "gradient-squeezed",
       .says = "Dimensions of size 1 are lost from a gradient.",
       .answer =
           [](spec::Produced& answer) {
             reshape(answer, [](const Shape& shape) {
               Shape shorter = shape;
               std::erase(shorter, 1);
               return shorter;
             });
           }},
      {.name = "gradient-transposed",
       .says = "A gradient that is a matrix comes back transposed, in the shape it should have.",
       .answer =
           [](spec::Produced& answer) {
             each_gradient(answer, [](Tensor& gradient) {
               if (gradient.rank() != 2) return;
               const Shape& shape = gradient.shape();
               const Tensor view = *Tensor::view(gradient.dtype(), {shape[1], shape[0]}, {1, shape[1]}, 0,
                                                 gradient.contiguous().shared_storage());
               gradient = of_values(gradient, shape, view.values());
             });
           }},
      {.name = "gradient-in-wider-dtype",
       .says = "The gradient of f16, bf16 or f32 comes back as f64.",
       .answer =
           [](spec::Produced& answer) {
             each_gradient(answer, [](Tensor& gradient) {
               gradient = Tensor(DType::f64, gradient.shape(), gradient.values());
             });
           }},
      {.name = "gradient-rounded",
       .says = "A gradient passes through the next narrower dtype.",
       .answer =
           [](spec::Produced& answer) {
             each_gradient(answer, [](Tensor& gradient) {
               std::vector<Scalar> values = gradient.values();
               for (Scalar& value : values) value = spec::convert(value, narrower(gradient.dtype()));
               gradient = of_values(gradient, gradient.shape(), values);
             });
           }},
      {.name = "gradient-result-end-zeroed",
       .says = "When a gradient is asked for, the last cell of the result is 0.",
       .answer =
           [](spec::Produced& answer) {
             change_values(answer.tensors.front(),
                           [](std::vector<Scalar>& values) { values.back() = Scalar::of_real(0); });
           }},
      {.name = "gradient-result-rounded",
       .says = "When a gradient is asked for, the result passes through the next narrower dtype.",
       .answer =
           [](spec::Produced& answer) {
             Tensor& result = answer.tensors.front();
             std::vector<Scalar> values = result.values();
             for (Scalar& value : values) value = spec::convert(value, narrower(result.dtype()));
             result = of_values(result, result.shape(), values);
           }},
      {.name = "gradient-result-last-bit-changed",
       .says = "When a gradient is asked for, cells are combined in another order: the last bit of each that "
               "is not 0 differs.",
       .answer =
           [](spec::Produced& answer) {
             Tensor& result = answer.tensors.front();
             std::vector<Scalar> values = result.values();
             const double step = std::ldexp(1.0, 1 - spec::float_format(result.dtype()).precision);
             for (Scalar& value : values)
               value = spec::convert(Scalar::of_real(value.real() * (1 + step)), result.dtype());
             result = of_values(result, result.shape(), values);
           }},
  };
}

std::vector<GradientFault> repeated_faults() {
  std::vector<GradientFault> repeated;
  for (const std::string_view name : {"index-from-one",
                                      "negative-clamped",
                                      "negative-off-by-one",
                                      "axis-from-wrong-end",
                                      "axis-always-first",
                                      "index-narrowed-to-8-bits",
                                      "tuple-reversed",
                                      "dropped-tail",
                                      "dropped-head",
                                      "one-too-many",
                                      "last-row-dropped",
                                      "row-end-dropped",
                                      "only-first-row",
                                      "from-one-off",
                                      "to-one-off",
                                      "index-strides-ignored",
                                      "updates-strides-ignored",
                                      "data-strides-ignored",
                                      "index-offset-ignored",
                                      "updates-offset-ignored",
                                      "data-offset-ignored",
                                      "negative-stride-positive",
                                      "last-stride-one",
                                      "index-column-major",
                                      "updates-column-major",
                                      "data-column-major",
                                      "rows-taken-for-dense",
                                      "first-stride-taken-for-dense",
                                      "zero-stride-as-dense",
                                      "axis-of-one-merged",
                                      "offset-aligned-down"}) {
    const Fault& fault = *find_fault(name);
    repeated.push_back({.name = "gradient-" + std::string(name),
                        .says = "For the gradients: " + std::string(fault.says),
                        .read = fault.read,
                        .move = fault.move});
  }
  return repeated;
}

const std::vector<GradientFault>& gradient_faults() {
  static const std::vector<GradientFault> all = [] {
    std::vector<GradientFault> made;
    for (const auto& part :
         {cotangent_faults(), repeated_faults(), weight_faults(), sum_faults(), gradient_answer_faults()})
      made.insert(made.end(), part.begin(), part.end());
    return made;
  }();
  return all;
}

const GradientFault* find_gradient_fault(std::string_view name) {
  for (const GradientFault& fault : gradient_faults())
    if (fault.name == name) return &fault;
  return nullptr;
}

}  // namespace scatterproof::engines::faulty
