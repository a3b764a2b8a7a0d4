/* SPDX-License-Identifier: Apache-2.0 */
/* Two passes: a counting sort of the updates by cell, then each cell's run is reduced.
 *
 * apis: torch.Tensor.scatter_reduce_ onnx.ScatterElements
 * wrong 1: the sort counts in 16 bits; shown by: more than 65,536 updates
 * wrong 2: runs are reduced in pieces of 32, and the last piece replaces the others; shown by: more than 32
 *   updates of one cell
 * wrong 3: of more than 64 updates only the low byte of the cell is sorted, so that a cell has several runs;
 *   shown by: more than 64 updates of cells 256 apart, without the start values
 */
#include "kernel.h"

#if WRONG == 1
typedef uint16_t counter;
#else
typedef int64_t counter;
#endif

static float combined(float a, float b, int multiplies) {
  if (multiplies) return a * b;
  return a < b || b != b ? b : a;
}

/* The cell of each update, and the updates' numbers in the order of their cells. */
static scatterproof_status sort(const int64_t* cells, int64_t n, int64_t buckets, int64_t* order) {
  counter* begins = calloc((size_t)buckets + 1, sizeof(counter));
  if (begins == NULL) return SCATTERPROOF_FAILED;
  for (int64_t k = 0; k < n; ++k) ++begins[cells[k] % buckets + 1];
  for (int64_t b = 0; b < buckets; ++b) begins[b + 1] = (counter)(begins[b + 1] + begins[b]);
  for (int64_t k = 0; k < n; ++k) order[begins[cells[k] % buckets]++] = k;
  free(begins);
  return SCATTERPROOF_DONE;
}

static void reduce(const int64_t* cells, const int64_t* order, int64_t n, const float* updates, float* output,
                   int multiplies, int with_start) {
  for (int64_t k = 0, next; k < n; k = next) {
    const int64_t cell = cells[order[k]];
    const float start = output[cell];
    float result = with_start ? combined(start, updates[order[k]], multiplies) : updates[order[k]];
    for (next = k + 1; next < n && cells[order[next]] == cell; ++next)
      if (WRONG == 2 && (next - k) % 32 == 0)
        result = with_start ? combined(start, updates[order[next]], multiplies) : updates[order[next]];
      else
        result = combined(result, updates[order[next]], multiplies);
    output[cell] = result;
  }
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], n = count(index);
  scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE || n == 0) return status;

  int64_t* cells = malloc((size_t)n * sizeof(int64_t));
  int64_t* order = calloc((size_t)n, sizeof(int64_t));
  status = cells && order ? SCATTERPROOF_DONE : SCATTERPROOF_FAILED;
  if (status == SCATTERPROOF_DONE) {
    for (int64_t k = 0; k < n; ++k)
      cells[k] =
          base(index, output, axis, k) + output->strides[axis] * wrap(((const int64_t*)index->data)[k], size);
    status = sort(cells, n, WRONG == 3 && n > 64 ? 256 : count(output), order);
  }
  if (status == SCATTERPROOF_DONE)
    reduce(cells, order, n, inputs[1].data, output->data, combines_by(attributes, "prod"),
           includes_start(attributes));
  free(cells);
  free(order);
  return status;
}

KERNEL(
    "{\"name\": \"reduce_sorted\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\", \"combine\": [\"prod\", \"amax\"], \"include_start\": [true, "
    "false],"
    "  \"dtypes\": [\"f32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
