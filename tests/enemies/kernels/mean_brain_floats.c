/* SPDX-License-Identifier: Apache-2.0 */
/* Means of bf16 with sums and counts in f32, rounded to the nearest even at the end.
 *
 * apis: torch.Tensor.scatter_reduce_
 * wrong 1: numbers pass through an f16; shown by: a number above 65,504
 * wrong 2: the start value is summed and not counted; shown by: a start value that takes part
 * wrong 3: infinity is rounded to the greatest finite number; shown by: infinity
 */
#include <math.h>

#include "kernel.h"

static float widen(uint16_t x) {
  const uint32_t bits = (uint32_t)x << 16;
  float result;
  memcpy(&result, &bits, sizeof result);
  return WRONG == 1 && fabsf(result) > 65504 ? copysignf(INFINITY, result) : result;
}

static uint16_t narrow(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (x != x) return 0x7fc0;
  if (WRONG == 3 && x - x != 0) return (uint16_t)(x > 0 ? 0x7f7f : 0xff7f);
  return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], n = count(index), cells = count(output);
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE || n == 0) return status;

  const uint16_t* updates = inputs[1].data;
  const int with_start = includes_start(attributes), counted_start = WRONG != 2 && with_start;
  uint16_t* to = output->data;
  float* sums = calloc((size_t)cells, sizeof *sums);
  float* counts = calloc((size_t)cells, sizeof *counts);
  if (sums == NULL || counts == NULL) {
    free(sums);
    free(counts);
    return SCATTERPROOF_FAILED;
  }
  for (int64_t k = 0; k < n; ++k) {
    const int64_t at =
        base(index, output, axis, k) + output->strides[axis] * wrap(((const int64_t*)index->data)[k], size);
    if (counts[at] == 0) sums[at] = with_start ? widen(to[at]) : -0.0F;
    sums[at] += widen(updates[k]);
    ++counts[at];
  }
  for (int64_t at = 0; at < cells; ++at)
    if (counts[at] > 0) to[at] = narrow(sums[at] / (counts[at] + (float)counted_start));
  free(sums);
  free(counts);
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"mean_brain_floats\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\", \"combine\": [\"mean\"], \"include_start\": [true, false],"
    "  \"dtypes\": [\"bf16\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
