/* A linear layer out of libxsmm's batch-reduce kernels, as its user writes it.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libxsmm compiles small products and leaves blocking, packing and threads to
 * its caller. The weight [N, K] is packed into blocks [N / bn][K / bk][bk][bn];
 * a kernel adds the products of all K blocks of a chunk of K to one tile of bn
 * columns and bm rows. In libxsmm's column-major terms a tile of the output is
 * C[bn x bm] += A[bn x bk] B[bk x bm]. Arithmetic of the epilogue follows while
 * a tile is in L1, as in the fused layers that libxsmm has of its own.
 */
#include <libxsmm.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STAGES = 8 };

/* What becomes of each element of the output. */
typedef enum xsmm_operation {
  XSMM_ADD_ROW,  /* operand [n] */
  XSMM_ADD,      /* operand [m, n] */
  XSMM_MULTIPLY, /* operand [m, n] */
  XSMM_CLAMP,    /* to [low, high] */
} xsmm_operation;

typedef struct xsmm_stage {
  int32_t operation; /* an xsmm_operation */
  float low, high;
  const float *operand; /* the caller keeps it */
} xsmm_stage;

typedef struct xsmm_linear {
  int64_t m, n, k;
  int64_t bm, bn, bk; /* of a tile, and of a block of K */
  int64_t chunk;      /* blocks of K that one pass over the output takes */
  /* One kernel for each height, width and kind of chunk: [full rows, rest of
   * M][full columns, rest of N][overwrite, add]. */
  libxsmm_smmfunction_reducebatch_strd kernels[2][2][2];
  libxsmm_smmfunction_reducebatch_strd rest_of_k[2][2][2];
  xsmm_stage stages[MOST_STAGES];
  int64_t num_stages;
} xsmm_linear;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static libxsmm_smmfunction_reducebatch_strd
make_kernel(const xsmm_linear *layer, int64_t rows, int64_t columns,
            int64_t depth, int add) {
  const libxsmm_blasint lda = (libxsmm_blasint)columns;
  const libxsmm_blasint ldb = (libxsmm_blasint)layer->k;
  const libxsmm_blasint ldc = (libxsmm_blasint)layer->n;
  const float alpha = 1, beta = add ? 1.0f : 0.0f;
  if (rows == 0 || columns == 0 || depth == 0)
    return NULL;
  return libxsmm_smmdispatch_reducebatch_strd(
      (libxsmm_blasint)columns, (libxsmm_blasint)rows, (libxsmm_blasint)depth,
      (libxsmm_blasint)(columns * depth * (int64_t)sizeof(float)),
      (libxsmm_blasint)(depth * (int64_t)sizeof(float)), &lda, &ldb, &ldc,
      &alpha, &beta, NULL, NULL);
}

static int make_kernels(xsmm_linear *layer) {
  const int64_t rows[2] = {least(layer->bm, layer->m), layer->m % layer->bm};
  const int64_t columns[2] = {least(layer->bn, layer->n), layer->n % layer->bn};
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c)
      for (int add = 0; add < 2; ++add) {
        const int64_t rest = layer->k % layer->bk;
        const int needed = rows[r] != 0 && columns[c] != 0;
        layer->kernels[r][c][add] =
            make_kernel(layer, rows[r], columns[c], layer->bk, add);
        layer->rest_of_k[r][c][add] =
            make_kernel(layer, rows[r], columns[c], rest, add);
        if (needed && (!layer->kernels[r][c][add] ||
                       (rest != 0 && !layer->rest_of_k[r][c][add])))
          return 0;
      }
  return 1;
}

/* NULL if libxsmm has no kernel for these sizes on this CPU, or there are too
 * many stages. */
xsmm_linear *xsmm_linear_create(int64_t m, int64_t n, int64_t k, int64_t bm,
                                int64_t bn, int64_t bk, int64_t chunk,
                                const xsmm_stage *stages, int64_t num_stages) {
  xsmm_linear *layer =
      num_stages > MOST_STAGES ? NULL : calloc(1, sizeof(*layer));
  if (!layer)
    return NULL;
  libxsmm_init();
  *layer = (xsmm_linear){.m = m,
                         .n = n,
                         .k = k,
                         .bm = bm,
                         .bn = bn,
                         .bk = least(bk, k),
                         .chunk = chunk,
                         .num_stages = num_stages};
  memcpy(layer->stages, stages, (size_t)num_stages * sizeof(*stages));
  if (make_kernels(layer))
    return layer;
  free(layer);
  return NULL;
}

