/* SPDX-License-Identifier: Apache-2.0 */
/* Elements are written into a view, as of x[:, 1:k]: every tensor is walked by its strides.
 *
 * apis: torch.Tensor.scatter_
 * wrong 1: a result whose last stride is 1 passes for contiguous; shown by: gaps between its rows
 * wrong 2: the result begins where its storage begins; shown by: a result with an offset
 * wrong 3: rows are filled up with zeros, for a loop over vectors of 8; shown by: gaps between the rows of
 *   the result, which hold other numbers
 */
#include "kernel.h"

enum { MOST = 8 }; /* dimensions */

static void fill_up_rows(const scatterproof_tensor* matrix, uint32_t* cells) {
  if (matrix->ndim != 2 || matrix->strides[1] != 1) return;
  for (int64_t row = 0; row + 1 < matrix->shape[0]; ++row)
    for (int64_t j = matrix->shape[1]; j % 8 != 0 && j < matrix->strides[0]; ++j)
      cells[row * matrix->strides[0] + j] = 0;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *updates = &inputs[1];
  const int64_t *lookup = first(index), n = count(index), size = outputs[0].shape[axis];
  for (int64_t k = 0; k < n; ++k) {
    const int64_t i = lookup[place(index, 0, index->ndim, k)];
    if (!in_range(i, size, wraps(attributes))) return refuse(i, size, words, words_size);
  }

  scatterproof_tensor result = outputs[0];
  int64_t strides[MOST];
  if (WRONG == 1 && result.strides[result.ndim - 1] == 1) {
    dense_strides(&result, strides);
    result.strides = strides;
  }
  const uint32_t* from = first(updates);
  uint32_t* to = (uint32_t*)((char*)result.data + (WRONG == 2 ? 0 : result.byte_offset));
  for (int64_t k = 0; k < n; ++k) {
    const int64_t i = wrap(lookup[place(index, 0, index->ndim, k)], size);
    to[base(index, &result, axis, k) + i * result.strides[axis]] = from[place(updates, 0, updates->ndim, k)];
  }
  if (WRONG == 3) fill_up_rows(&result, to);
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"scatter_into_view\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\", \"dtypes\": [\"f32\", \"i32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"strided\", \"output_layout\": \"strided\", \"wrap_negative\": true,"
    "  \"checks\": [\"index\"]}]}")
