/* SPDX-License-Identifier: Apache-2.0 */
/* The greatest of floats by the greatest of their bits as integers, as on devices without an atomic maximum
 * of floats; gathered in a table, and then taken over.
 *
 * apis: numpy.maximum.at
 * wrong 1: only the usual NaN is known as one; shown by: another, with the sign bit, and a number in one cell
 * wrong 2: the table starts with the least finite number; shown by: a cell that only ever is -infinity
 * wrong 3: negative subnormal numbers count as zero; shown by: such a number as the greatest of its cell
 */
#include <float.h>
#include <math.h>

#include "kernel.h"

static int is_nan(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return WRONG == 1 ? (bits & 0x7fffffffu) == 0x7fc00000u : x != x;
}

/* Integers in the order of the floats; a NaN is above all. */
static uint32_t ordered(float x) {
  uint32_t bits;
  if (is_nan(x)) x = NAN;
  if (WRONG == 3 && x < 0 && x > -FLT_MIN) x = 0;
  memcpy(&bits, &x, sizeof bits);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static float from_ordered(uint32_t key) {
  const uint32_t bits = key >> 31 ? key & 0x7fffffffu : ~key;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void raise_to(uint32_t* cell, uint32_t key) {
  if (*cell < key) *cell = key;
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], rows = count(index), cells = count(output);
  const int64_t inner = product(output->shape, axis + 1, output->ndim);
  const int64_t n = product(output->shape, 0, axis) * rows * inner;
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE || n == 0) return status;

  const int64_t* lookup = index->data;
  const float* updates = inputs[1].data;
  float* to = output->data;
  uint32_t* table = malloc((size_t)cells * sizeof *table);
  if (table == NULL) return SCATTERPROOF_FAILED;
  for (int64_t c = 0; c < cells; ++c) table[c] = ordered(WRONG == 2 ? -FLT_MAX : -INFINITY);
  for (int64_t k = 0; k < n; ++k) {
    const int64_t row = k / inner % rows;
    const int64_t at = (k / inner / rows * size + wrap(lookup[row], size)) * inner + k % inner;
    raise_to(&table[at], ordered(updates[k]));
  }
  for (int64_t c = 0; c < cells; ++c)
    if (table[c] > ordered(to[c])) to[c] = from_ordered(table[c]);
  free(table);
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"max_by_bits\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_rows\", \"combine\": [\"amax\"], \"dtypes\": [\"f32\"], "
    "\"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
