/* SPDX-License-Identifier: Apache-2.0 */
/* As in Triton: each program moves one tile of 16 rows by 32 columns, and masks what lies outside.
 *
 * apis: torch.index_select
 * wrong 1: the grid counts whole tiles of rows only; shown by: more than 16 rows, and not a multiple of 16
 * wrong 2: the columns of a row have one tile; shown by: a row of more than 32 elements
 * wrong 3: the mask of the rows compares with the rows of data; shown by: more lookups than data has rows
 */
#include "kernel.h"

enum { ROWS = 16, COLUMNS = 32 };

typedef struct arguments {
  const float* from;
  const int64_t* lookup;
  float* to;
  int64_t size, rows, inner, masked_rows;
} arguments;

static void program(const arguments* a, int64_t outer, int64_t tile_row, int64_t tile_column) {
  for (int64_t row = tile_row * ROWS; row < (tile_row + 1) * ROWS; ++row)
    for (int64_t column = tile_column * COLUMNS; column < (tile_column + 1) * COLUMNS; ++column) {
      const int mask = row < a->masked_rows && column < a->inner;
      if (mask)
        a->to[(outer * a->rows + row) * a->inner + column] =
            a->from[(outer * a->size + a->lookup[row]) * a->inner + column];
    }
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *data = &inputs[0], *index = &inputs[1];
  const int64_t size = data->shape[axis], rows = count(index), outers = product(data->shape, 0, axis);
  const int64_t inner = product(data->shape, axis + 1, data->ndim);
  const scatterproof_status status = check_index(index, &size, 1, 0, words, words_size);
  if (status != SCATTERPROOF_DONE) return status;

  const int64_t masked_rows = WRONG == 3 && size < rows ? size : rows;
  const arguments a = {data->data, index->data, outputs[0].data, size, rows, inner, masked_rows};
  const int64_t tiles = WRONG == 1 && rows > ROWS ? rows / ROWS : (rows + ROWS - 1) / ROWS;
  const int64_t tiles_of_row = WRONG == 2 && inner > 0 ? 1 : (inner + COLUMNS - 1) / COLUMNS;
  for (int64_t outer = 0; outer < outers; ++outer)
    for (int64_t tile_row = 0; tile_row < tiles; ++tile_row)
      for (int64_t tile_column = 0; tile_column < tiles_of_row; ++tile_column)
        program(&a, outer, tile_row, tile_column);
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"select_rows_masked\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"gather_rows\", \"dtypes\": [\"f32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": false, \"checks\": [\"index\"]}]}")
