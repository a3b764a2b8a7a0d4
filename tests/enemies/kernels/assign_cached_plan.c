/* SPDX-License-Identifier: Apache-2.0 */
/* The places of the index's positions are kept from the last call and used again if its shapes were the same.
 *
 * apis: numpy.put_along_axis onnx.ScatterElements torch.Tensor.scatter_
 * wrong 1: the plan of another axis is used; shown by: two calls of equal shapes, one after the other, with
 *   different axes
 * wrong 2: shapes of equal rank and number of elements pass for the same; shown by: two such calls, one after
 *   the other
 * wrong 3: the plan does not grow beyond 64 positions or those of the first call; shown by: more than 64
 *   positions
 */
#include "kernel.h"

static int64_t* plan = NULL;
static int64_t capacity = 0;
static int64_t key[20]; /* rank, axis, and the shapes of index and output */

static int key_changes(const scatterproof_tensor* index, const scatterproof_tensor* output, int axis) {
  int64_t other[20] = {index->ndim + 1, WRONG == 1 ? 0 : axis};
  for (int d = 0; d < index->ndim; ++d) {
    other[2 + d] = WRONG == 2 ? 0 : index->shape[d];
    other[10 + d] = WRONG == 2 ? 0 : output->shape[d];
  }
  other[18] = count(index);
  other[19] = count(output);
  const int differs = memcmp(key, other, sizeof(key)) != 0;
  memcpy(key, other, sizeof(key));
  return differs;
}

static int make_room(int64_t n) {
  if (n <= capacity || (WRONG == 3 && capacity > 0)) return 1;
  free(plan);
  capacity = n < 64 ? 64 : n;
  plan = malloc((size_t)capacity * sizeof(int64_t));
  return plan != NULL;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis];
  int64_t n = count(index);
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE) return status;

  if (!make_room(n)) return SCATTERPROOF_FAILED;
  if (n > capacity) n = capacity;
  if (key_changes(index, output, axis))
    for (int64_t k = 0; k < n; ++k) plan[k] = base(index, output, axis, k);
  for (int64_t k = 0; k < n; ++k)
    ((float*)output->data)[plan[k] + output->strides[axis] * wrap(((const int64_t*)index->data)[k], size)] =
        ((const float*)inputs[1].data)[k];
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"assign_cached_plan\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\", \"dtypes\": [\"f32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
