/* SPDX-License-Identifier: Apache-2.0 */
/* Elements by strides; a contiguous tensor is counted through.
 *
 * apis: torch.gather
 * wrong 1: data whose last stride is 1 passes for contiguous; shown by: rows with gaps between them, as of
 *   x[:, 1:k]
 * wrong 2: the strides of the index are used for the data; shown by: an index smaller than the data
 * wrong 3: an index whose last stride is 1 passes for contiguous; shown by: an index with gaps between its
 *   rows
 */
#include "kernel.h"

enum { MOST = 64 }; /* dimensions */

/* The strides to walk by. With `careless`, a last stride of 1 is enough. */
static void choose_strides(const scatterproof_tensor* tensor, int careless, int64_t* strides) {
  dense_strides(tensor, strides);
  if (careless && tensor->ndim > 0 && tensor->strides[tensor->ndim - 1] == 1) return;
  memcpy(strides, tensor->strides, (size_t)tensor->ndim * sizeof *strides);
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *data = &inputs[0], *index = &inputs[1];
  const int64_t* lookup = (const int64_t*)((const char*)index->data + index->byte_offset);
  const uint32_t* from = (const uint32_t*)((const char*)data->data + data->byte_offset);
  uint32_t* to = outputs[0].data;

  int64_t of_data[MOST], of_index[MOST], at[MOST] = {0};
  if (index->ndim > MOST) return SCATTERPROOF_FAILED;
  choose_strides(data, WRONG == 1, of_data);
  choose_strides(index, WRONG == 3, of_index);
  if (WRONG == 2) memcpy(of_data, of_index, sizeof of_data);

  const int64_t n = count(index), size = data->ndim > 0 ? data->shape[axis] : 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t place = 0, cell = 0;
    for (int d = 0; d < index->ndim; ++d) {
      place += at[d] * of_index[d];
      if (d != axis) cell += at[d] * of_data[d];
    }
    const int64_t i = lookup[place];
    if (!in_range(i, size, wraps(attributes))) return refuse(i, size, words, words_size);
    to[k] = from[cell + (index->ndim > 0 ? wrap(i, size) * of_data[axis] : 0)];
    for (int d = index->ndim - 1; d >= 0 && ++at[d] == index->shape[d]; --d) at[d] = 0;
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"gather_views\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"gather_elements\", \"dtypes\": [\"f32\", \"i32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"strided\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
