// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/tensor.hpp"

#include <sys/mman.h>

#include <Eigen/Core>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "scatterproof/spec/core/elements.hpp"
#include "scatterproof/spec/core/nan.hpp"

namespace scatterproof::spec {

std::optional<std::int64_t> checked_numel(std::span<const std::int64_t> shape) {
  std::int64_t product = 1;
  bool empty = false;
  for (const std::int64_t size : shape) {
    if (size < 0) return std::nullopt;
    if (size == 0)
      empty = true;
    else if (__builtin_mul_overflow(product, size, &product))
      return std::nullopt;
  }
  return empty ? 0 : product;
}

std::int64_t numel(std::span<const std::int64_t> shape) {
  std::int64_t product = 1;
  for (const std::int64_t size : shape) product *= size;
  return product;
}

Shape contiguous_strides(std::span<const std::int64_t> shape) {
  Shape strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= std::max<std::int64_t>(shape[d], 1);
  }
  return strides;
}

bool next(Coords& at, std::span<const std::int64_t> shape) {
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (++at[d] < shape[d]) return true;
    at[d] = 0;
  }
  return false;
}

Coords coords_of(std::int64_t number, std::span<const std::int64_t> shape) {
  Coords at(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; number /= shape[d]) at[d] = number % shape[d];
  return at;
}

namespace {

/// Zeroed bytes. Tables of many megabytes are accessed at random, so they use pages of 2 MiB, which keep
/// their addresses within reach of the processor's translation caches. Linux grants such pages when asked
/// before the first touch.
std::shared_ptr<Tensor::Storage> make_storage(std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  auto storage = std::make_shared<Tensor::Storage>();
  storage->reserve(bytes);
  if (bytes >= 2 * huge_page) {
    const auto begin = reinterpret_cast<std::uintptr_t>(storage->data());
    const std::uintptr_t aligned = (begin + huge_page - 1) / huge_page * huge_page;
    madvise(reinterpret_cast<void*>(aligned), begin + bytes - aligned, MADV_HUGEPAGE);
  }
  storage->resize(bytes);
  return storage;
}

}  // namespace

// A default tensor has no elements to write, so all default tensors share one storage.
Tensor::Tensor()
    : Tensor([]() -> const Tensor& {
        static const Tensor empty(DType::f32, {0});
        return empty;
      }()) {}

Tensor::Tensor(DType dtype, Shape shape)
    : dtype_(dtype), storage_(make_storage(static_cast<std::size_t>(spec::numel(shape)) * size_of(dtype))) {
  assert(shape.size() <= max_rank && checked_numel(shape));
  Shape strides = contiguous_strides(shape);
  layout_ = std::make_shared<const Layout>(Layout{std::move(shape), std::move(strides)});
}

Tensor::Tensor(DType dtype, Shape shape, std::span<const Scalar> values) : Tensor(dtype, std::move(shape)) {
  assert(static_cast<std::int64_t>(values.size()) == numel());
  for (std::size_t i = 0; i < values.size(); ++i) set_at_position(static_cast<std::int64_t>(i), values[i]);
}

std::optional<Tensor> Tensor::view(DType dtype, Shape shape, Shape strides, std::int64_t offset,
                                   std::shared_ptr<Storage> storage) {
  const auto count = checked_numel(shape);
  if (!count || shape.size() > max_rank || strides.size() != shape.size() || !storage) return std::nullopt;
  if (*count > 0) {
    // The lowest and highest element reached: each axis moves one of them, by its sign.
    std::int64_t lowest = offset, highest = offset;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      std::int64_t reach = 0;
      std::int64_t& end = strides[d] < 0 ? lowest : highest;
      if (__builtin_mul_overflow(strides[d], shape[d] - 1, &reach) ||
          __builtin_add_overflow(end, reach, &end))
        return std::nullopt;
    }
    const auto elements = static_cast<std::int64_t>(storage->size() / size_of(dtype));
    if (lowest < 0 || highest >= elements) return std::nullopt;
  }
  auto layout = std::make_shared<const Layout>(Layout{std::move(shape), std::move(strides)});
  return Tensor(dtype, std::move(layout), offset, std::move(storage));
}

bool Tensor::is_contiguous() const {
  const auto& [sizes, strides] = *layout_;
  std::int64_t stride = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] == 0) return true;
    if (sizes[d] != 1 && strides[d] != stride) return false;
    stride *= sizes[d];
  }
  return true;
}

