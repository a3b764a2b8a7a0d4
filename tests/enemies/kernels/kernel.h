/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernels of this folder share: the helpers that people copy from one kernel into the next. */
#ifndef KERNEL_H
#define KERNEL_H

#include <scatterproof/kernel_abi.h>
#include <stdio.h>

#ifndef WRONG
#define WRONG 0 /* 1 to 3: the wrong versions that the comment of each kernel lists */
#endif

static inline int64_t product(const int64_t* sizes, int from, int to) {
  int64_t result = 1;
  for (int d = from; d < to; ++d) result *= sizes[d];
  return result;
}

static inline int64_t count(const scatterproof_tensor* tensor) {
  return product(tensor->shape, 0, tensor->ndim);
}

/* A valid index value, counted from the front. */
static inline int64_t wrap(int64_t i, int64_t size) { return i < 0 ? i + size : i; }

static inline int wraps(const char* attributes) {
  return scatterproof_attribute(attributes, "wrap_negative")[0] == 't';
}

static inline int includes_start(const char* attributes) {
  return scatterproof_attribute(attributes, "include_start")[0] == 't';
}

static inline int combines_by(const char* attributes, const char* word) {
  return strncmp(scatterproof_attribute(attributes, "combine") + 1, word, strlen(word)) == 0;
}

static inline int in_range(int64_t i, int64_t size, int negative) {
  return i < size && i >= (negative ? -size : 0);
}

static inline scatterproof_status refuse(int64_t i, int64_t size, char* words, size_t words_size) {
  snprintf(words, words_size, "index %lld is out of range for size %lld", (long long)i, (long long)size);
  return SCATTERPROOF_REFUSED_INDEX;
}

/* Checks a contiguous index whose `width` numbers address `sizes`; everything is checked before anything is
 * written. */
static inline scatterproof_status check_index(const scatterproof_tensor* index, const int64_t* sizes,
                                              int64_t width, int negative, char* words, size_t words_size) {
  const int64_t* values = index->data;
  const int64_t n = count(index);
  for (int64_t k = 0; k < n; ++k)
    if (!in_range(values[k], sizes[k % width], negative))
      return refuse(values[k], sizes[k % width], words, words_size);
  return SCATTERPROOF_DONE;
}

/* The place in a tensor of position k of the index, with 0 on the axis. */
static inline int64_t base(const scatterproof_tensor* index, const scatterproof_tensor* tensor, int axis,
                           int64_t k) {
  int64_t at = 0;
  for (int d = index->ndim - 1; d >= 0; --d) {
    if (d != axis) at += k % index->shape[d] * tensor->strides[d];
    k /= index->shape[d];
  }
  return at;
}

/* The place of element k of the dimensions [from, to), by strides. */
static inline int64_t place(const scatterproof_tensor* tensor, int from, int to, int64_t k) {
  int64_t at = 0;
  for (int d = to - 1; d >= from; --d) {
    at += k % tensor->shape[d] * tensor->strides[d];
    k /= tensor->shape[d];
  }
  return at;
}

/* Strides of the dense tensor of this shape. */
static inline void dense_strides(const scatterproof_tensor* tensor, int64_t* strides) {
  int64_t stride = 1;
  for (int d = tensor->ndim - 1; d >= 0; stride *= tensor->shape[d--]) strides[d] = stride;
}

/* The first element. */
static inline const void* first(const scatterproof_tensor* tensor) {
  return (const char*)tensor->data + tensor->byte_offset;
}

/* Defines the function that the library exports. */
#define KERNEL(description)                                                                       \
  static const char* describe(char* words, size_t words_size) {                                   \
    (void)words, (void)words_size;                                                                \
    return description;                                                                           \
  }                                                                                               \
  const scatterproof_kernels* scatterproof_kernels_v1(void) {                                     \
    static const scatterproof_kernels kernels = {                                                 \
        SCATTERPROOF_KERNEL_ABI_VERSION, sizeof(scatterproof_kernels), describe, run, NULL, NULL, \
    };                                                                                            \
    return &kernels;                                                                              \
  }

#define RUN(attributes, inputs, outputs, words, words_size)                                                  \
  static scatterproof_status run(                                                                            \
      const char* operation, const char* attributes, const scatterproof_tensor* inputs, int32_t input_count, \
      scatterproof_tensor* outputs, int32_t output_count, char* words, size_t words_size)

#endif
