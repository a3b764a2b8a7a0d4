// SPDX-License-Identifier: Apache-2.0
#include "literals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "scatterproof/spec/core/literal.hpp"
#include "scatterproof/spec/core/nan.hpp"

namespace scatterproof::runner::snippet {
namespace {

using spec::DType;
using spec::Scalar;
using spec::Tensor;

/// A NaN other than Python's own is made of its bits.
std::string number(const Scalar& value, DType dtype) {
  const std::string text = literal(value, dtype);
  if (!text.ends_with(')')) return text;
  return fmt::format("{}({:#x})", nan_function, std::bit_cast<std::uint64_t>(*spec::read_nan(text)));
}

std::string nested(const Tensor& tensor, spec::Coords& at, std::size_t d) {
  if (d == tensor.rank()) return python(tensor.get(at), tensor.dtype());
  std::string text = "[";
  for (at[d] = 0; at[d] < tensor.shape()[d]; ++at[d])
    text += (at[d] > 0 ? ", " : "") + nested(tensor, at, d + 1);
  return text + "]";
}

}  // namespace

std::string python(const Scalar& value, DType dtype) {
  if (value.kind() == Scalar::Kind::boolean) return value.integer() != 0 ? "True" : "False";
  if (value.kind() != Scalar::Kind::complex) return number(value, dtype);
  // `a+bj` is a sum, which loses the sign of a zero and more.
  const DType part = dtype == DType::c64 ? DType::f32 : DType::f64;
  const Scalar real = Scalar::of_real(value.real()), imaginary = Scalar::of_real(value.imag());
  return fmt::format("complex({}, {})", number(real, part), number(imaginary, part));
}

std::string python(const Scalar& value) { return python(value, DType::f64); }

std::string python(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      text += std::string("\\") + c;
    else if (byte < 0x20 || byte == 0x7f)
      text += fmt::format("\\x{:02x}", byte);
    else
      text += c;
  }
  return text + '"';
}

std::string python_tuple(const spec::Shape& numbers) {
  return fmt::format("({}{})", fmt::join(numbers, ", "), numbers.size() == 1 ? "," : "");
}

std::string nested_lists(const Tensor& tensor) {
  spec::Coords at(tensor.rank(), 0);
  return nested(tensor, at, 0);
}

std::string flat_storage(std::span<const Tensor> views) {
  const DType dtype = views.front().dtype();
  const std::size_t size = views.front().storage().size() / size_of(dtype);
  std::vector<std::string> elements(size, python(convert(Scalar::of_int(0), dtype), dtype));
  for (const Tensor& tensor : views) {
    spec::Coords at(tensor.rank(), 0);
    do elements[static_cast<std::size_t>(tensor.position(at))] = python(tensor.get(at), dtype);
    while (spec::next(at, tensor.shape()));
  }
  return fmt::format("[{}]", fmt::join(elements, ", "));
}

}  // namespace scatterproof::runner::snippet
