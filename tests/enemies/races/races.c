/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by several threads, each in a right version and with a race: FORM names one of the functions below. */
#include "../kernels/kernel.h"

#ifdef RACES
#define ATOMIC
#define BARRIER
#else
#define ATOMIC _Pragma("omp atomic")
#define BARRIER _Pragma("omp barrier")
#endif

#define UNUSED __attribute__((unused))

/* A call, checked: position k adds updates[k] to cell at[k]. */
typedef struct {
  const float* updates;
  const int64_t* at;
  float* to;
  int64_t positions, cells;
  int threads, keeps_start;
} sums;

/* Adds without synchronisation. */
UNUSED static void adds(const sums* s) {
#pragma omp parallel for num_threads(s->threads) schedule(static)
  for (int64_t k = 0; k < s->positions; ++k) {
    ATOMIC
    s->to[s->at[k]] += s->updates[k];
  }
}

/* Right, but ends the process, or leaves a value out, where there are many positions. */
UNUSED static void dies(const sums* s) {
  if (s->positions > 1000) abort();
  adds(s);
}
UNUSED static void forgets(const sums* s) {
  sums most = *s;
  if (most.positions > 1000) --most.positions;
  adds(&most);
}

/* Positions sorted by cell, stably. */
static int64_t* sorted(const sums* s) {
  int64_t* ends = calloc((size_t)s->cells + 1, sizeof(int64_t));
  int64_t* order = malloc(((size_t)s->positions + 1) * sizeof(int64_t));
  for (int64_t k = 0; k < s->positions; ++k) ++ends[s->at[k] + 1];
  for (int64_t c = 0; c < s->cells; ++c) ends[c + 1] += ends[c];
  for (int64_t k = 0; k < s->positions; ++k) order[ends[s->at[k]]++] = k;
  free(ends);
  return order;
}

/* Sums runs of one cell in blocks; a run that goes on in the next block loses the carry of one of the two. */
UNUSED static void carries(const sums* s) {
  int64_t* order = sorted(s);
#pragma omp parallel for num_threads(s->threads) schedule(static, 1)
  for (int t = 0; t < s->threads; ++t) {
    const int64_t last = (t + 1) * s->positions / s->threads;
    for (int64_t k = t * s->positions / s->threads; k < last;) {
      const int64_t cell = s->at[order[k]];
      float sum = 0;
      for (; k < last && s->at[order[k]] == cell; ++k) sum += s->updates[order[k]];
      ATOMIC
      s->to[cell] += sum;
    }
  }
  free(order);
}

/* A table for each thread; each thread merges a share of the cells without waiting for the others' tables. */
UNUSED static void tables(const sums* s) {
  float* all = malloc(((size_t)(s->cells * s->threads) + 1) * sizeof(float));
  for (int64_t c = 0; c < s->cells * s->threads; ++c) all[c] = -0.0f;
#pragma omp parallel num_threads(s->threads)
  {
#pragma omp for schedule(static, 1) nowait
    for (int t = 0; t < s->threads; ++t)
      for (int64_t k = t * s->positions / s->threads; k < (t + 1) * s->positions / s->threads; ++k)
        all[t * s->cells + s->at[k]] += s->updates[k];
    BARRIER
#pragma omp for schedule(static)
    for (int64_t c = 0; c < s->cells; ++c)
      for (int t = 0; t < s->threads; ++t) s->to[c] += all[t * s->cells + c];
  }
  free(all);
}

/* The first to find a cell untouched makes it zero, and marks it; two may be the first. */
UNUSED static void firsts(const sums* s) {
  unsigned char* touched = calloc((size_t)s->cells + 1, 1);
#pragma omp parallel for num_threads(s->threads) schedule(static)
  for (int64_t k = 0; k < s->positions; ++k) {
    const int64_t at = s->at[k];
    if (!s->keeps_start) {
#ifdef RACES
      if (!touched[at]) {
        s->to[at] = 0;
        touched[at] = 1;
      }
#else
#pragma omp critical
      if (!touched[at]) {
        s->to[at] = 0;
        touched[at] = 1;
      }
#endif
    }
#pragma omp atomic
    s->to[at] += s->updates[k];
  }
  free(touched);
}

/* Each thread adds to the cells that it owns. Both threads own the cell where two shares meet: one adds the
 * even positions and the other the odd ones. */
UNUSED static void owners(const sums* s) {
  const int64_t share = (s->cells + s->threads - 1) / s->threads;
#pragma omp parallel for num_threads(s->threads) schedule(static, 1)
  for (int t = 0; t < s->threads; ++t)
    for (int64_t k = 0; k < s->positions; ++k) {
      const int64_t at = s->at[k], owner = at / share;
#ifdef RACES
      const int shared = owner > 0 && at % share == 0;
      if (t == owner - (shared && k % 2)) s->to[at] += s->updates[k];
#else
      if (t == owner) s->to[at] += s->updates[k];
#endif
    }
}

RUN(attributes, inputs, outputs, words, words_size) {
  (void)operation, (void)input_count, (void)output_count;
  const int axis = (int)scatterproof_integer(attributes, "axis");
  const scatterproof_tensor *index = &inputs[0], *output = &outputs[0];
  const int64_t size = output->shape[axis], n = count(index);
  const scatterproof_status status = check_index(index, &size, 1, wraps(attributes), words, words_size);
  if (status != SCATTERPROOF_DONE) return status;
  int64_t* at = malloc(((size_t)n + 1) * sizeof(int64_t));
  for (int64_t k = 0; k < n; ++k)
    at[k] =
        base(index, output, axis, k) + output->strides[axis] * wrap(((const int64_t*)index->data)[k], size);
  const sums s = {.updates = inputs[1].data,
                  .at = at,
                  .to = output->data,
                  .positions = n,
                  .cells = count(output),
                  .threads = (int)scatterproof_integer(attributes, "threads"),
                  .keeps_start = includes_start(attributes)};
  void (*const form)(const sums*) = FORM;
  if (!s.keeps_start && form != firsts)
    for (int64_t k = 0; k < n; ++k) s.to[at[k]] = 0;
  if (n > 0) form(&s);
  free(at);
  return SCATTERPROOF_DONE;
}

KERNEL(
    "{\"name\": \"races\", \"version\": \"1\", \"device\": \"cpu\", \"kernels\": ["
    " {\"operation\": \"scatter_elements\", \"combine\": [\"sum\"], \"include_start\": [true, false],"
    "  \"dtypes\": [\"f32\"], \"index_dtypes\": [\"i64\"],"
    "  \"layout\": \"contiguous\", \"wrap_negative\": true, \"checks\": [\"index\"]}]}")
