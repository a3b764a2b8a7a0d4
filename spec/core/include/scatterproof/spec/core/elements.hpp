// SPDX-License-Identifier: Apache-2.0
// Loops over the elements of a tensor by their places in the storage. They look at the dtype and at the
// layout once for many elements: an element by its coordinates costs several times as much.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec {

/// Elements that are equally far apart in the storage: all numbers are of elements.
struct ElementRun {
  std::int64_t position = 0;  ///< of the first
  std::int64_t count = 0;
  std::int64_t stride = 1;
};

/// Calls `visit` with runs that are, one after another, the elements of a view in row-major order, until it
/// returns false; then returns false. A contiguous tensor is one run, and so is every second element of one.
template <class Visit>
bool every_run(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides,
               std::int64_t position, Visit&& visit) {
  if (numel(sizes) == 0) return true;
  ElementRun run{.position = position, .count = 1, .stride = 1};
  std::size_t outer = sizes.size();  // the axes behind these lie behind one another: they are one axis
  for (; outer > 0; --outer) {
    const std::int64_t size = sizes[outer - 1], stride = strides[outer - 1];
    if (size == 1) continue;
    if (run.count == 1)
      run.stride = stride;
    else if (stride != run.stride * run.count)
      break;
    run.count *= size;
  }
  std::array<std::int64_t, max_rank> at{};
  for (;;) {
    if (!visit(run)) return false;
    std::size_t d = outer;
    for (; d > 0; --d) {
      run.position += strides[d - 1];
      if (++at[d - 1] < sizes[d - 1]) break;
      run.position -= sizes[d - 1] * strides[d - 1];
      at[d - 1] = 0;
    }
    if (d == 0) return true;
  }
}

template <class Visit>
bool every_run(const Tensor& tensor, Visit&& visit) {
  return every_run(tensor.shape(), tensor.strides(), tensor.offset(), visit);
}

/// Where the storage has an element.
inline const std::byte* address_of(const Tensor& tensor, std::int64_t position) {
  return tensor.storage().data() + position * static_cast<std::int64_t>(size_of(tensor.dtype()));
}

/// Calls `visit` with a zero of the C++ type that the elements of a tensor of integers have.
template <class Visit>
auto with_integer_type(DType dtype, Visit&& visit) {
  switch (dtype) {
    case DType::u8:
      return visit(std::uint8_t{});
    case DType::i8:
      return visit(std::int8_t{});
    case DType::i16:
      return visit(std::int16_t{});
    case DType::i32:
      return visit(std::int32_t{});
    default:
      return visit(std::int64_t{});
  }
}

/// An element of a tensor of integers. Precondition: it is one; the position lies in its storage.
inline std::int64_t load_integer(const Tensor& tensor, std::int64_t position) {
  const std::byte* const at = address_of(tensor, position);
  return with_integer_type(tensor.dtype(), [at](auto value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<std::int64_t>(value);
  });
}

/// Calls `visit` with the size of an element as a constant, with which a copy is a load and a store.
template <class Visit>
void with_element_size(DType dtype, Visit&& visit) {
  switch (size_of(dtype)) {
    case 1:
      return visit(std::integral_constant<std::size_t, 1>());
    case 2:
      return visit(std::integral_constant<std::size_t, 2>());
    case 4:
      return visit(std::integral_constant<std::size_t, 4>());
    case 8:
      return visit(std::integral_constant<std::size_t, 8>());
    default:
      return visit(std::integral_constant<std::size_t, 16>());
  }
}

/// Copies one element, bit for bit. Preconditions: one dtype; positions in the storages.
inline void copy_element(const Tensor& from, std::int64_t position, Tensor& to, std::int64_t place) {
  with_element_size(from.dtype(), [&](auto size) {
    std::memcpy(to.storage().data() + static_cast<std::size_t>(place) * size,
                from.storage().data() + static_cast<std::size_t>(position) * size, size);
  });
}

/// Stores what `next()` returns, an integer, for each element in turn, converted to the dtype. Precondition:
/// as for `assign`.
template <class Next>
void assign_integers(Tensor& tensor, Next next) {
  if (is_integer(tensor.dtype()))
    return with_integer_type(tensor.dtype(), [&](auto zero) { assign<decltype(zero)>(tensor, next); });
  const std::int64_t count = tensor.numel();
  for (std::int64_t i = 0; i < count; ++i) tensor.set_at_position(i, Scalar::of_int(next()));
}

/// The elements of a run, in turn. Precondition: there is room for `run.count`.
void read(const Tensor& tensor, const ElementRun& run, Scalar* into);

}  // namespace scatterproof::spec