void xsmm_linear_free(xsmm_linear *layer) { free(layer); }

/* packed: n * k elements. */
void xsmm_linear_pack(const xsmm_linear *layer, const float *w, float *packed) {
  const int64_t n = layer->n, k = layer->k;
#pragma omp parallel for schedule(static)
  for (int64_t n0 = 0; n0 < n; n0 += layer->bn) {
    const int64_t columns = least(layer->bn, n - n0);
    float *panel = packed + n0 * k;
    for (int64_t i = 0; i < k; ++i)
      for (int64_t j = 0; j < columns; ++j)
        panel[i * columns + j] = w[(n0 + j) * k + i];
  }
}

/* Some columns of one row of the output. Compiled for each kind of vectors; the
 * one of this CPU runs. */
__attribute__((target_clones("avx512f", "avx2", "default"))) static void
apply_stage(const xsmm_stage *stage, const float *operand, float *out,
            int64_t columns) {
  switch ((xsmm_operation)stage->operation) {
  case XSMM_ADD_ROW:
  case XSMM_ADD:
    for (int64_t j = 0; j < columns; ++j)
      out[j] += operand[j];
    break;
  case XSMM_MULTIPLY:
    for (int64_t j = 0; j < columns; ++j)
      out[j] *= operand[j];
    break;
  case XSMM_CLAMP:
    for (int64_t j = 0; j < columns; ++j) {
      const float raised = out[j] < stage->low ? stage->low : out[j];
      out[j] = raised > stage->high ? stage->high : raised;
    }
    break;
  }
}

/* A tile of the output. */
typedef struct tile {
  int64_t row, column, rows, columns;
} tile;

static void apply_stages(const xsmm_linear *layer, tile at, float *out) {
  for (int64_t i = 0; i < at.rows; ++i)
    for (int64_t s = 0; s < layer->num_stages; ++s) {
      const xsmm_stage *stage = &layer->stages[s];
      const int64_t row = stage->operation == XSMM_ADD_ROW ? 0 : at.row + i;
      const float *operand = stage->operand; /* none of a clamp */
      apply_stage(stage, operand ? operand + row * layer->n + at.column : NULL,
                  out + (at.row + i) * layer->n + at.column, at.columns);
    }
}

/* K blocks [first, first + count) of a tile, and what is left of K and the
 * epilogue if `last`. */
static void run_tile(const xsmm_linear *layer, tile at, const float *x,
                     const float *packed, float *out, int64_t first,
                     int64_t count, int last) {
  const int short_rows = at.rows < least(layer->bm, layer->m);
  const int short_columns = at.columns < least(layer->bn, layer->n);
  const int64_t rest = layer->k % layer->bk;
  const float *rows = x + at.row * layer->k;
  const float *panel = packed + at.column * layer->k;
  float *sums = out + at.row * layer->n + at.column;
  int add = first != 0;
  if (count > 0) {
    unsigned long long blocks = (unsigned long long)count;
    layer->kernels[short_rows][short_columns][add](
        panel + first * layer->bk * at.columns, rows + first * layer->bk, sums,
        &blocks);
    add = 1;
  }
  if (!last)
    return;
  if (rest != 0) {
    unsigned long long one = 1;
    const int64_t done = layer->k - rest;
    layer->rest_of_k[short_rows][short_columns][add](panel + done * at.columns,
                                                     rows + done, sums, &one);
  }
  apply_stages(layer, at, out);
}

/* x [m, k], out [m, n]. */
void xsmm_linear_run(const xsmm_linear *layer, const float *x,
                     const float *packed, float *out) {
  const int64_t m = layer->m, n = layer->n;
  const int64_t blocks = layer->k / layer->bk;
#pragma omp parallel
  for (int64_t first = 0; first == 0 || first < blocks; first += layer->chunk) {
    const int64_t count = least(layer->chunk, blocks - first);
    /* The same tiles go to the same thread in every pass, so none has to wait.
     */
#pragma omp for collapse(2) schedule(static) nowait
    for (int64_t n0 = 0; n0 < n; n0 += layer->bn)
      for (int64_t m0 = 0; m0 < m; m0 += layer->bm) {
        const tile at = {m0, n0, least(layer->bm, m - m0),
                         least(layer->bn, n - n0)};
        run_tile(layer, at, x, packed, out, first, count,
                 first + count >= blocks);
      }
  }
}
