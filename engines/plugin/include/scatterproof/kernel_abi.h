/* SPDX-License-Identifier: Apache-2.0 */
/* What a shared library offers so that scatterproof can call its kernels: `--engine so:./libmine.so`.
 *
 * C99 and C++, no other header of scatterproof, nothing to link. The library exports one function,
 * scatterproof_kernels_v1(); docs/use/test-your-kernel.md builds a library from nothing. The caller below is
 * scatterproof's host process: the library is loaded there, and that process is all it can break.
 *
 * Rules for both sides
 *
 * Ownership  Nothing changes hands. What the caller passes is valid until the function returns; the memory
 *            of tensors until the `sync` after a `run` returns, where there is one. What the library returns
 *            (texts, structs) is valid until the process ends.
 * Threads    The caller calls from one thread, one function at a time. The library may use threads of its
 *            own; none of them touches a tensor once `run` (and `sync`) has returned.
 * Errors     A status and a sentence for the report in `words`: at most `words_size` bytes with the ending
 *            NUL, as snprintf(words, words_size, ...) writes it. `words` is never NULL and holds an empty
 *            text before. No exception and no longjmp leaves a function.
 * Memory     Only elements of the output are written. The bytes around every tensor are checked after the
 *            call, memory further off may not be touched, and inputs are compared with what they held.
 */
#ifndef SCATTERPROOF_KERNEL_ABI_H
#define SCATTERPROOF_KERNEL_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCATTERPROOF_KERNEL_ABI_VERSION 1

/* A tensor is a DLTensor of DLPack (0.5 and later: the struct did not change). If dlpack.h was included
* before this header, it is that type; otherwise it is the same struct under its own name. */
#ifdef DLPACK_DLPACK_H_
typedef DLTensor scatterproof_tensor;
#else
typedef struct scatterproof_tensor {
  void* data; /* device memory if the library asks for it, see `memory` */
  struct {
    int32_t device_type; /* a DLDeviceType: 1 CPU, 2 CUDA, 10 ROCm, ... */
    int32_t device_id;
  } device;
  int32_t ndim; /* 0 to 8 */
  struct {
    uint8_t code;   /* a DLDataTypeCode: 0 signed integer, 1 unsigned, 2 float, 4 bfloat, 5 complex, 6 bool */
    uint8_t bits;   /* of one element; a bool has 8 */
    uint16_t lanes; /* 1 */
  } dtype;
  int64_t* shape;
  int64_t* strides;     /* in elements, never NULL */
  uint64_t byte_offset; /* from data to the first element */
} scatterproof_tensor;
#endif

/* What a function of the library returns. */
typedef enum scatterproof_status {
  SCATTERPROOF_DONE = 0,
  SCATTERPROOF_UNSUPPORTED = 1, /* the library does not offer this after all; `words` say why */
  SCATTERPROOF_FAILED = 2,      /* something broke (no memory, a device error): the process is given up */
  /* The call breaks a rule of its operation. The words are scatterproof's (docs/understand/terms.md, refusal
     kind): */
  SCATTERPROOF_REFUSED_RANK = 16,  /* numbers of dimensions do not match */
  SCATTERPROOF_REFUSED_SHAPE = 17, /* sizes do not match */
  SCATTERPROOF_REFUSED_DTYPE = 18,
  SCATTERPROOF_REFUSED_INDEX = 19, /* a value of the index is out of range */
  SCATTERPROOF_REFUSED_AXIS = 20,
  SCATTERPROOF_REFUSED_VALUE = 21 /* any other attribute is not acceptable */
} scatterproof_status;

typedef enum scatterproof_copy {
  SCATTERPROOF_TO_DEVICE = 0,
  SCATTERPROOF_TO_HOST = 1,
  SCATTERPROOF_ON_DEVICE = 2 /* from device memory to device memory */
} scatterproof_copy;

/* Device memory, for a library whose kernels need it. Tensors' `data` is then what `allocate` gave, plus a
 * multiple of 256 bytes. */
