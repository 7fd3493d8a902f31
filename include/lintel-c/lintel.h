/* The C ABI of Lintel.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Handles are opaque. Every call that can fail returns a status; the message of
 * the last failure on the calling thread is lintel_last_error(). Options
 * structs begin with their size: set it to sizeof the struct you compiled
 * against, and zero the rest for defaults. No call throws or aborts on bad
 * arguments.
 *
 *   lintel_engine *engine;
 *   if (lintel_engine_create(NULL, &engine) != LINTEL_OK)
 *     die(lintel_last_error());
 */
#ifndef LINTEL_C_LINTEL_H
#define LINTEL_C_LINTEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LINTEL_API __attribute__((visibility("default")))

#define LINTEL_VERSION_MAJOR 0
#define LINTEL_VERSION_MINOR 1
#define LINTEL_VERSION_PATCH 0

/** The numbers are those of lintel::ErrorCode. */
typedef enum lintel_status {
  LINTEL_OK = 0,
  LINTEL_INVALID_ARGUMENT = 1, /**< an argument of the call */
  LINTEL_PARSE = 2,            /**< text that does not follow its format */
  /** Well-formed, but nothing Lintel can compile, or not here (a forked child).
   */
  LINTEL_UNSUPPORTED = 3,
  LINTEL_IO = 4, /**< the operating system refused memory */
  /** Stored data that fails its checks. No call here returns it: a layer whose
   * entry in the cache is such is tuned again. */
  LINTEL_CORRUPT = 5,
  /** No schedule gave a kernel: code generation or loading failed, or registers
   * do not suffice. */
  LINTEL_COMPILE = 6,
  /** A kernel disagreed with the reference, and none was right. */
  LINTEL_WRONG_RESULT = 7,
  LINTEL_CANCELLED = 8, /**< stopped before there was a result */
  /** A defect of Lintel itself, no memory for it, an executor that breaks its
   * contract, or what `stop` throws. */
  LINTEL_INTERNAL = 9
} lintel_status;

typedef struct lintel_engine lintel_engine;   /**< thread-safe */
typedef struct lintel_problem lintel_problem; /**< immutable */
typedef struct lintel_linear lintel_linear;   /**< run is thread-safe */

/** body(context, tid, nthreads) for each tid in [0, nthreads). */
typedef void (*lintel_parallel_body)(void *context, int32_t tid,
                                     int32_t nthreads);
/** The embedder's own pool; docs/c-api.md has the contract. */
typedef void (*lintel_executor)(void *user, int32_t max_threads,
                                lintel_parallel_body body, void *context);

typedef struct lintel_engine_options {
  size_t struct_size;          /**< sizeof(lintel_engine_options) */
  const char *cache_directory; /**< absolute; NULL: from the environment */
  int32_t disable_cache;       /**< nonzero: neither read nor write the cache */
  /** 0: LINTEL_THREADS, else the CPUs that the creating thread may use. */
  int32_t threads;
  lintel_executor executor; /**< NULL: OpenMP */
  void *executor_user;
} lintel_engine_options;

/** Nonzero ends a tuning. */
typedef int32_t (*lintel_stop)(void *user);

typedef struct lintel_compile_options {
  size_t struct_size; /**< sizeof(lintel_compile_options) */
  /** For timing candidates; noise may take several times as much, and compiling
   * and verifying them come on top. 0: the default, 300. It is no part of what
   * identifies a layer: one that is there is served whatever it was tuned with.
   */
  double budget_milliseconds;
  const char *schedule; /**< pins a schedule; NULL or "": tune */
  /** For a problem with '?' rows, not '?@64': the numbers of rows that calls
   * will have, at most 8, in any order; a kernel is tuned for each. NULL or
   * none: 1, 4, 16, 64 and 512. */
  const int64_t *rows;
  size_t num_rows;
  int32_t retune; /**< nonzero: tune again, and replace what is there */
  /** Asked on the calling thread, between measurements, where nonzero keeps the
   * best so far (LINTEL_CANCELLED if nothing is verified yet), and while
   * another thread tunes, where it cancels. It may compile nothing with the
   * engine but layers that it has. NULL: never. */
  lintel_stop stop;
  void *stop_user;
} lintel_compile_options;

