/* SPDX-License-Identifier: Apache-2.0 */
/* Products and minima of 64-bit integers, with a flag for each cell that has received something.
 *
 * apis: torch.Tensor.scatter_reduce_
 * wrong 1: a minimum begins with the greatest 32-bit integer; shown by: a cell without start value that
 *   only receives greater ones
 * wrong 2: a product keeps 32 bits; shown by: a product beyond them
 * wrong 3: cells that are 32 apart share a flag; shown by: updates of two such cells, without start values
 */
#include "kernel.h"

static int received(uint64_t* flags, int64_t at) {
  const int place_of_bit = WRONG == 3 ? (int)(at % 32) : (int)(at % 64);
  const uint64_t bit = (uint64_t)1 << place_of_bit;
  const int before = (flags[at / 64] & bit) != 0;
  flags[at / 64] |= bit;
  return before;
}

static int64_t combined(int64_t a, int64_t b, int multiplies) {
  if (!multiplies) return b < a ? b : a;
  const uint64_t result = (uint64_t)a * (uint64_t)b;
  return WRONG == 2 ? (int64_t)(int32_t)result : (int64_t)result;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis"),
            multiplies = combines_by(attributes, "prod");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], n = count(index);
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE || n == 0) return status;

  const int64_t *lookup = index->data, *updates = inputs[1].data;
  int64_t* to = output->data;
  uint64_t* flags = calloc((size_t)(count(output) / 64 + 1), sizeof *flags);
  if (flags == NULL) return SCATTERPROOF_FAILED;
  const int64_t least = WRONG == 1 ? INT32_MAX : INT64_MAX;
  for (int64_t k = 0; k < n; ++k) {
    const int64_t at = base(index, output, axis, k) + output->strides[axis] * wrap(lookup[k], size);
    if (!received(flags, at) && !includes_start(attributes)) to[at] = multiplies ? 1 : least;
    to[at] = combined(to[at], updates[k], multiplies);
  }
  free(flags);
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"multiply_wide\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\", \"combine\": [\"prod\", \"amin\"], \"include_start\": [true, "
    "false],"
    "  \"dtypes\": [\"i64\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
