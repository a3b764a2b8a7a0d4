/* SPDX-License-Identifier: Apache-2.0 */
/* Additions to one place that follow each other are summed before the place is touched, as for segments.
 *
 * apis: tensorflow.tensor_scatter_nd_add
 * wrong 1: the last run is not added if there were others before; shown by: two runs
 * wrong 2: a run ends where the first number of the tuple changes; shown by: two tuples that follow each
 *   other and differ in another number only
 * wrong 3: a run is cut at 32 tuples, and what was summed is lost; shown by: more than 32 equal tuples
 */
#include "kernel.h"

static int same_tuple(const int64_t* a, const int64_t* b, int64_t width) {
  const int64_t compared = WRONG == 2 && width > 1 ? 1 : width;
  return memcmp(a, b, (size_t)compared * sizeof *a) == 0;
}

static void add_run(double* to, const double* updates, int64_t first_of_run, int64_t end, int64_t inner) {
  for (int64_t t = 0; t < inner; ++t) {
    double sum = -0.0;
    for (int64_t q = first_of_run; q < end; ++q) {
      if (WRONG == 3 && q > first_of_run && (q - first_of_run) % 32 == 0) sum = -0.0;
      sum += updates[q * inner + t];
    }
    to[t] += sum;
  }
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t width = index->shape[index->ndim - 1], tuples = product(index->shape, 0, index->ndim - 1);
  const int64_t inner = product(output->shape, (int)width, output->ndim);
  const scatterproof_status status =
      check_index(index, output->shape, width, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE) return status;

  const int64_t* lookup = index->data;
  for (int64_t q = 0, next; q < tuples; q = next) {
    const int64_t* tuple = lookup + q * width;
    for (next = q + 1; next < tuples && same_tuple(tuple, lookup + next * width, width);) ++next;
    if (WRONG == 1 && q > 0 && next == tuples) break;
    int64_t at = 0;
    for (int64_t j = 0; j < width; ++j) at += wrap(tuple[j], output->shape[j]) * output->strides[j];
    add_run((double*)output->data + at, inputs[1].data, q, next, inner);
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"add_runs\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_nd\", \"combine\": [\"sum\"], \"dtypes\": [\"f64\"], \"index_dtypes\": "
    "[\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
