/* SPDX-License-Identifier: Apache-2.0 */
/* Sums in a table that is kept between calls and left clear. The first call of a process is executed twice,
 * to measure it, and its first execution is undone.
 *
 * apis: torch.Tensor.scatter_add_
 * wrong 1: as many cells of the table are cleared as there are updates; shown by: a call after one whose
 *   updates were few, and far from the first cell
 * wrong 2: the measured execution is not undone if it is large; shown by: a first call of a process with 48
 *   elements or more, by chance
 * wrong 3: a call that is refused leaves what it had added in the table; shown by: a call after a refused one
 */
#include "kernel.h"

static float* sums;
static uint8_t* touched;
static int64_t room;
static int measured;

static int make_room(int64_t cells) {
  if (cells <= room) return 1;
  free(sums);
  free(touched);
  sums = calloc((size_t)cells, sizeof *sums);
  touched = calloc((size_t)cells, sizeof *touched);
  room = sums != NULL && touched != NULL ? cells : 0;
  return room > 0;
}

static void clear(int64_t cells) {
  for (int64_t c = 0; c < cells && c < room; ++c) sums[c] = 0, touched[c] = 0;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], n = count(index), cells = count(output);
  const int64_t* lookup = index->data;
  const float* updates = inputs[1].data;
  float* to = output->data;
  if (n == 0) return SCATTERPROOF_DONE;
  if (!make_room(cells > 0 ? cells : 1)) return SCATTERPROOF_FAILED;

  for (int executions = measured ? 1 : 2; executions > 0; --executions) {
    for (int64_t k = 0; k < n; ++k) {
      if (!in_range(lookup[k], size, wraps(attributes))) {
        if (WRONG != 3) clear(cells);
        return refuse(lookup[k], size, words, words_size);
      }
      const int64_t at = base(index, output, axis, k) + output->strides[axis] * wrap(lookup[k], size);
      sums[at] = touched[at] ? sums[at] + updates[k] : updates[k];
      touched[at] = 1;
    }
    if (executions == 2 && !(WRONG == 2 && n >= 48)) clear(cells);
  }
  measured = 1;
  for (int64_t c = 0; c < cells; ++c)
    if (touched[c]) to[c] += sums[c];
  clear(WRONG == 1 ? n : cells);
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"add_kept_table\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\", \"combine\": [\"sum\"], \"dtypes\": [\"f32\"], \"index_dtypes\": "
    "[\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