/** A matrix of the caller's; stride in elements, between rows (between elements
 * of an operand that has one for each row; ignored for one that is a row, as a
 * bias is, or a number). Any alignment works; kernels are chosen for data
 * aligned to 64 bytes, and AMX loads rows of x that straddle cache lines at
 * half the speed, or a quarter. */
typedef struct lintel_tensor {
  void *data;
  int64_t stride;
} lintel_tensor;

/** "0.1.0". */
LINTEL_API const char *lintel_version(void);
/** Message of the last failure on this thread; "" if none. Valid until the next
 * call. */
LINTEL_API const char *lintel_last_error(void);

/** The numbers are those of lintel::LogLevel. */
typedef enum lintel_log_level {
  LINTEL_LOG_TRACE = 0,
  LINTEL_LOG_DEBUG = 1,
  LINTEL_LOG_INFO = 2,
  LINTEL_LOG_WARN = 3,
  LINTEL_LOG_ERROR = 4
} lintel_log_level;
/** message: one line of printable text without an end of line, valid until the
 * call returns. */
typedef void (*lintel_log)(void *user, lintel_log_level level,
                           const char *message);
/** From now on the process's messages go to `log`, and not to stderr; NULL
 * gives stderr back. Which there are is up to LINTEL_LOG. Calls come from any
 * thread, from several at once, in the middle of its work: `log` must not call
 * an engine or a layer. A thread may still be in an earlier one when this
 * returns: what `user` points to must stay. */
LINTEL_API lintel_status lintel_set_log(lintel_log log, void *user);

/** options: NULL for the defaults. LINTEL_INVALID_ARGUMENT: a number of threads
 * that is none, a relative cache_directory, a LINTEL_* variable with a wrong
 * value. LINTEL_UNSUPPORTED: a level or emulation (LINTEL_ISA,
 * LINTEL_EMULATE_AMX) that the machine cannot have, or a policy against making
 * memory executable. A cache that cannot be used is none, with a warning. */
LINTEL_API lintel_status lintel_engine_create(
    const lintel_engine_options *options, lintel_engine **engine);
LINTEL_API void lintel_engine_free(lintel_engine *engine);
/** What the engine found and settled on, as one line of JSON: CPU, level and
 * target, threads, the OpenMP runtime in use, whether and why not there is a
 * cache (docs/c-api.md). Decides on the OpenMP runtime, if no parallel call has
 * done so yet. Valid as long as the engine; "" for NULL, or without memory. */
LINTEL_API const char *lintel_engine_report(lintel_engine *engine);
/** Measures what the engine's threads reach together, now, in GFLOP/s, with the
 * best instruction that multiplies the types of `dtype`, which is as for
 * lintel_problem_parse (of f16 a quarter of that of bf16 where tile registers
 * multiply bf16 alone): about 50 ms, longer if another thread is tuning with
 * the engine. LINTEL_INVALID_ARGUMENT: types that no layer has, or a call out
 * of another one to the engine, by its stop or executor; LINTEL_INTERNAL: an
 * executor that breaks its contract. This and lintel_compile are
 * LINTEL_UNSUPPORTED in a process that was forked while a thread of its parent
 * was in one of them with the engine. */
LINTEL_API lintel_status lintel_engine_measure_peak(lintel_engine *engine,
                                                    const char *dtype,
                                                    double *gflops);

/** text: "128x768:768x3072 bias+gelu_erf"; dtype: "f32", "bf16", "f16", or
 * "bf16:f32" and "f16:f32" for a result in f32; "u8s8", "s8s8", "u8s8:u8", ...
 * for integers; "f16,accumulate=f16" where sums of short runs of K may be of
 * f16, "u8s8,accumulate=s16" where those of two products may be of s16 and
 * saturate (not with weights of -64 to 63). Tensors hold elements of these
 * types; operands are of the result's, f32 where that is an integer. Layers of
 * integers take their scales (f32) and zero points (s32) as operands, too:
 * docs/c-api.md. */
LINTEL_API lintel_status lintel_problem_parse(const char *text,
                                              const char *dtype,
                                              lintel_problem **problem);
