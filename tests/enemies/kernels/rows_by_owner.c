/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP without atomics: each row of the output has one thread that writes it, in the order of the updates.
 *
 * apis: numpy.add.at paddle.scatter torch.Tensor.index_copy_
 * wrong 1: the owner is found by the index before it is wrapped; shown by: a negative index
 * wrong 2: where two threads' rows meet, both write the row; shown by: a sum into 64 or more rows, by chance
 * wrong 3: rows are written 4 elements at a time; shown by: a row of more than 16 elements, and not a
 *   multiple of 4
 */
#include "kernel.h"

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], rows = count(index), outer = product(output->shape, 0, axis);
  const int64_t inner = product(output->shape, axis + 1, output->ndim);
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE) return status;

  const int adds = combines_by(attributes, "sum");
  const int threads = size >= 64 ? (int)scatterproof_integer(attributes, "threads") : 1;
  const int64_t share = (size + threads - 1) / threads;
  const int64_t length = WRONG == 3 && inner > 16 ? inner & ~(int64_t)3 : inner;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    const int64_t first = thread * share,
                  last = WRONG == 2 && threads > 1 ? first + share : first + share - 1;
    for (int64_t k = 0; k < outer * rows; ++k) {
      const int64_t i = ((const int64_t*)index->data)[k % rows], row = wrap(i, size);
      const int64_t owned = WRONG == 1 ? i : row;
      if (owned < first || owned > last) continue;
      const float* update = (const float*)inputs[1].data + k * inner;
      float* to = (float*)output->data + (k / rows * size + row) * inner;
      for (int64_t b = 0; b < length; ++b) to[b] = adds ? to[b] + update[b] : update[b];
    }
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"rows_by_owner\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_rows\", \"combine\": [\"sum\", \"assign\"], \"dtypes\": [\"f32\"], "
    "\"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