std::int64_t Tensor::position(std::span<const std::int64_t> at) const {
  assert(at.size() == rank());
  const Shape& strides = layout_->strides;
  std::int64_t position = offset_;
  for (std::size_t d = 0; d < at.size(); ++d) position += at[d] * strides[d];
  return position;
}

Scalar Tensor::get(std::span<const std::int64_t> at) const { return at_position(position(at)); }
void Tensor::set(std::span<const std::int64_t> at, const Scalar& value) {
  set_at_position(position(at), value);
}

namespace {

// Storage is bytes; memcpy is the only portable way to read a number out of it, and compiles to a plain load.
template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

double load_f32(const std::byte* from) { return widened(load<float>(from)); }
void store_f32(std::byte* to, double value) { store(to, narrowed(value)); }

double load_bf16(const std::byte* from) {
  return widened(std::bit_cast<float>(static_cast<std::uint32_t>(load<std::uint16_t>(from)) << 16));
}
void store_bf16(std::byte* to, double value) {  // exactly representable by now: the low half is zero
  store(to, static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(narrowed(value)) >> 16));
}
double load_f16(const std::byte* from) {
  const auto bits = load<std::uint16_t>(from);
  const float value = static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(bits));
  return value == value ? static_cast<double>(value) : nan_of_bits(bits, 10, 5);
}
void store_f16(std::byte* to, double value) {
  store(to, value == value ? Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(static_cast<float>(value)))
                           : static_cast<std::uint16_t>(bits_of_nan(value, 10, 5)));
}

}  // namespace

namespace {

/// Calls `visit` with the function that reads an element of this dtype at an address.
template <class Visit>
auto with_reader(DType dtype, Visit&& visit) {
  using From = const std::byte*;
  switch (dtype) {
    case DType::boolean:
      return visit([](From at) { return Scalar::of_bool(load<std::uint8_t>(at) != 0); });
    case DType::u8:
      return visit([](From at) { return Scalar::of_int(load<std::uint8_t>(at)); });
    case DType::i8:
      return visit([](From at) { return Scalar::of_int(load<std::int8_t>(at)); });
    case DType::i16:
      return visit([](From at) { return Scalar::of_int(load<std::int16_t>(at)); });
    case DType::i32:
      return visit([](From at) { return Scalar::of_int(load<std::int32_t>(at)); });
    case DType::i64:
      return visit([](From at) { return Scalar::of_int(load<std::int64_t>(at)); });
    case DType::f16:
      return visit([](From at) { return Scalar::of_real(load_f16(at)); });
    case DType::bf16:
      return visit([](From at) { return Scalar::of_real(load_bf16(at)); });
    case DType::f32:
      return visit([](From at) { return Scalar::of_real(load_f32(at)); });
    case DType::f64:
      return visit([](From at) { return Scalar::of_real(load<double>(at)); });
    case DType::c64:
      return visit([](From at) { return Scalar::of_complex(load_f32(at), load_f32(at + 4)); });
    case DType::c128:
      break;
  }
  return visit([](From at) { return Scalar::of_complex(load<double>(at), load<double>(at + 8)); });
}

}  // namespace

Scalar Tensor::at_position(std::int64_t position) const {
  const std::byte* const at = address_of(*this, position);
  return with_reader(dtype_, [at](const auto& reader) { return reader(at); });
}

void read(const Tensor& tensor, const ElementRun& run, Scalar* into) {
  const std::int64_t step = run.stride * static_cast<std::int64_t>(size_of(tensor.dtype()));
  const std::byte* at = address_of(tensor, run.position);
  with_reader(tensor.dtype(), [&](const auto& reader) {
    for (std::int64_t i = 0; i < run.count; ++i, at += step) into[i] = reader(at);
  });
}

void Tensor::set_at_position(std::int64_t position, const Scalar& value) {
  store_at_position(position, convert(value, dtype_));
}

