/* SPDX-License-Identifier: Apache-2.0 */
/* Tuples of any layout; data that is dense, in whatever order of its dimensions, is read by place.
 *
 * apis: onnx.GatherND
 * wrong 1: a transposed matrix passes for a dense one; shown by: data of 2 transposed dimensions
 * wrong 2: the numbers of a tuple are read from places next to each other; shown by: a transposed index
 * wrong 3: a stride of a dimension of size 1 is compared as well, and what differs counts as row-major;
 *   shown by: data with gaps and a dimension of size 1
 */
#include "kernel.h"

enum { MOST = 8 /* dimensions */ };

static void choose_strides(const scatterproof_tensor* tensor, int64_t* strides) {
  int64_t dense[MOST];
  dense_strides(tensor, dense);
  memcpy(strides, tensor->strides, (size_t)tensor->ndim * sizeof *strides);
  const int transposed =
      tensor->ndim == 2 && strides[0] == 1 && strides[1] == tensor->shape[0] && tensor->shape[0] > 1;
  int has_one = 0;
  for (int d = 0; d < tensor->ndim; ++d) has_one |= tensor->shape[d] == 1;
  if ((WRONG == 1 && transposed) || (WRONG == 3 && has_one)) memcpy(strides, dense, sizeof dense);
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int batch = (int)scatterproof_integer(attributes, "batch_dims");
  scatterproof_tensor data = inputs[0];
  const scatterproof_tensor* index = &inputs[1];
  const int64_t width = index->shape[index->ndim - 1], n = product(index->shape, 0, index->ndim - 1);
  const int64_t per_batch = product(index->shape, batch, index->ndim - 1);
  const int64_t inner = product(data.shape, batch + (int)width, data.ndim);
  int64_t strides[MOST];
  if (data.ndim > MOST) return SCATTERPROOF_FAILED;
  choose_strides(&data, strides);
  data.strides = strides;

  const int64_t step = WRONG == 2 ? 1 : index->strides[index->ndim - 1];
  const int64_t* lookup = first(index);
  const uint64_t* from = first(&data);
  uint64_t* to = outputs[0].data;
  for (int64_t q = 0; q < n; ++q) {
    const int64_t* tuple = lookup + place(index, 0, index->ndim - 1, q);
    int64_t at = place(&data, 0, batch, q / per_batch);
    for (int64_t j = 0; j < width; ++j) {
      const int64_t i = tuple[j * step], size = data.shape[batch + j];
      if (!in_range(i, size, wraps(attributes))) return refuse(i, size, words, words_size);
      at += wrap(i, size) * strides[batch + j];
    }
    for (int64_t t = 0; t < inner; ++t)
      to[q * inner + t] = from[at + place(&data, batch + (int)width, data.ndim, t)];
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"gather_permuted\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"gather_nd\", \"dtypes\": [\"i64\", \"f64\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"strided\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
