/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of 8 elements, which the compiler makes vectors of, and a loop for the tail.
 *
 * apis: torch.gather onnx.GatherElements
 * wrong 1: the tail is lost; shown by: 16 or more elements, and not a multiple of 8
 * wrong 2: the tail begins one element late; shown by: more than 8 elements, and not a multiple of 8
 * wrong 3: the tail does not wrap negative indices; shown by: a negative index in the tail of more than 8
 *   elements
 */
#include "kernel.h"

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *data = &inputs[0], *index = &inputs[1];
  const int64_t size = data->shape[axis], stride = data->strides[axis], n = count(index);
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE) return status;

  const float* from = data->data;
  const int64_t* lookup = index->data;
  float* to = outputs[0].data;
  int64_t k = 0;
  for (; k + 8 <= n; k += 8)
    for (int lane = 0; lane < 8; ++lane)
      to[k + lane] = from[base(index, data, axis, k + lane) + stride * wrap(lookup[k + lane], size)];
#if WRONG == 1
  if (n >= 16) return SCATTERPROOF_DONE;
#elif WRONG == 2
  if (k > 0) ++k;
#endif
  for (; k < n; ++k) {
#if WRONG == 3
    const int64_t i = n > 8 && lookup[k] < 0 ? 0 : wrap(lookup[k], size);
#else
    const int64_t i = wrap(lookup[k], size);
#endif
    to[k] = from[base(index, data, axis, k) + stride * i];
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"gather_blocked_8\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"gather_elements\", \"dtypes\": [\"f32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
