/* SPDX-License-Identifier: Apache-2.0 */
/* Rows by strides, with offsets in 32 bits where they fit; contiguous rows are copied.
 *
 * apis: onnx.Gather
 * wrong 1: long rows are copied whatever their strides; shown by: rows of 32 or more elements that are not
 *   contiguous
 * wrong 2: offsets have 16 bits where the rows can be counted in 16; shown by: data of more than 65,535
 *   elements
 * wrong 3: the index is kept in 32 bits before it is checked; shown by: an index off by a multiple of 2^32
 */
#include "kernel.h"

#if WRONG == 3
typedef int32_t kept;
#else
typedef int64_t kept;
#endif

static int inner_contiguous(const scatterproof_tensor* tensor, int axis) {
  int64_t stride = 1;
  for (int d = tensor->ndim - 1; d > axis; stride *= tensor->shape[d--])
    if (tensor->strides[d] != stride && tensor->shape[d] != 1) return 0;
  return 1;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *data = &inputs[0], *index = &inputs[1];
  const int64_t size = data->shape[axis], rows = count(index);
  const int64_t outer = product(data->shape, 0, axis), inner = product(data->shape, axis + 1, data->ndim);
  const int64_t* lookup = (const int64_t*)((const char*)index->data + index->byte_offset);
  for (int64_t k = 0; k < rows; ++k) {
    const kept i = (kept)lookup[place(index, 0, index->ndim, k)];
    if (!in_range(i, size, wraps(attributes))) return refuse(i, size, words, words_size);
  }

  const uint32_t* from = (const uint32_t*)((const char*)data->data + data->byte_offset);
  uint32_t* to = outputs[0].data;
  const int copies = inner_contiguous(data, axis) || (WRONG == 1 && inner >= 32);
  for (int64_t k = 0; k < outer * rows; ++k) {
    const kept i = (kept)lookup[place(index, 0, index->ndim, k % rows)];
    int64_t row = place(data, 0, axis, k / rows) + data->strides[axis] * wrap(i, size);
    if (WRONG == 2 && row > 0 && size <= 65535) row = (uint16_t)row;
    if (copies)
      memcpy(to + k * inner, from + row, (size_t)inner * sizeof(uint32_t));
    else
      for (int64_t b = 0; b < inner; ++b)
        to[k * inner + b] = from[row + place(data, axis + 1, data->ndim, b)];
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"take_rows\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"gather_rows\", \"dtypes\": [\"f32\", \"i32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"strided\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
