/* SPDX-License-Identifier: Apache-2.0 */
/* The greatest or least float by compare and swap, as on devices; without the start values, cells that
 * receive something begin with the identity.
 *
 * apis: torch.Tensor.scatter_reduce_
 * wrong 1: the greatest begins with FLT_MIN, which is above zero; shown by: a cell without start value that
 *   only receives negative numbers
 * wrong 2: a NaN never wins a comparison; shown by: a cell without start value that only receives NaN
 * wrong 3: the identity is written into all cells; shown by: a cell that receives nothing
 */
#include <float.h>
#include <math.h>

#include "kernel.h"

static int wins(float challenger, float holder, int greatest) {
  if (WRONG != 2 && (challenger != challenger || holder != holder)) return challenger != challenger;
  return greatest ? challenger > holder : challenger < holder;
}

static void swap_if_it_wins(float* cell, float value, int greatest) {
  uint32_t seen, wanted;
  memcpy(&seen, cell, sizeof seen);
  memcpy(&wanted, &value, sizeof wanted);
  for (;;) {
    float holder;
    memcpy(&holder, &seen, sizeof holder);
    if (!wins(value, holder, greatest)) return;
    if (__atomic_compare_exchange_n((uint32_t*)cell, &seen, wanted, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
  }
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis"), greatest = combines_by(attributes, "amax");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], stride = output->strides[axis], n = count(index);
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE || n == 0) return status;

  const int64_t* lookup = index->data;
  const float* updates = inputs[1].data;
  float* to = output->data;
  const float identity = greatest ? (WRONG == 1 ? FLT_MIN : -INFINITY) : INFINITY;
  if (!includes_start(attributes)) {
    for (int64_t k = 0; k < n; ++k)
      to[base(index, output, axis, k) + stride * wrap(lookup[k], size)] = identity;
    for (int64_t c = 0; WRONG == 3 && c < count(output); ++c) to[c] = identity;
  }
#pragma omp parallel for num_threads((int)scatterproof_integer(attributes, "threads"))
  for (int64_t k = 0; k < n; ++k)
    swap_if_it_wins(&to[base(index, output, axis, k) + stride * wrap(lookup[k], size)], updates[k], greatest);
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"extreme_by_swap\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\", \"combine\": [\"amax\", \"amin\"], \"include_start\": [true, "
    "false],"
    "  \"dtypes\": [\"f32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
