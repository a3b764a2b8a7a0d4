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

static void dense_strides(const scatterproof_tensor* tensor, int64_t* strides) {
  int64_t stride = 1;
  for (int d = tensor->ndim - 1; d >= 0; stride *= tensor->shape[d--]) strides[d] = stride;
}

/* Moves a position on, the last dimension fastest. */
static void advance(const scatterproof_tensor* over, int64_t* at) {
  for (int d = over->ndim - 1; d >= 0 && ++at[d] == over->shape[d]; --d) at[d] = 0;
}

static int64_t place_of(const int64_t* at, const int64_t* strides, int dimensions) {
  int64_t sum = 0;
  for (int d = 0; d < dimensions; ++d) sum += at[d] * strides[d];
  return sum;
}

static scatterproof_status check(const scatterproof_tensor* index, const int64_t* values, int64_t size,
                                 int negative, char* words, size_t words_size) {
  int64_t at[MOST] = {0};
  for (int64_t k = count(index); k > 0; --k, advance(index, at)) {
    const int64_t i = values[place_of(at, index->strides, index->ndim)];
    if (!in_range(i, size, negative)) return refuse(i, size, words, words_size);
  }
  return SCATTERPROOF_DONE;
}

static void fill_up_rows(const scatterproof_tensor* matrix, uint32_t* cells) {
  if (matrix->ndim != 2 || matrix->strides[1] != 1) return;
  for (int64_t row = 0; row + 1 < matrix->shape[0]; ++row)
    for (int64_t j = matrix->shape[1]; j % 8 != 0 && j < matrix->strides[0]; ++j)
      cells[row * matrix->strides[0] + j] = 0;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *updates = &inputs[1], *result = &outputs[0];
  const int64_t* values = (const int64_t*)((const char*)index->data + index->byte_offset);
  const uint32_t* from = (const uint32_t*)((const char*)updates->data + updates->byte_offset);
  uint32_t* to = (uint32_t*)((char*)result->data + (WRONG == 2 ? 0 : result->byte_offset));

  int64_t strides[MOST];
  memcpy(strides, result->strides, (size_t)result->ndim * sizeof *strides);
  if (WRONG == 1 && strides[result->ndim - 1] == 1) dense_strides(result, strides);

  const int64_t size = result->shape[axis];
  const scatterproof_status checked = check(index, values, size, wraps(attributes), words, words_size);
  if (checked != SCATTERPROOF_DONE) return checked;
  int64_t at[MOST] = {0};
  for (int64_t k = count(index); k > 0; --k, advance(index, at)) {
    const int64_t i = wrap(values[place_of(at, index->strides, index->ndim)], size);
    const int64_t cell = place_of(at, strides, index->ndim) + (i - at[axis]) * strides[axis];
    to[cell] = from[place_of(at, updates->strides, updates->ndim)];
  }
  if (WRONG == 3) fill_up_rows(result, to);
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"scatter_into_view\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\", \"dtypes\": [\"f32\", \"i32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"strided\", \"output_layout\": \"strided\", \"wrap_negative\": true,"
    "  \"checks\": [\"index\"]}]}")
