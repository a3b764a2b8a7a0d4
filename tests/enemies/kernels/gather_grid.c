/* SPDX-License-Identifier: Apache-2.0 */
/* As in CUDA: a grid of at most 8 blocks of 16 threads, which stride through the elements; places are
 * computed in the launch's own copy of sizes and strides.
 *
 * apis: numpy.take_along_axis torch.gather
 * wrong 1: the threads do not stride; shown by: more than 128 elements
 * wrong 2: the copy has 4 dimensions; shown by: 5 dimensions
 * wrong 3: coordinates are divided out by the sizes of data; shown by: an index with other sizes than data
 */
#include "kernel.h"

enum { BLOCKS = 8, THREADS = 16, MOST = 8 /* dimensions */ };

typedef struct layout {
  int dimensions;
  int64_t sizes[MOST], strides[MOST];
} layout;

static void thread(int64_t block, int64_t thread_of_block, int64_t grid, const layout* layout, int64_t size,
                   int64_t stride, int64_t n, const double* from, const int64_t* lookup, double* to) {
  for (int64_t k = block * THREADS + thread_of_block; k < n; k += grid * THREADS) {
    int64_t at = stride * wrap(lookup[k], size), rest = k;
    for (int d = layout->dimensions - 1; d >= 0; --d) {
      at += rest % layout->sizes[d] * layout->strides[d];
      rest /= layout->sizes[d];
    }
    to[k] = from[at];
    if (WRONG == 1) return;
  }
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *data = &inputs[0], *index = &inputs[1];
  const int64_t size = data->shape[axis], n = count(index);
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE) return status;

  /* The last dimensions are the ones that a copy with 4 keeps. */
  layout copied = {WRONG == 2 && index->ndim > 4 ? 4 : index->ndim, {0}, {0}};
  for (int d = 0; d < copied.dimensions; ++d) {
    const int of = index->ndim - copied.dimensions + d;
    copied.sizes[d] = WRONG == 3 && of != axis ? data->shape[of] : index->shape[of];
    copied.strides[d] = of == axis ? 0 : data->strides[of];
  }
  int64_t grid = (n + THREADS - 1) / THREADS;
  if (grid > BLOCKS) grid = BLOCKS;
  for (int64_t block = 0; block < grid; ++block)
    for (int64_t t = 0; t < THREADS; ++t)
      thread(block, t, grid, &copied, size, data->strides[axis], n, data->data, index->data, outputs[0].data);
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"gather_grid\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"gather_elements\", \"dtypes\": [\"f64\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
