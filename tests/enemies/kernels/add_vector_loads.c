/* SPDX-License-Identifier: Apache-2.0 */
/* Rows are added 4 elements at a load where a load is aligned to 16 bytes, and else one by one.
 *
 * apis: paddle.index_add
 * wrong 1: the load drops the low bits of the address, as some devices do; shown by: rows that do not begin
 *   at a multiple of 16 bytes
 * wrong 2: the pitch of rows is their length; shown by: rows with gaps between them
 * wrong 3: elements that lie in one place are loaded as if they lay next to each other; shown by: updates
 *   with a stride of 0 in their last dimension
 */
#include "kernel.h"

/* `outer`: the dimensions of updates before those of a row. */
static const float* row_of(const scatterproof_tensor* updates, int outer, int64_t k, int64_t inner) {
  if (WRONG == 2 && updates->ndim == 2 && updates->strides[1] == 1)
    return (const float*)first(updates) + k * inner;
  return (const float*)first(updates) + place(updates, 0, outer, k);
}

/* Whether the elements of a row lie next to each other. */
static int adjacent(const scatterproof_tensor* tensor, int outer) {
  int64_t stride = 1;
  for (int d = tensor->ndim - 1; d >= outer; stride *= tensor->shape[d--]) {
    if (WRONG == 3 && tensor->strides[d] == 0 && d == tensor->ndim - 1) continue;
    if (tensor->strides[d] != stride && tensor->shape[d] != 1) return 0;
  }
  return 1;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *updates = &inputs[1], *output = &outputs[0];
  const int64_t size = output->shape[axis], rows = count(index);
  const int64_t outer = product(output->shape, 0, axis);
  const int64_t inner = product(output->shape, axis + 1, output->ndim);
  const int64_t* lookup = first(index);
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t i = lookup[place(index, 0, index->ndim, row)];
    if (!in_range(i, size, wraps(attributes))) return refuse(i, size, words, words_size);
  }
  const int dimensions = axis + index->ndim, loads = adjacent(updates, dimensions);
  for (int64_t k = 0; k < outer * rows; ++k) {
    const float* from = row_of(updates, dimensions, k, inner);
    const int64_t i = lookup[place(index, 0, index->ndim, k % rows)];
    float* to = (float*)output->data + (k / rows * size + wrap(i, size)) * inner;
    int64_t b = 0;
    const int aligned = WRONG == 1 || ((uintptr_t)from & 15) == 0;
    for (; loads && aligned && b + 4 <= inner; b += 4) {
      const uintptr_t address = (uintptr_t)(from + b);
      float loaded[4];
      memcpy(loaded, (const void*)(address & ~(uintptr_t)15), sizeof loaded);
      for (int lane = 0; lane < 4; ++lane) to[b + lane] += loaded[lane];
    }
    for (; b < inner; ++b) to[b] += from[loads ? b : place(updates, dimensions, updates->ndim, b)];
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"add_vector_loads\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_rows\", \"combine\": [\"sum\"], \"dtypes\": [\"f32\"], "
    "\"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"strided\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
