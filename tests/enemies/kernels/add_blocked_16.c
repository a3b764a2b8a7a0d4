/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of 16 additions and a loop for the tail.
 *
 * apis: torch.Tensor.scatter_add_
 * wrong 1: of a block of 16 only 8 are added; shown by: 16 or more elements
 * wrong 2: the tail ends at the last multiple of 8; shown by: more than 16 elements, and not a multiple of 8
 * wrong 3: a block loads its 16 cells before it stores them; shown by: a duplicate within the first 16
 *   elements or a later block
 */
#include "kernel.h"

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], stride = output->strides[axis], n = count(index);
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE) return status;

  const int64_t* lookup = index->data;
  const float* updates = inputs[1].data;
  float* to = output->data;
  int64_t k = 0;
  for (; k + 16 <= n; k += 16) {
    int64_t at[16];
    for (int lane = 0; lane < 16; ++lane)
      at[lane] = base(index, output, axis, k + lane) + stride * wrap(lookup[k + lane], size);
#if WRONG == 3
    float sum[16];
    for (int lane = 0; lane < 16; ++lane) sum[lane] = to[at[lane]] + updates[k + lane];
    for (int lane = 0; lane < 16; ++lane) to[at[lane]] = sum[lane];
#else
    for (int lane = 0; lane < (WRONG == 1 ? 8 : 16); ++lane) to[at[lane]] += updates[k + lane];
#endif
  }
  const int64_t end = WRONG == 2 && n > 16 ? n & ~(int64_t)7 : n;
  for (; k < end; ++k) to[base(index, output, axis, k) + stride * wrap(lookup[k], size)] += updates[k];
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"add_blocked_16\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\", \"combine\": [\"sum\"], \"dtypes\": [\"f32\"], \"index_dtypes\": "
    "[\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
