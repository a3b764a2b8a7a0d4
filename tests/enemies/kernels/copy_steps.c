/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of any layout, each copied with the steps of the view that it lies in.
 *
 * apis: torch.Tensor.index_copy_
 * wrong 1: a step is taken without its sign; shown by: updates that run backwards
 * wrong 2: a last step of 2 is taken for 1; shown by: updates with a step in the last dimension
 * wrong 3: the offset of the index is ignored; shown by: an index that begins within its memory
 */
#include "kernel.h"

enum { MOST = 8 /* dimensions */ };

static void steps_of(const scatterproof_tensor* tensor, int64_t* steps) {
  for (int d = 0; d < tensor->ndim; ++d) {
    steps[d] = tensor->strides[d];
    if (WRONG == 1 && steps[d] < 0) steps[d] = -steps[d];
  }
  if (WRONG == 2 && tensor->ndim > 1 && steps[tensor->ndim - 1] == 2) steps[tensor->ndim - 1] = 1;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], rows = count(index);
  const int64_t inner = product(output->shape, axis + 1, output->ndim);
  const int64_t* lookup = WRONG == 3 ? index->data : first(index);
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t i = lookup[place(index, 0, index->ndim, row)];
    if (!in_range(i, size, wraps(attributes))) return refuse(i, size, words, words_size);
  }
  int64_t steps[MOST];
  scatterproof_tensor updates = inputs[1];
  if (updates.ndim > MOST) return SCATTERPROOF_FAILED;
  steps_of(&updates, steps);
  updates.strides = steps;
  const uint16_t* from = first(&updates);
  for (int64_t k = 0, n = product(output->shape, 0, axis) * rows * inner; k < n; ++k) {
    const int64_t row = k / inner % rows, i = wrap(lookup[place(index, 0, index->ndim, row)], size);
    ((uint16_t*)output->data)[(k / inner / rows * size + i) * inner + k % inner] =
        from[place(&updates, 0, updates.ndim, k)];
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"copy_steps\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_rows\", \"dtypes\": [\"i16\", \"f16\", \"bf16\"], \"index_dtypes\": "
    "[\"i64\"],"
    "  \"layout\": \"strided\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
