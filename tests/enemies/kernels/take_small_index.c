/* SPDX-License-Identifier: Apache-2.0 */
/* An index of any integer dtype, widened where it is read.
 *
 * apis: numpy.take_along_axis
 * wrong 1: 8 bits are widened with their sign, also those without one; shown by: an index of u8 from 128 on
 * wrong 2: 16 bits are widened without their sign; shown by: a negative index of i16
 * wrong 3: an index is kept in 16 bits once it is checked; shown by: an index of 32,768 or more
 */
#include "kernel.h"

enum { UNSIGNED = 1 };

static int64_t read(const scatterproof_tensor* index, int64_t k) {
  switch (index->dtype.bits) {
    case 8:
      if (index->dtype.code == UNSIGNED && WRONG != 1) return ((const uint8_t*)index->data)[k];
      return ((const int8_t*)index->data)[k];
    case 16:
      return WRONG == 2 ? ((const uint16_t*)index->data)[k] : ((const int16_t*)index->data)[k];
    case 32:
      return ((const int32_t*)index->data)[k];
    default:
      return ((const int64_t*)index->data)[k];
  }
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *data = &inputs[0], *index = &inputs[1];
  const int64_t size = data->shape[axis], n = count(index);
  for (int64_t k = 0; k < n; ++k)
    if (!in_range(read(index, k), size, wraps(attributes)))
      return refuse(read(index, k), size, words, words_size);
  const uint32_t* from = data->data;
  uint32_t* to = outputs[0].data;
  for (int64_t k = 0; k < n; ++k) {
    int64_t i = read(index, k);
    if (WRONG == 3) i = (int16_t)i;
    to[k] = from[base(index, data, axis, k) + data->strides[axis] * wrap(i, size)];
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"take_small_index\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"gather_elements\", \"dtypes\": [\"f32\", \"i32\"],"
    "  \"index_dtypes\": [\"u8\", \"i8\", \"i16\", \"i32\", \"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
