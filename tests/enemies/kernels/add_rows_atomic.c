/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP with atomic additions; few elements are added by one thread.
 *
 * apis: numpy.add.at
 * wrong 1: the additions are not atomic; shown by: many threads' additions to one cell, by chance
 * wrong 2: the additions of f64 are not atomic; shown by: the same in f64, by chance
 * wrong 3: what is left over when the elements are divided among the threads is lost; shown by: 64 or more
 *   elements, and not a multiple of the threads
 */
#include "kernel.h"

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], rows = count(index);
  const int64_t inner = product(output->shape, axis + 1, output->ndim);
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE) return status;

  const int64_t* lookup = index->data;
  int64_t n = product(output->shape, 0, axis) * rows * inner;
  const int threads = n >= 64 ? (int)scatterproof_integer(attributes, "threads") : 1;
  if (WRONG == 3 && n >= 64) n -= n % threads;
#pragma omp parallel for num_threads(threads)
  for (int64_t k = 0; k < n; ++k) {
    const int64_t row = k / inner % rows;
    const int64_t at = (k / inner / rows * size + wrap(lookup[row], size)) * inner + k % inner;
    if (output->dtype.bits == 32) {
      float* cell = (float*)output->data + at;
      const float update = ((const float*)inputs[1].data)[k];
#if WRONG != 1
#pragma omp atomic
#endif
      *cell += update;
    } else {
      double* cell = (double*)output->data + at;
      const double update = ((const double*)inputs[1].data)[k];
#if WRONG != 1 && WRONG != 2
#pragma omp atomic
#endif
      *cell += update;
    }
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"add_rows_atomic\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_rows\", \"combine\": [\"sum\"], \"dtypes\": [\"f32\", \"f64\"], "
    "\"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
