// SPDX-License-Identifier: Apache-2.0
// A strided view of shared storage: the only way tensors exist in this program, layouts included.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/spec/core/dtype.hpp"
#include "scatterproof/spec/core/scalar.hpp"

namespace scatterproof::spec {

using Shape = std::vector<std::int64_t>;   ///< sizes, each >= 0, rank 0..8
using Coords = std::vector<std::int64_t>;  ///< one position of a shape, or of an iteration space

inline constexpr std::size_t max_rank = 8;
/// More elements than this are refused by loaders and by the worker client (hostile sizes).
inline constexpr std::int64_t max_numel = std::int64_t{1} << 28;

/// Product of the sizes; empty when it is negative-sized or does not fit in 63 bits.
std::optional<std::int64_t> checked_numel(std::span<const std::int64_t> shape);
/// Same, for a shape known to be sound.
std::int64_t numel(std::span<const std::int64_t> shape);
/// Strides of the row-major layout, in elements.
Shape contiguous_strides(std::span<const std::int64_t> shape);
/// Moves `at` to the next position of `shape` in row-major order; false after the last one.
/// Start from all zeros, and only when numel(shape) > 0.
bool next(Coords& at, std::span<const std::int64_t> shape);
/// Of the element with this number, row-major. Precondition: there is one.
Coords coords_of(std::int64_t number, std::span<const std::int64_t> shape);
std::string to_string(const Shape& tuple);  ///< `[3, 5]`, `[]`

/// dtype, shape, strides and offset (both in elements; strides may be 0 or negative) over storage that is
/// shared between copies. Copying a Tensor copies the view, not the data. Every element lies inside the
/// storage.
class Tensor {
 public:
  using Storage = std::vector<std::byte>;

  Tensor();  ///< f32[0]
  /// Contiguous, zero filled. Precondition: a sound shape of rank <= max_rank.
  Tensor(DType dtype, Shape shape);
  /// Contiguous, from values in row-major order, converted to `dtype`. Precondition: values.size() ==
  /// numel(shape).
  Tensor(DType dtype, Shape shape, std::span<const Scalar> values);
  /// Contiguous, zero filled, of the same dtype and shape.
  static Tensor zeros_like(const Tensor& other);
  /// A view; empty when any element would lie outside `storage`, ranks differ, or sizes are unsound.
  static std::optional<Tensor> view(DType dtype, Shape shape, Shape strides, std::int64_t offset,
                                    std::shared_ptr<Storage> storage);

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return layout_->shape; }
  const Shape& strides() const { return layout_->strides; }
  std::int64_t offset() const { return offset_; }
  std::size_t rank() const { return layout_->shape.size(); }
  std::int64_t numel() const { return spec::numel(layout_->shape); }
  bool is_contiguous() const;

  const Storage& storage() const { return *storage_; }
  Storage& storage() { return *storage_; }  ///< writes are seen by every copy of this view
  const std::shared_ptr<Storage>& shared_storage() const { return storage_; }

  /// The element's place in the storage, in elements. Precondition: `at` lies inside the shape.
  std::int64_t position(std::span<const std::int64_t> at) const;
  Scalar get(std::span<const std::int64_t> at) const;
  void set(std::span<const std::int64_t> at, const Scalar& value);   ///< converts to dtype()
  Scalar at_position(std::int64_t position) const;                   ///< by storage element
  void set_at_position(std::int64_t position, const Scalar& value);  ///< converts to dtype()
  /// The same without the conversion. Precondition: `value` is what `convert` to dtype() gives.
  void store_at_position(std::int64_t position, const Scalar& value);

  std::vector<Scalar> values() const;  ///< all elements in row-major order of the shape
  Tensor contiguous() const;           ///< a compact copy with storage of its own
  Tensor clone() const;                ///< same layout, storage of its own

 private:
  /// Never changed, so copies and clones share it: a small call is copied several times while it is judged.
  struct Layout {
    Shape shape;
    Shape strides;
  };
  Tensor(DType dtype, std::shared_ptr<const Layout> layout, std::int64_t offset,
         std::shared_ptr<Storage> storage)
      : dtype_(dtype), layout_(std::move(layout)), offset_(offset), storage_(std::move(storage)) {}

  DType dtype_;
  std::shared_ptr<const Layout> layout_;
  std::int64_t offset_ = 0;
  std::shared_ptr<Storage> storage_;
};

/// Stores what `next()` returns for each element in turn. T: the C++ type of the dtype, including
/// std::complex of two floats. Precondition: the tensor is contiguous, from the start of its storage.
template <class T, class Next>
void assign(Tensor& tensor, Next next) {
  std::byte* at = tensor.storage().data();
  for (std::int64_t left = tensor.numel(); left > 0; --left, at += sizeof(T)) {
    const T value = static_cast<T>(next());
    std::memcpy(at, &value, sizeof value);
  }
}

/// Contiguous, in a storage that has no other elements.
bool is_compact(const Tensor& tensor);

/// Copies each element to its place in a tensor of the same dtype and shape, bit for bit.
void copy_elements(const Tensor& from, Tensor& to);

/// Same dtype, shape and identical() elements, whatever the layouts.
bool identical(const Tensor& a, const Tensor& b);

/// Nested lists as numpy prints them, on one line, cut off after `max_elements` with `...`.
std::string to_string(const Tensor& tensor, std::int64_t max_elements = 64);

/// Layouts that hold the same values: what a case's `layout:` can name.
enum class Layout : std::uint8_t {
  contiguous,
  transposed,  ///< axes stored in reverse order (column-major)
  sliced,      ///< every second element of a larger storage, starting at offset 3
  reversed,    ///< negative strides on every axis
  expanded,  ///< stride 0 on each axis along which all values are equal, or there is one; else as contiguous
  padded     ///< an unused element before the first row and after each; rows along the last axis are dense
};
std::optional<Layout> parse_layout(std::string_view name);
std::string_view name(Layout layout);
inline constexpr std::array all_layouts = {Layout::contiguous, Layout::transposed, Layout::sliced,
                                           Layout::reversed,   Layout::expanded,   Layout::padded};
/// A tensor of identical values in the given layout, with storage of its own.
Tensor with_layout(const Tensor& tensor, Layout layout);
/// The same with these strides, in a storage with `around` unused elements before and after them. Elements
/// that lie in one place must be equal. Precondition: a stride for each dimension.
Tensor with_strides(const Tensor& tensor, const Shape& strides, std::int64_t around);
/// The layout whose strides and offset a tensor has; empty when no word names them.
std::optional<Layout> layout_of(const Tensor& tensor);
/// Whether that is Layout::contiguous: row-major from the start of the storage; strides of sizes 0 and 1 too.
bool has_contiguous_layout(const Tensor& tensor);

}  // namespace scatterproof::spec
