/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel is chosen at the first call of a process and whenever the kind of call changes, as by a
 * dispatcher that compiles.
 *
 * apis: paddle.index_select
 * wrong 1: the kind is the shapes, without the dtype of the index; shown by: two calls of equal shapes, one
 *   after the other, with indices of 32 and of 64 bits
 * wrong 2: the first call of a process returns while its kernel is still prepared; shown by: a first call
 *   with two or more elements
 * wrong 3: a call after a refused one is refused too; shown by: a call after a refused one
 */
#include "kernel.h"

typedef int64_t reader(const void* lookup, int64_t k);

static int64_t read_32(const void* lookup, int64_t k) { return ((const int32_t*)lookup)[k]; }
static int64_t read_64(const void* lookup, int64_t k) { return ((const int64_t*)lookup)[k]; }

static reader* chosen = NULL;
static int64_t key[20];
static int refused;

static void choose(const scatterproof_tensor* data, const scatterproof_tensor* index) {
  int64_t other[20] = {data->ndim + 1, index->ndim + 1, WRONG == 1 ? 0 : index->dtype.bits};
  for (int d = 0; d < data->ndim; ++d) other[3 + d] = data->shape[d];
  for (int d = 0; d < index->ndim; ++d) other[11 + d] = index->shape[d];
  if (memcmp(key, other, sizeof key) != 0) chosen = index->dtype.bits == 32 ? read_32 : read_64;
  memcpy(key, other, sizeof key);
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *data = &inputs[0], *index = &inputs[1];
  const int64_t size = data->shape[axis], rows = count(index);
  const int64_t inner = product(data->shape, axis + 1, data->ndim);
  const int64_t n = product(data->shape, 0, axis) * rows * inner;
  const int is_first = chosen == NULL;
  choose(data, index);
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t i = chosen(index->data, row);
    const int again = WRONG == 3 && refused && n > 0;
    refused = !in_range(i, size, wraps(attributes)) && !again;
    if (refused || again) return refuse(i, size, words, words_size);
  }

  const uint32_t* from = data->data;
  uint32_t* to = outputs[0].data;
  for (int64_t k = 0; k < n && !(WRONG == 2 && is_first && n > 1); ++k) {
    const int64_t i = wrap(chosen(index->data, k / inner % rows), size);
    to[k] = from[(k / inner / rows * size + i) * inner + k % inner];
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"select_remembered\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"gather_rows\", \"dtypes\": [\"f32\", \"i32\"], \"index_dtypes\": [\"i32\", \"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
