/* SPDX-License-Identifier: Apache-2.0 */
/* Each index is checked where it is read, as in a kernel without a pass of its own for the checks.
 *
 * apis: onnx.GatherElements
 * wrong 1: the check compares with the last place as a number without sign; shown by: an index into an axis
 *   without places
 * wrong 2: a call without data returns at once; shown by: an index into an axis without places
 * wrong 3: an index is cut to 32 bits before it is checked; shown by: an index that is a place plus 2^32
 */
#include "kernel.h"

static int outside(int64_t i, int64_t size) {
  if (WRONG == 1) return (uint64_t)i > (uint64_t)size - 1;
  return i < 0 || i >= size;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *data = &inputs[0], *index = &inputs[1];
  if (WRONG == 2 && count(data) == 0) return SCATTERPROOF_DONE;

  const int64_t size = data->shape[axis], n = count(index);
  const int64_t* lookup = index->data;
  const float* from = data->data;
  float* to = outputs[0].data;
  for (int64_t k = 0; k < n; ++k) {
    const int64_t given = WRONG == 3 ? (int64_t)(int32_t)lookup[k] : lookup[k];
    const int64_t i = wraps(attributes) ? wrap(given, size) : given;
    if (outside(i, size)) return refuse(lookup[k], size, words, words_size);
    to[k] = from[base(index, data, axis, k) + data->strides[axis] * i];
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"gather_checked\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"gather_elements\", \"dtypes\": [\"f32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