typedef struct scatterproof_memory {
  int32_t device_type; /* a DLDeviceType */
  int32_t device_id;
  void* (*allocate)(size_t bytes); /* aligned to 256 bytes; NULL: not enough memory */
  void (*release)(void* memory);
  /* Complete when it returns, and ordered after everything that `run` began before. */
  scatterproof_status (*copy)(void* to, const void* from, size_t bytes, scatterproof_copy direction);
} scatterproof_memory;

typedef struct scatterproof_kernels {
  uint32_t abi_version; /* SCATTERPROOF_KERNEL_ABI_VERSION */
  uint32_t struct_size; /* sizeof(scatterproof_kernels): a later header may add members at the end */

  /* What the library offers, as a JSON text (below). NULL: nothing, for the reason in `words`, such as "no
   * CUDA device". */
  const char* (*describe)(char* words, size_t words_size);

  /* Executes one call of an operation (below). It is complete when `run` returns or, if there is one,
   * `sync`. */
  scatterproof_status (*run)(const char* operation, const char* attributes, const scatterproof_tensor* inputs,
                             int32_t input_count, scatterproof_tensor* outputs, int32_t output_count,
                             char* words, size_t words_size);

  /* Waits for what `run` began; the status is that of the run. NULL: there is never anything to wait for.
   * Calls are timed from the start of the first `run` to the end of the one `sync` after the last. */
  scatterproof_status (*sync)(char* words, size_t words_size);

  const scatterproof_memory* memory; /* NULL: tensors lie in the process's own memory */
} scatterproof_kernels;

/* The one function that the library exports. (In C++ inside extern "C".) */
#if defined(__GNUC__)
#define SCATTERPROOF_EXPORT __attribute__((visibility("default")))
#else
#define SCATTERPROOF_EXPORT
#endif
SCATTERPROOF_EXPORT const scatterproof_kernels* scatterproof_kernels_v1(void);

