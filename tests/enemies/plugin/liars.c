/* SPDX-License-Identifier: Apache-2.0 */
/* Bad libraries, one vice each: compiled once for every VICE, the name of a function below. Each of
 * them calls the scaffold's kernel first. */
#define scatterproof_kernels_v1 honest_kernels
#include "mine.c"
#undef scatterproof_kernels_v1
#include <stdio.h>
#include <stdlib.h>

#define ARGUMENTS                                                                                        \
  const char *operation, const char *attributes, const scatterproof_tensor *inputs, int32_t input_count, \
      scatterproof_tensor *outputs, int32_t output_count, char *words, size_t words_size
#define HONESTLY run(operation, attributes, inputs, input_count, outputs, output_count, words, words_size)
#define LIAR(name) static scatterproof_status name(ARGUMENTS)

static int64_t bytes_of(const scatterproof_tensor* tensor) { return count(tensor) * tensor->dtype.bits / 8; }

LIAR(beyond_the_end) {
  const scatterproof_status status = HONESTLY;
  ((char*)outputs[0].data)[bytes_of(&outputs[0])] ^= 1;
  return status;
}

LIAR(before_the_beginning) {
  const scatterproof_status status = HONESTLY;
  ((double*)outputs[0].data)[-1] = 0;
  return status;
}

LIAR(far_beyond) {
  const scatterproof_status status = HONESTLY;
  ((char*)outputs[0].data)[bytes_of(&outputs[0]) + 100000] = 1;
  return status;
}

LIAR(beyond_an_input) {
  const scatterproof_status status = HONESTLY;
  ((char*)inputs[1].data)[bytes_of(&inputs[1]) + 3] ^= 1;
  return status;
}

LIAR(beyond_and_refuses) {
  ((char*)outputs[0].data)[bytes_of(&outputs[0])] ^= 1;
  snprintf(words, words_size, "no");
  (void)operation, (void)attributes, (void)inputs, (void)input_count, (void)output_count;
  return SCATTERPROOF_REFUSED_VALUE;
}

LIAR(writes_and_refuses) {
  const scatterproof_status status = HONESTLY;
  snprintf(words, words_size, "no");
  return status == SCATTERPROOF_DONE ? SCATTERPROOF_REFUSED_VALUE : status;
}

/* One value too many is read, and nothing is written where it must not be. */
LIAR(adds_one_too_many) {
  const scatterproof_status status = HONESTLY;
  const int64_t last = count(&outputs[0]) - 1, behind = count(&inputs[1]);
  if (status != SCATTERPROOF_DONE || last < 0 || behind == 0) return status;
  if (outputs[0].dtype.bits == 32)
    ((float*)outputs[0].data)[last] += ((const float*)inputs[1].data)[behind];
  else
    ((double*)outputs[0].data)[last] += ((const double*)inputs[1].data)[behind];
  return status;
}

LIAR(changes_its_index) {
  const scatterproof_status status = HONESTLY;
  if (bytes_of(&inputs[0]) > 0) ((int64_t*)inputs[0].data)[0] += 1;
  return status;
}

LIAR(changes_its_updates) {
  const scatterproof_status status = HONESTLY;
  if (bytes_of(&inputs[1]) > 0) ((char*)inputs[1].data)[0] ^= 1;
  return status;
}

LIAR(loses_updates) {
  scatterproof_tensor fewer = inputs[0];
  int64_t shape[8] = {0};
  for (int d = 0; d < fewer.ndim; ++d) shape[d] = fewer.shape[d];
  if (fewer.ndim > 0 && shape[0] > 0) --shape[0];
  fewer.shape = shape;
  const scatterproof_tensor both[2] = {fewer, inputs[1]};
  return run(operation, attributes, both, input_count, outputs, output_count, words, words_size);
}

LIAR(segfaults) {
  *(volatile int*)8 = HONESTLY;
  return SCATTERPROOF_DONE;
}

LIAR(exits) {
  exit(HONESTLY);
  return SCATTERPROOF_DONE;
}

LIAR(hangs) {
  for (volatile int status = HONESTLY;;) (void)status;
  return SCATTERPROOF_DONE;
}

