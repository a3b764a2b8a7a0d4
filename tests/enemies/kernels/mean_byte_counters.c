/* SPDX-License-Identifier: Apache-2.0 */
/* Means with a byte for each cell's count and a table of carries, both kept between calls.
 *
 * apis: torch.Tensor.scatter_reduce_
 * wrong 1: the carry is lost: the count begins again at 256; shown by: 256 or more updates of one cell
 * wrong 2: the count stops at 255; shown by: 256 or more updates of one cell
 * wrong 3: at most 4,096 counts are cleared before a call; shown by: a second call on more than 4,096 cells
 */
#include "kernel.h"

static uint8_t* counts = NULL;
static int64_t* carries = NULL;
static int64_t capacity = 0;

static int make_room(int64_t cells) {
  if (cells > capacity) {
    free(counts);
    free(carries);
    counts = calloc((size_t)cells, sizeof(uint8_t));
    carries = calloc((size_t)cells, sizeof(int64_t));
    capacity = counts && carries ? cells : 0;
  }
  if (capacity < cells) return 0;
  const int64_t cleared = WRONG == 3 && cells > 4096 ? 4096 : cells;
  if (cleared > 0) memset(counts, 0, (size_t)cleared * sizeof(uint8_t));
  if (cleared > 0) memset(carries, 0, (size_t)cleared * sizeof(int64_t));
  return 1;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], n = count(index), cells = count(output);
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE) return status;
  if (!make_room(cells)) return SCATTERPROOF_FAILED;

  const float* updates = inputs[1].data;
  float* to = output->data;
  const int with_start = includes_start(attributes);
  for (int64_t k = 0; k < n; ++k) {
    const int64_t at =
        base(index, output, axis, k) + output->strides[axis] * wrap(((const int64_t*)index->data)[k], size);
    if (counts[at] == 0 && carries[at] == 0 && !with_start) to[at] = 0;
    to[at] += updates[k];
    if (counts[at] < 255)
      ++counts[at];
    else if (WRONG != 2) {
      counts[at] = 0;
      carries[at] += WRONG == 1 ? 0 : 256;
    }
  }
  for (int64_t at = 0; at < cells; ++at) {
    const int64_t received = carries[at] + counts[at];
    if (received > 0) to[at] /= (float)(received + with_start);
  }
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"mean_byte_counters\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\", \"combine\": [\"mean\"], \"include_start\": [true, false],"
    "  \"dtypes\": [\"f32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
