/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of 1, 2 or 4 bytes, moved as numbers of the same size.
 *
 * apis: numpy.put_along_axis
 * wrong 1: a bool is written as true; shown by: false among the values
 * wrong 2: an f16 is written as the sum of it and 0; shown by: -0.0
 * wrong 3: every element of the first 128 is moved as a byte if its dtype is an integer; shown by: an i16
 *   or i32 above 255
 */
#include "kernel.h"

enum { BOOL = 6, FLOAT = 2 };

static void write(void* output, int64_t at, const void* updates, int64_t k, int code, int bits) {
  if (WRONG == 3 && k < 128 && code < FLOAT && bits > 8) {
    const int64_t whole = bits == 16 ? ((const int16_t*)updates)[k] : ((const int32_t*)updates)[k];
    if (bits == 16)
      ((int16_t*)output)[at] = (int16_t)(uint8_t)whole;
    else
      ((int32_t*)output)[at] = (uint8_t)whole;
  } else if (bits == 8) {
    ((uint8_t*)output)[at] = WRONG == 1 && code == BOOL ? 1 : ((const uint8_t*)updates)[k];
  } else if (bits == 16) {
    const uint16_t value = ((const uint16_t*)updates)[k];
    ((uint16_t*)output)[at] = WRONG == 2 && code == FLOAT && value == 0x8000u ? 0 : value;
  } else {
    ((uint32_t*)output)[at] = ((const uint32_t*)updates)[k];
  }
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], n = count(index);
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE) return status;

  const int64_t* lookup = index->data;
  for (int64_t k = 0; k < n; ++k)
    write(output->data, base(index, output, axis, k) + output->strides[axis] * wrap(lookup[k], size),
          inputs[1].data, k, output->dtype.code, output->dtype.bits);
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"put_any_width\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\","
    "  \"dtypes\": [\"bool\", \"u8\", \"i8\", \"i16\", \"f16\", \"i32\", \"f32\"], \"index_dtypes\": "
    "[\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