LIAR(returns_nonsense) { return (scatterproof_status)(HONESTLY + 77); }

LIAR(fails) {
  const scatterproof_status status = HONESTLY;
  snprintf(words, words_size, "out of sorts");
  return status == SCATTERPROOF_DONE ? SCATTERPROOF_FAILED : status;
}

/* A message without an end, of bytes that are not text in any encoding. */
LIAR(babbles) {
  (void)operation, (void)attributes, (void)inputs, (void)input_count, (void)outputs, (void)output_count;
  memset(words, 0xff, words_size);
  return SCATTERPROOF_REFUSED_VALUE;
}

LIAR(chatters) {
  for (int i = 0; i < 10000; ++i) puts("this is what a kernel may print");
  return HONESTLY;
}

/* Vices that show when a call is repeated: judged once, it is good. */
static int calls = 0;

LIAR(fails_when_repeated) {
  const scatterproof_status status = HONESTLY;
  if (calls++ < 2) return status;
  snprintf(words, words_size, "worn out");
  return SCATTERPROOF_FAILED;
}

LIAR(strays_when_repeated) {
  const scatterproof_status status = HONESTLY;
  if (calls++ >= 2) ((char*)outputs[0].data)[bytes_of(&outputs[0])] = 1;
  return status;
}

/* Writes into the tensor of a call that has returned. */
#define KEEPS_A_POINTER(tensor)                                 \
  static char* kept = NULL;                                     \
  const scatterproof_status status = HONESTLY;                  \
  if (kept != NULL) kept[0] ^= 1;                               \
  kept = bytes_of(&(tensor)) > 0 ? (char*)(tensor).data : NULL; \
  return status

LIAR(writes_to_its_last_result) { KEEPS_A_POINTER(outputs[0]); }
LIAR(writes_to_its_last_input) { KEEPS_A_POINTER(inputs[1]); }

/* Vices in the library's description of itself. */
LIAR(other_version) { return HONESTLY; }
LIAR(small_struct) { return HONESTLY; }
LIAR(null_struct) { return HONESTLY; }
LIAR(null_run) { return HONESTLY; }
LIAR(bad_description) { return HONESTLY; }
LIAR(no_device) { return HONESTLY; }
LIAR(leaves_gathers_alone) { return HONESTLY; }
LIAR(late_to_fail) { return HONESTLY; }

#define IS(name) (VICE == name)

static const char* describe_itself(char* words, size_t words_size) {
  if (IS(no_device)) {
    snprintf(words, words_size, "no abacus");
    return NULL;
  }
  if (IS(bad_description))
    return "{\"name\": \"mine\", \"version\": \"1\", \"device\": \"cpu\",\n \"kernals\": []}";
  if (IS(leaves_gathers_alone))
    return "{\"name\": \"mine\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": [{\"operation\":"
           "\"gather_elements\", \"dtypes\": [\"f32\", \"i64\"], \"index_dtypes\": [\"i64\"], \"layout\":"
           "\"contiguous\", \"wrap_negative\": true, \"checks\": []}]}";
  return describe(words, words_size);
}

static scatterproof_status does_nothing(ARGUMENTS) {
  (void)operation, (void)attributes, (void)inputs, (void)input_count, (void)outputs, (void)output_count;
  (void)words, (void)words_size;
  return SCATTERPROOF_DONE;
}

static scatterproof_status sync_fails(char* words, size_t words_size) {
  snprintf(words, words_size, "the device is on fire");
  return SCATTERPROOF_FAILED;
}

const scatterproof_kernels* scatterproof_kernels_v1(void);
__attribute__((visibility("default"))) const scatterproof_kernels* scatterproof_kernels_v1(void) {
  static scatterproof_kernels kernels;
  kernels.abi_version = SCATTERPROOF_KERNEL_ABI_VERSION + IS(other_version);
  kernels.struct_size = IS(small_struct) ? 16 : sizeof kernels;
  kernels.describe = describe_itself;
  kernels.run = IS(null_run) ? NULL : IS(leaves_gathers_alone) ? does_nothing : VICE;
  kernels.sync = IS(late_to_fail) ? sync_fails : NULL;
  return IS(null_struct) ? NULL : &kernels;
}