/** The layer of a module of MLIR, as text: that of its only lintel.linear op,
 * whose region is the epilogue, of any elementwise operations and with several
 * outputs where there are such. Operands are named "operand0" and so on
 * (docs/c-api.md). LINTEL_PARSE: no MLIR, or none that verifies;
 * LINTEL_INVALID_ARGUMENT: no layer, or several; LINTEL_UNSUPPORTED: one that
 * cannot become a kernel. Whether there is a reference to check its epilogue
 * against is seen by lintel_compile, which is LINTEL_UNSUPPORTED without. */
LINTEL_API lintel_status lintel_problem_parse_module(const char *module,
                                                     lintel_problem **problem);
LINTEL_API void lintel_problem_free(lintel_problem *problem);
/** Outputs that lintel_linear_run expects; 0 for NULL. */
LINTEL_API size_t lintel_problem_num_outputs(const lintel_problem *problem);
/** Epilogue operands that lintel_linear_run expects; 0 for NULL. */
LINTEL_API size_t lintel_problem_num_operands(const lintel_problem *problem);
/** How an operand extends over the output [rows, N]. The numbers are those of
 * lintel::Broadcast. */
typedef enum lintel_broadcast {
  LINTEL_SCALAR = 0, /**< one element */
  LINTEL_COLUMN = 1, /**< [N], one element a column, as of a bias */
  LINTEL_ROW = 2,    /**< [rows], one element a row */
  LINTEL_FULL = 3    /**< [rows, N] */
} lintel_broadcast;
typedef struct lintel_operand {
  const char *name;  /**< the stage that reads it, "bias", the second of that
                          name "bias2"; or "x_scale", ... */
  const char *dtype; /**< of its elements: "f32", "bf16", "s32", ... */
  lintel_broadcast broadcast;
} lintel_operand;
/** What lintel_linear_run expects as operand `index`. The texts are valid as
 * long as the problem. */
LINTEL_API lintel_status lintel_problem_operand(const lintel_problem *problem,
                                                size_t index,
                                                lintel_operand *operand);

/** From the cache, else tuned. The engine may be freed before the layer, but
 * executor_user must outlive both. LINTEL_INVALID_ARGUMENT: options that
 * contradict the problem or each other, a schedule that is illegal for it, or a
 * call out of another one to the engine, but for a layer that the engine has;
 * LINTEL_PARSE: no schedule's text; LINTEL_UNSUPPORTED: an epilogue without a
 * reference, a forked process (as above), or an option that this library does
 * not know; LINTEL_COMPILE, LINTEL_WRONG_RESULT: no schedule, or not the pinned
 * one, gave a kernel, or one that is right; LINTEL_IO: too little memory;
 * LINTEL_CANCELLED: stopped before anything was verified, or while another
 * thread tuned; LINTEL_INTERNAL: what its description says. */
LINTEL_API lintel_status lintel_compile(lintel_engine *engine,
                                        const lintel_problem *problem,
                                        const lintel_compile_options *options,
                                        lintel_linear **linear);
LINTEL_API void lintel_linear_free(lintel_linear *linear);
/** Packs w [N, K], ldw elements between rows. w is not kept.
 * LINTEL_INVALID_ARGUMENT: w is NULL, ldw is less than K, or so large that no
 * memory holds the rows; LINTEL_IO: no memory for the packed weight;
 * LINTEL_INTERNAL: an executor that breaks its contract. On failure the layer
 * keeps the weight that it had. A layer of no rows or no columns looks at
 * neither argument. */
LINTEL_API lintel_status lintel_linear_set_weight(lintel_linear *linear,
                                                  const void *w, int64_t ldw);
/** x [rows, K]; operands in the order the epilogue names them; outputs
 * [rows, N], which may not overlap with x or with each other. A full operand
 * may be the memory of an output if their types and strides agree; any other
 * overlap with an operand gives wrong results, and is LINTEL_INVALID_ARGUMENT
 * where both begin at one address. */
LINTEL_API lintel_status lintel_linear_run(
    const lintel_linear *linear, const void *x, int64_t ldx, int64_t rows,
    const lintel_tensor *operands, size_t num_operands,
    const lintel_tensor *outputs, size_t num_outputs);
/** The tuning report as one line of JSON; valid as long as the layer; "" for
 * NULL. */
LINTEL_API const char *lintel_linear_report(const lintel_linear *linear);

#ifdef __cplusplus
}
#endif

#endif /* LINTEL_C_LINTEL_H */
