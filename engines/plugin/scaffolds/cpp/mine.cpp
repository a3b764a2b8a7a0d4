// Kernels of your own: scatter_elements with sum, gather_elements, and their gradients, for f32 and f64, any
// layout. They are complete; make them yours.
#include <scatterproof/kernel_abi.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace {

/// One entry a kernel. A call goes to `run` if an entry covers it.
constexpr char description[] = R"({
  "name": "mine", "version": "0.1", "device": "cpu",
  "kernels": [{"operation": "scatter_elements", "combine": ["sum"], "dtypes": ["f32", "f64"],
               "index_dtypes": ["i32", "i64"], "layout": "strided", "wrap_negative": true,
               "gradient": true, "checks": ["index"]},
              {"operation": "gather_elements", "dtypes": ["f32", "f64"],
               "index_dtypes": ["i32", "i64"], "layout": "strided", "wrap_negative": true,
               "gradient": true, "checks": ["index"]}]
})";

/// The refusal of an index value that is out of range.
struct OutOfRange : std::out_of_range {
  OutOfRange(std::int64_t index, std::int64_t size)
      : std::out_of_range("index " + std::to_string(index) + " is out of range for size " +
                          std::to_string(size)) {}
};

/// A call of either operation. Each is the other's gradient: what a gather read gets the cotangent added, and
/// what a scatter added reads its cotangent.
struct Call {
  const scatterproof_tensor& index;
  const scatterproof_tensor& stream;  ///< one element for each position: updates, or a gather's output
  const scatterproof_tensor& table;   ///< addressed through the index: a scatter's output, or data
  int axis;
  bool wrap_negative;
};

template <class T>
T* first_element(const scatterproof_tensor& tensor) {
  return reinterpret_cast<T*>(static_cast<char*>(tensor.data) + tensor.byte_offset);
}

/// The place on the axis that an index value names.
std::int64_t place(const Call& call, std::int64_t index) {
  const std::int64_t size = call.table.shape[call.axis];
  const std::int64_t i = call.wrap_negative && index < 0 ? index + size : index;
  if (i < 0 || i >= size) throw OutOfRange(index, size);
  return i;
}

/// Calls visit(element of the stream, element of the table) for each position of the index, row-major. The
/// offsets i, s and t are those of index, stream and table, in elements.
template <class T, class Index, class Visit>
void for_each_position(const Call& call, Visit visit, int d = 0, std::int64_t i = 0, std::int64_t s = 0,
                       std::int64_t t = 0) {
  if (d == call.index.ndim) {
    t += call.table.strides[call.axis] * place(call, first_element<const Index>(call.index)[i]);
    return visit(first_element<T>(call.stream)[s], first_element<T>(call.table)[t]);
  }
  for (std::int64_t p = 0; p < call.index.shape[d]; ++p)
    for_each_position<T, Index>(call, visit, d + 1, i + p * call.index.strides[d],
                                s + p * call.stream.strides[d],
                                d == call.axis ? t : t + p * call.table.strides[d]);
}

template <class T, class Index>
void execute(const Call& call, bool gather) {
  // Everything is checked before anything is written.
  for_each_position<T, Index>(call, [](const T&, const T&) {});
  if (gather)
    for_each_position<T, Index>(call, [](T& output, const T& data) { output = data; });
  else
    for_each_position<T, Index>(call, [](const T& update, T& output) { output += update; });
}

/// Gives the table of a gradient its first values: those of `from`, or zeros if that is null.
template <class T>
void fill(const scatterproof_tensor& table, const scatterproof_tensor* from, int d = 0, std::int64_t t = 0,
          std::int64_t f = 0) {
  if (d == table.ndim) {
    first_element<T>(table)[t] = from ? first_element<const T>(*from)[f] : T(0);
    return;
  }
  for (std::int64_t p = 0; p < table.shape[d]; ++p)
    fill<T>(table, from, d + 1, t + p * table.strides[d], from ? f + p * from->strides[d] : 0);
}

template <class T>
void execute(const Call& call, bool gather) {
  if (call.index.dtype.bits == 32)
    execute<T, std::int32_t>(call, gather);
  else
    execute<T, std::int64_t>(call, gather);
}

const char* describe(char*, std::size_t) { return description; }

template <class T>
void execute(const std::string& operation, const scatterproof_tensor* inputs, scatterproof_tensor* outputs,
             int axis, bool wrap_negative) {
  const auto call = [&](const scatterproof_tensor& index, const scatterproof_tensor& stream,
                        const scatterproof_tensor& table) {
    return Call{index, stream, table, axis, wrap_negative};
  };
  if (operation == "scatter_elements") return execute<T>(call(inputs[0], inputs[1], outputs[0]), false);
  if (operation == "gather_elements") return execute<T>(call(inputs[1], outputs[0], inputs[0]), true);
  if (operation == "scatter_elements_gradient") {
    fill<T>(outputs[0], &inputs[4]);
    return execute<T>(call(inputs[0], outputs[1], inputs[4]), true);
  }
  fill<T>(outputs[0], nullptr);  // gather_elements_gradient
  execute<T>(call(inputs[1], inputs[2], outputs[0]), false);
}

/// The caller asks only for what `description` covers: two operations with their gradients, and sum. No
/// exception may leave.
scatterproof_status run(const char* operation, const char* attributes, const scatterproof_tensor* inputs,
                        std::int32_t, scatterproof_tensor* outputs, std::int32_t, char* words,
                        std::size_t words_size) try {
  const int axis = static_cast<int>(scatterproof_integer(attributes, "axis"));
  const bool wrap_negative = scatterproof_attribute(attributes, "wrap_negative")[0] == 't';
  if (outputs[0].dtype.bits == 32)
    execute<float>(operation, inputs, outputs, axis, wrap_negative);
  else
    execute<double>(operation, inputs, outputs, axis, wrap_negative);
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
