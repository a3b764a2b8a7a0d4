// A kernel of your own: scatter_elements with sum, for f32 and f64, any layout. It is complete; make it
// yours.
#include <scatterproof/kernel_abi.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace {

constexpr char description[] = R"({
  "name": "mine", "version": "0.1", "device": "cpu",
  "kernels": [{"operation": "scatter_elements", "combine": ["sum"], "dtypes": ["f32", "f64"],
               "index_dtypes": ["i32", "i64"], "layout": "strided", "wrap_negative": true,
               "checks": ["index"]}]
})";

/// What the caller is told when the index names no place.
struct OutOfRange : std::out_of_range {
  OutOfRange(std::int64_t index, std::int64_t size)
      : std::out_of_range("index " + std::to_string(index) + " is out of range for size " +
                          std::to_string(size)) {}
};

template <class T>
T* first_element(const scatterproof_tensor& tensor) {
  return reinterpret_cast<T*>(static_cast<char*>(tensor.data) + tensor.byte_offset);
}

/// Calls visit(i, u, o) for each position of the index, row-major: where it lies in index, updates and output
/// (there with 0 on the axis), in elements from the first.
template <class Visit>
void for_each_position(const scatterproof_tensor& index, const scatterproof_tensor& updates,
                       const scatterproof_tensor& output, int axis, Visit visit, int d = 0,
                       std::int64_t i = 0, std::int64_t u = 0, std::int64_t o = 0) {
  if (d == index.ndim) return visit(i, u, o);
  for (std::int64_t p = 0; p < index.shape[d]; ++p)
    for_each_position(index, updates, output, axis, visit, d + 1, i + p * index.strides[d],
                      u + p * updates.strides[d], d == axis ? o : o + p * output.strides[d]);
}

/// The place on an axis of this size that an index names.
std::int64_t place(std::int64_t index, std::int64_t size, bool wrap_negative) {
  const std::int64_t i = wrap_negative && index < 0 ? index + size : index;
  if (i < 0 || i >= size) throw OutOfRange(index, size);
  return i;
}

template <class T, class Index>
void scatter_sum(const scatterproof_tensor& index, const scatterproof_tensor& updates,
                 scatterproof_tensor& output, int axis, bool wrap_negative) {
  const auto* places = first_element<const Index>(index);
  const auto* values = first_element<const T>(updates);
  auto* cells = first_element<T>(output);
  const std::int64_t size = output.shape[axis];
  const std::int64_t stride = output.strides[axis];
  // Everything is checked before anything is written.
  for_each_position(index, updates, output, axis, [&](std::int64_t i, std::int64_t, std::int64_t) {
    place(places[i], size, wrap_negative);
  });
  for_each_position(index, updates, output, axis, [&](std::int64_t i, std::int64_t u, std::int64_t o) {
    cells[o + stride * place(places[i], size, wrap_negative)] += values[u];
  });
}

template <class T>
void scatter_sum(const scatterproof_tensor& index, const scatterproof_tensor& updates,
                 scatterproof_tensor& output, int axis, bool wrap_negative) {
  if (index.dtype.bits == 32)
    scatter_sum<T, std::int32_t>(index, updates, output, axis, wrap_negative);
  else
    scatter_sum<T, std::int64_t>(index, updates, output, axis, wrap_negative);
}

const char* describe(char*, std::size_t) { return description; }

/// The caller asks only for what `description` covers, so there is one operation and one way to combine. No
/// exception may leave.
scatterproof_status run(const char*, const char* attributes, const scatterproof_tensor* inputs, std::int32_t,
                        scatterproof_tensor* outputs, std::int32_t, char* words, std::size_t words_size) try {
  const int axis = static_cast<int>(scatterproof_integer(attributes, "axis"));
  const bool wrap_negative = scatterproof_attribute(attributes, "wrap_negative")[0] == 't';
  if (outputs[0].dtype.bits == 32)
    scatter_sum<float>(inputs[0], inputs[1], outputs[0], axis, wrap_negative);
  else
    scatter_sum<double>(inputs[0], inputs[1], outputs[0], axis, wrap_negative);
  return SCATTERPROOF_DONE;
} catch (const OutOfRange& refusal) {
  std::snprintf(words, words_size, "%s", refusal.what());
  return SCATTERPROOF_REFUSED_INDEX;
} catch (const std::exception& failure) {
  std::snprintf(words, words_size, "%s", failure.what());
  return SCATTERPROOF_FAILED;
}

}  // namespace

extern "C" const scatterproof_kernels* scatterproof_kernels_v1() {
  static const scatterproof_kernels kernels = {
      SCATTERPROOF_KERNEL_ABI_VERSION, sizeof(scatterproof_kernels), describe, run, nullptr, nullptr,
  };
  return &kernels;
}
