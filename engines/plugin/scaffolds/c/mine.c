/* A kernel of your own: scatter_elements with sum, for f32 and f64. It is complete; make it yours. */
#include <scatterproof/kernel_abi.h>
#include <stdio.h>

static const char description[] =
    "{\"name\": \"mine\", \"version\": \"0.1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\", \"combine\": [\"sum\"], \"dtypes\": [\"f32\", \"f64\"],"
    "  \"index_dtypes\": [\"i64\"], \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": "
    "[\"index\"]}]}";

static const char* describe(char* words, size_t words_size) {
  (void)words;
  (void)words_size;
  return description;
}

/* Goes through the positions of the index, row-major, and knows where each lies in the output. */
typedef struct {
  const scatterproof_tensor* index;
  const scatterproof_tensor* output;
  int axis;
  int64_t at[8];
  int64_t offset; /* in the output, of the position with 0 on the axis */
} walk;

static void step(walk* w) {
  for (int d = w->index->ndim - 1; d >= 0; --d) {
    const int64_t stride = d == w->axis ? 0 : w->output->strides[d];
    w->offset += stride;
    if (++w->at[d] < w->index->shape[d]) return;
    w->offset -= stride * w->at[d];
    w->at[d] = 0;
  }
}

static int64_t count(const scatterproof_tensor* tensor) {
  int64_t product = 1;
  for (int d = 0; d < tensor->ndim; ++d) product *= tensor->shape[d];
  return product;
}

/* The place on an axis of this size that an index names; -1 if there is none. */
static int64_t place(int64_t i, int64_t size, int wrap_negative) {
  if (wrap_negative && i < 0) i += size;
  return i >= 0 && i < size ? i : -1;
}

static scatterproof_status run(const char* operation, const char* attributes,
                               const scatterproof_tensor* inputs, int32_t input_count,
                               scatterproof_tensor* outputs, int32_t output_count, char* words,
                               size_t words_size) {
  /* The caller asks only for what `description` covers, so there is one operation and one way to combine. */
  (void)operation;
  (void)input_count;
  (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const int wrap_negative = scatterproof_attribute(attributes, "wrap_negative")[0] == 't';
  const int64_t* index = inputs[0].data;
  const int64_t positions = count(&inputs[0]);
  const int64_t size = outputs[0].shape[axis];
  const int64_t stride = outputs[0].strides[axis];

  /* Everything is checked before anything is written. */
  for (int64_t k = 0; k < positions; ++k)
    if (place(index[k], size, wrap_negative) < 0) {
      snprintf(words, words_size, "index %lld is out of range for size %lld", (long long)index[k],
               (long long)size);
      return SCATTERPROOF_REFUSED_INDEX;
    }

  walk w = {&inputs[0], &outputs[0], axis, {0}, 0};
  if (outputs[0].dtype.bits == 32) {
    const float* updates = inputs[1].data;
    float* output = outputs[0].data;
    for (int64_t k = 0; k < positions; ++k, step(&w))
      output[w.offset + stride * place(index[k], size, wrap_negative)] += updates[k];
  } else {
    const double* updates = inputs[1].data;
    double* output = outputs[0].data;
    for (int64_t k = 0; k < positions; ++k, step(&w))
      output[w.offset + stride * place(index[k], size, wrap_negative)] += updates[k];
  }
  return SCATTERPROOF_DONE;
}

const scatterproof_kernels* scatterproof_kernels_v1(void) {
  static const scatterproof_kernels kernels = {
      SCATTERPROOF_KERNEL_ABI_VERSION, sizeof(scatterproof_kernels), describe, run, NULL, NULL,
  };
  return &kernels;
}
