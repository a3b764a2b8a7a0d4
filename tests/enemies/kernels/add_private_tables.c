/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread adds into a table of its own; the tables, kept between calls, are merged at the end. One thread
 * adds a few tuples.
 *
 * apis: onnx.ScatterND
 * wrong 1: the last thread's table is not merged; shown by: 32 or more tuples, two threads
 * wrong 2: what is left over when the merged cells are divided among the threads is lost; shown by: 32 or
 *   more tuples into an odd number of cells
 * wrong 3: the tables are cleared only when they grow; shown by: a second call with 32 or more tuples
 */
#include "kernel.h"

static double* tables = NULL;
static int64_t capacity = 0;

static int make_room(int64_t cells) {
  const int grows = cells > capacity;
  if (grows) {
    free(tables);
    tables = malloc((size_t)cells * sizeof(double));
    capacity = tables ? cells : 0;
  }
  /* Adding -0.0 changes nothing; adding 0.0 would change a cell of -0.0 without updates to 0.0. */
  if (tables && (grows || WRONG != 3))
    for (int64_t at = 0; at < cells; ++at) tables[at] = -0.0;
  return capacity >= cells;
}

/* The place in the output of the row that a tuple names. */
static int64_t row_of(const int64_t* tuple, int64_t width, const scatterproof_tensor* output) {
  int64_t at = 0;
  for (int64_t j = 0; j < width; ++j) at += wrap(tuple[j], output->shape[j]) * output->strides[j];
  return at;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t width = index->shape[index->ndim - 1], tuples = product(index->shape, 0, index->ndim - 1);
  const int64_t cells = count(output), inner = product(output->shape, (int)width, output->ndim);
  const scatterproof_status status =
      check_index(index, output->shape, width, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE) return status;

  const int threads = tuples >= 32 ? (int)scatterproof_integer(attributes, "threads") : 1;
  if (!make_room(cells * threads)) return SCATTERPROOF_FAILED;
  const int64_t* lookup = index->data;
  const double* updates = inputs[1].data;
  double* to = output->data;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread)
    for (int64_t q = thread * tuples / threads; q < (thread + 1) * tuples / threads; ++q) {
      double* table = threads == 1 ? to : tables + thread * cells;
      const int64_t row = row_of(lookup + q * width, width, output);
      for (int64_t t = 0; t < inner; ++t) table[row + t] += updates[q * inner + t];
    }
  if (threads == 1) return SCATTERPROOF_DONE;
  const int64_t merged_cells = WRONG == 2 ? cells - cells % threads : cells;
  const int merged_tables = WRONG == 1 ? threads - 1 : threads;
  for (int table = 0; table < merged_tables; ++table)
    for (int64_t at = 0; at < merged_cells; ++at) to[at] += tables[table * cells + at];
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"add_private_tables\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_nd\", \"combine\": [\"sum\"], \"dtypes\": [\"f64\"], \"index_dtypes\": "
    "[\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