void Tensor::store_at_position(std::int64_t position, const Scalar& v) {
  std::byte* at = storage_->data() + static_cast<std::size_t>(position) * size_of(dtype_);
  switch (dtype_) {
    case DType::boolean:
    case DType::u8:
    case DType::i8:
      return store(at, static_cast<std::uint8_t>(v.integer()));
    case DType::i16:
      return store(at, static_cast<std::int16_t>(v.integer()));
    case DType::i32:
      return store(at, static_cast<std::int32_t>(v.integer()));
    case DType::i64:
      return store(at, v.integer());
    case DType::f16:
      return store_f16(at, v.real());
    case DType::bf16:
      return store_bf16(at, v.real());
    case DType::f32:
      return store_f32(at, v.real());
    case DType::f64:
      return store(at, v.real());
    case DType::c64:
      store_f32(at, v.real());
      return store_f32(at + 4, v.imag());
    case DType::c128:
      store(at, v.real());
      return store(at + 8, v.imag());
  }
}

std::vector<Scalar> Tensor::values() const {
  std::vector<Scalar> all(static_cast<std::size_t>(numel()));
  Scalar* next = all.data();
  every_run(*this, [&](const ElementRun& run) {
    read(*this, run, next);
    next += run.count;
    return true;
  });
  return all;
}

namespace {

/// Of elements of `size` bytes. Precondition: there are some.
template <std::size_t size>
void copy_strided(const Tensor& from, Tensor& to) {
  const Shape &shape = from.shape(), &read = from.strides(), &write = to.strides();
  const std::byte* source = from.storage().data();
  std::byte* target = to.storage().data();
  std::int64_t reading = from.offset(), writing = to.offset();
  std::array<std::int64_t, max_rank> at{};
  for (;;) {
    std::memcpy(target + static_cast<std::size_t>(writing) * size,
                source + static_cast<std::size_t>(reading) * size, size);
    std::size_t d = shape.size();
    for (; d > 0; --d) {
      reading += read[d - 1], writing += write[d - 1];
      if (++at[d - 1] < shape[d - 1]) break;
      reading -= shape[d - 1] * read[d - 1], writing -= shape[d - 1] * write[d - 1];
      at[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

}  // namespace

void copy_elements(const Tensor& from, Tensor& to) {
  assert(from.dtype() == to.dtype() && from.shape() == to.shape());
  if (from.numel() == 0) return;
  with_element_size(from.dtype(), [&](auto size) { copy_strided<size()>(from, to); });
}

Tensor Tensor::contiguous() const {
  Tensor copy(dtype_, shape());
  if (!is_contiguous())
    copy_elements(*this, copy);
  else if (!copy.storage_->empty())
    std::memcpy(copy.storage_->data(), storage_->data() + static_cast<std::size_t>(offset_) * size_of(dtype_),
                copy.storage_->size());
  return copy;
}

// Tensors that are made by thousands share one layout.
Tensor Tensor::zeros_like(const Tensor& other) {
  const auto& [sizes, strides] = *other.layout_;
  std::int64_t stride = 1;
  for (std::size_t d = sizes.size(); d-- > 0; stride *= std::max<std::int64_t>(sizes[d], 1))
    if (strides[d] != stride) return {other.dtype_, sizes};
  const auto bytes = static_cast<std::size_t>(other.numel()) * size_of(other.dtype_);
  return {other.dtype_, other.layout_, 0, make_storage(bytes)};
}

bool is_compact(const Tensor& tensor) {
  return tensor.is_contiguous() && tensor.offset() == 0 &&
         tensor.storage().size() == static_cast<std::size_t>(tensor.numel()) * size_of(tensor.dtype());
}

Tensor Tensor::clone() const {
  return Tensor(dtype_, layout_, offset_, std::make_shared<Storage>(*storage_));
}

namespace {

/// Of tensors of one dtype and shape. False also where they have gaps, or another order of their axes.
bool have_equal_bytes(const Tensor& a, const Tensor& b) {
  if (!a.is_contiguous() || !b.is_contiguous()) return false;
  const std::size_t size = size_of(a.dtype());
  return std::memcmp(a.storage().data() + static_cast<std::size_t>(a.offset()) * size,
                     b.storage().data() + static_cast<std::size_t>(b.offset()) * size,
                     static_cast<std::size_t>(a.numel()) * size) == 0;
}

}  // namespace

bool identical(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.numel() == 0 || have_equal_bytes(a, b)) return true;
  Coords at(a.rank(), 0);
  do
    if (!identical(a.get(at), b.get(at))) return false;
  while (next(at, a.shape()));
  return true;
}

}  // namespace scatterproof::spec