/* The operations. p runs over all positions of the updates (scatter) or of the output (gather).
 *
 *   operation         inputs          output
 *   scatter_elements  index, updates  output[p with p[axis] replaced by index[p]] (+)= updates[p]
 *   scatter_rows      index, updates  output[a, index[i], b] (+)= updates[a, i, b]
 *   scatter_nd        index, updates  output[index[q, :], t] (+)= updates[q, t]
 *   gather_elements   data, index     output[p] = data[p with p[axis] replaced by index[p]]
 *   gather_rows       data, index     output[a, i, b] = data[a, index[i], b]
 *   gather_nd         data, index     output[q, t] = data[q up to batch_dims, index[q, :], t]
 *
 * a stands for the dimensions before `axis`, b and t for those that follow, i and q for as many as the index
 * has (of _nd: all but its last, which holds the numbers of one place).
 *
 * A scatter's output holds the start values (those of data) when `run` is called and is changed in place. A
 * gather's output holds nothing of use. There is one output; it overlaps no input, and is contiguous
 * (row-major) with a byte_offset of 0, unless `output_layout` is strided. Inputs of one dtype may overlap
 * each other.
 *
 * Shapes. The caller makes the output, so its shape is right, and does the stretching and narrowing that an
 * API may allow. In a call that breaks no rule
 * - updates have the output's dtype, and just the sizes that the table above asks for; so has a gather's
 *   output;
 * - the index of _elements has as many dimensions as data or output, and off the axis no larger size;
 * - tensors without dimensions are vectors of length 1 in _elements, if data, index and updates have none;
 * - sizes may be 0.
 *
 * (+)= is `combine`: assign (the last of several in row-major order of p, where the API says so), sum, prod,
 * mean, amax, amin. A mean is the sum divided by the number of summed values. `include_start` false: a cell
 * that receives values combines only these; the other cells keep their start values.
 *
 * Attributes: one JSON object on one line, without spaces, with all of these members in this order, whatever
 * the operation:
 *   "axis":N                of _elements and _rows, counted from the front; else 0
 *   "batch_dims":N          of gather_nd; else 0
 *   "combine":"sum"         of scatters; else "assign"
 *   "include_start":true    or false
 *   "integer_mean":"floor"  or "truncate": how the mean of integers is rounded
 *   "wrap_negative":true    index values in [-size, -1] count from the end; false: they are out of range
 *   "threads":N             how many threads `run` may use, at least 1
 *
 * Describing: the JSON text of `describe` (its schema: spec/data/schema/kernels.schema.json):
 *   {"name": "mine", "version": "1.0", "device": "cpu",
 *    "kernels": [{"operation": "scatter_elements", "combine": ["sum"], "include_start": [true],
 *                 "dtypes": ["f32", "f64"], "index_dtypes": ["i64"], "layout": "contiguous",
 *                 "wrap_negative": true, "most_dimensions": 8, "checks": ["index"]}]}
 * A call goes to the first entry that covers it; a call that no entry covers is reported as `unsupported`,
 * with the reason.
 *   combine          of scatters; left out: ["assign"]
 *   include_start    of scatters: [true], [false] or both; left out: [true]
 *   layout           of inputs. contiguous: row-major, byte_offset 0; the caller copies inputs of another
 *                    layout. strided: any strides, 0 and negative ones too, and any byte_offset
 *   output_layout    of the output; left out: contiguous. strided: any strides with which no two elements
 *                    overlap, as where x[:, :k] is changed in place; what lies between them is not written
 *   wrap_negative    false: calls in which a negative index counts from the end are unsupported; left out:
 *                    false
 *   gradient         true: the library computes the gradients of these calls too (below); left out: false
 *   most_dimensions  of any tensor; left out: 8
 *   checks           the kinds of broken rules that the kernel itself detects and refuses: rank shape dtype
 *                    index axis value. It never gets a call that breaks a rule of another kind
 *
 * Gradients. A kernel with "gradient": true gets questions for them as an operation of its own, with the same
 * attributes. g is the cotangent, of the sizes of the operation's output; each output is the derivative of
 * the sum over all cells c of g[c] * output[c] by each element of one tensor. Values that tie for an extreme
 * share g[c]; equal shares are right for every API. Of values assigned to one cell, one has all of g[c].
 *
 *   operation           inputs                             outputs
 *   scatter_*_gradient  index, updates, start, output, g   gradient of start, gradient of updates
 *   gather_*_gradient   data, index, g                     gradient of data
 *
 * `start` holds the values that a scatter's output held before the call, `output` those that the kernel gave.
 * A gradient has the sizes and dtype of its tensor and holds nothing of use when `run` is called: also its
 * zeros are written. It is contiguous, with a byte_offset of 0. Only calls of real numbers that gave a result
 * are asked for. Where an API stretches or cuts updates, the caller adds up gradients, or puts in zeros.
 *
 * A call that breaks a rule of another kind than index is passed on unchanged: with the axis and sizes that
 * the API was given, and possibly with several broken rules. The output then has the shape of data or, for a
 * gather, the shape that follows from the other tensors; if none follows, the call is unsupported.
 */

/* The text of an attribute's value, such as `1,"batch_dims":...`; NULL if there is none of this name. */
static inline const char* scatterproof_attribute(const char* attributes, const char* name) {
  const size_t length = strlen(name);
  const char* at = attributes;
  while ((at = strchr(at, '"')) != NULL) {
    ++at;
    if (strncmp(at, name, length) == 0 && strncmp(at + length, "\":", 2) == 0) return at + length + 2;
  }
  return NULL;
}

/* The value of an attribute that is an integer; 0 if there is none of this name. */
static inline int64_t scatterproof_integer(const char* attributes, const char* name) {
  const char* text = scatterproof_attribute(attributes, name);
  return text == NULL ? 0 : (int64_t)strtoll(text, NULL, 10);
}

#ifdef __cplusplus
}
#endif

#endif
