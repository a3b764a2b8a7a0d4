/* SPDX-License-Identifier: Apache-2.0 */
/* Many tuples are looked up 8 ahead of their use, so that memory has time to answer.
 *
 * apis: onnx.GatherND
 * wrong 1: the last 8 look ahead behind the end of the index, and fetch from there; shown by: memory behind
 *   the index, with more than 8 tuples
 * wrong 2: the last tuple is never looked up, so that it uses an older one; shown by: more than 8 tuples
 * wrong 3: the tuple 8 ahead is checked, whether there is one or not; shown by: memory behind the index, with
 *   more than 8 tuples
 */
#include "kernel.h"

enum { distance = 8 };

static int64_t place_of(const scatterproof_tensor* data, const int64_t* tuple, int64_t width, int batch,
                        int64_t q, int64_t per_batch) {
  int64_t at = 0, k = q / per_batch;
  for (int d = batch - 1; d >= 0; --d) {
    at += k % data->shape[d] * data->strides[d];
    k /= data->shape[d];
  }
  for (int64_t j = 0; j < width; ++j) at += wrap(tuple[j], data->shape[batch + j]) * data->strides[batch + j];
  return at;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int batch = (int)scatterproof_integer(attributes, "batch_dims");
  const scatterproof_tensor *data = &inputs[0], *index = &inputs[1];
  const int64_t width = index->shape[index->ndim - 1], n = product(index->shape, 0, index->ndim - 1);
  const int64_t per_batch = product(index->shape, batch, index->ndim - 1);
  const int64_t inner = product(data->shape, batch + (int)width, data->ndim);
  const int negative = wraps(attributes);
  const scatterproof_status status =
      check_index(index, data->shape + batch, width, negative, words, words_size);
  if (status != SCATTERPROOF_DONE) return status;

  const int64_t* lookup = index->data;
  const uint32_t* from = data->data;
  uint32_t* to = outputs[0].data;
  const int64_t end = WRONG == 2 && n > distance ? n - 1 : n; /* of the lookups */
  int64_t ready[distance];
  for (int64_t q = 0; q < distance && q < end; ++q)
    ready[q] = place_of(data, lookup + q * width, width, batch, q, per_batch);
  for (int64_t q = 0; q < n; ++q) {
    for (int64_t t = 0; t < inner; ++t) to[q * inner + t] = from[ready[q % distance] + t];
    const int64_t ahead = q + distance;
#if WRONG == 1
    if (n > distance && ahead >= n && width > 0) {
      volatile uint32_t fetched = from[lookup[ahead * width]];
      (void)fetched;
    }
#elif WRONG == 3
    if (n > distance && width > 0 && !in_range(lookup[ahead * width], data->shape[batch], negative))
      return refuse(lookup[ahead * width], data->shape[batch], words, words_size);
#endif
    if (ahead < end)
      ready[ahead % distance] = place_of(data, lookup + ahead * width, width, batch, ahead, per_batch);
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"gather_prefetched\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"gather_nd\", \"dtypes\": [\"f32\", \"i32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
