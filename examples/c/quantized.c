/* A layer of 8-bit integers through the C API: scales and zero points, rows
 * that vary from call to call, every output checked.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lintel-c/lintel.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROWS = 32, DEPTH = 256, COLUMNS = 384 };

static void check(lintel_status status) {
  if (status == LINTEL_OK)
    return;
  fprintf(stderr, "error %d: %s\n", (int)status, lintel_last_error());
  exit(1);
}

static uint8_t x[MOST_ROWS * DEPTH], out[MOST_ROWS * COLUMNS];
static int8_t w[COLUMNS * DEPTH];
static float x_scale[MOST_ROWS], w_scale[COLUMNS], bias[COLUMNS];
static const int32_t x_zero = 128, out_zero = 120;
static const float out_scale = 0.5f;

/* Numbers that look random. */
static void fill(void) {
  for (unsigned i = 0; i < MOST_ROWS * DEPTH; ++i)
    x[i] = (uint8_t)(i * 2654435761u % 256);
  for (unsigned i = 0; i < COLUMNS * DEPTH; ++i)
    w[i] = (int8_t)((int)(i * 2654435761u % 255) - 127);
  for (int m = 0; m < MOST_ROWS; ++m)
    x_scale[m] = 0.02f + 0.001f * (float)m;
  for (int n = 0; n < COLUMNS; ++n) {
    w_scale[n] = 0.01f + 0.00001f * (float)n;
    bias[n] = (float)(n % 21 - 10);
  }
}

/* scale * (integer - zero), summed, and back: how far out is from that. */
static double error_of(int m, int n) {
  int32_t sum = 0;
  for (int k = 0; k < DEPTH; ++k)
    sum += (x[m * DEPTH + k] - x_zero) * w[n * DEPTH + k];
  double expected =
      ((double)sum * x_scale[m] * w_scale[n] + bias[n]) / out_scale + out_zero;
  expected = expected < 0 ? 0 : expected > 255 ? 255 : expected;
  const double difference = out[m * COLUMNS + n] - expected;
  return difference < 0 ? -difference : difference;
}

int main(void) {
  lintel_engine *engine;
  lintel_problem *problem;
  lintel_linear *layer;

  /* x and out are of u8, w is of s8; each number is scale * (integer - zero).
   * There is a scale for each row of x and each column of out. */
  check(lintel_problem_parse("?x256:256x384 dequant(x=row)+bias", "u8s8:u8",
                             &problem));
  check(lintel_engine_create(NULL, &engine));
  const int64_t mix[] = {1, MOST_ROWS};
  lintel_compile_options options = {0};
  options.struct_size = sizeof options;
  options.rows = mix;
  options.num_rows = 2;
  check(lintel_compile(engine, problem, &options, &layer));

  fill();
  check(lintel_linear_set_weight(layer, w, DEPTH));
  /* x's scale and zero point, w's scale, the stages' operands, out's scale and
   * zero point. No operand is written to. */
  const lintel_tensor operands[] = {
      {x_scale, 1}, {(void *)&x_zero, 0},    {w_scale, 0},
      {bias, 0},    {(void *)&out_scale, 0}, {(void *)&out_zero, 0}};
  const lintel_tensor outputs[] = {{out, COLUMNS}};
  const int calls[] = {1, 7, MOST_ROWS};
  int wrong = 0;
  for (int call = 0; call < 3; ++call) {
    check(lintel_linear_run(layer, x, DEPTH, calls[call], operands, 6, outputs,
                            1));
    for (int m = 0; m < calls[call]; ++m)
      for (int n = 0; n < COLUMNS; ++n)
        wrong += error_of(m, n) > 0.501; /* rounding, and a little of f32 */
  }
  printf("%d outputs are wrong\n", wrong);

  lintel_linear_free(layer);
  lintel_engine_free(engine);
  lintel_problem_free(problem);
  return wrong == 0 ? 0 : 1;
}
