/* The smallest complete user of the C API: one layer, run and checked.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lintel-c/lintel.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 32, DEPTH = 256, COLUMNS = 512 };

static void check(lintel_status status) {
  if (status == LINTEL_OK)
    return;
  fprintf(stderr, "error %d: %s\n", (int)status, lintel_last_error());
  exit(1);
}

/* Numbers between -1 and 1 that look random. */
static void fill(float *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    values[i] = (float)(i * 2654435761u % 2001) / 1000 - 1;
}

static float x[ROWS * DEPTH], w[COLUMNS * DEPTH], bias[COLUMNS],
    out[ROWS * COLUMNS];

int main(void) {
  lintel_engine *engine;
  lintel_problem *problem;
  lintel_linear *layer;

  /* out = relu(x * transpose(w) + bias), for any number of rows. */
  check(lintel_problem_parse("?x256:256x512 bias+relu", "f32", &problem));
  check(lintel_engine_create(NULL, &engine));
  /* The first time this tunes; from then on the kernel comes from the cache. */
  check(lintel_compile(engine, problem, NULL, &layer));

  fill(x, ROWS * DEPTH);
  fill(w, COLUMNS * DEPTH);
  fill(bias, COLUMNS);
  check(lintel_linear_set_weight(layer, w, DEPTH));
  const lintel_tensor operands[] = {{bias, 0}};
  const lintel_tensor outputs[] = {{out, COLUMNS}};
  check(lintel_linear_run(layer, x, DEPTH, ROWS, operands, 1, outputs, 1));

  const int row = 3, column = 17;
  double expected = bias[column];
  for (int k = 0; k < DEPTH; ++k)
    expected += (double)x[row * DEPTH + k] * w[column * DEPTH + k];
  if (expected < 0)
    expected = 0;
  const double actual = out[row * COLUMNS + column];
  printf("out[%d, %d] = %.5f, expected %.5f\n", row, column, actual, expected);

  lintel_linear_free(layer);
  lintel_engine_free(engine);
  lintel_problem_free(problem);
  const double difference = actual - expected;
  return difference < 1e-3 && difference > -1e-3 ? 0 : 1;
}
