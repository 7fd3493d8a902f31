/* Loads liblintel.so as a plug-in would, twice, from another thread, and still
 * compiles when the process exits.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lintel-c/lintel.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *resolve(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (!symbol) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return symbol;
}

/* Fails in the library on purpose, so that the thread has an error message to
 * drop. */
static void *use(void *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  lintel_status (*create)(const lintel_engine_options *, lintel_engine **);
  void (*destroy)(lintel_engine *);
  lintel_status (*parse)(const char *, const char *, lintel_problem **);
  const char *(*lastError)(void);
  *(void **)&create = resolve(library, "lintel_engine_create");
  *(void **)&destroy = resolve(library, "lintel_engine_free");
  *(void **)&parse = resolve(library, "lintel_problem_parse");
  *(void **)&lastError = resolve(library, "lintel_last_error");

  lintel_engine *engine;
  lintel_problem *problem;
  if (create(NULL, &engine) != LINTEL_OK) {
    fprintf(stderr, "%s\n", lastError());
    exit(1);
  }
  if (parse("no problem", "f32", &problem) != LINTEL_PARSE ||
      strlen(lastError()) == 0)
    exit(1);
  destroy(engine);
  dlclose(library);
  return NULL;
}

static const char *libraryPath;

/* Was registered before the library was loaded, and so runs when the library's
 * own handlers have run, had it any. */
static void compileAtExit(void) {
  void *library = dlopen(libraryPath, RTLD_NOW | RTLD_LOCAL);
  lintel_status (*create)(const lintel_engine_options *, lintel_engine **);
  lintel_status (*parse)(const char *, const char *, lintel_problem **);
  lintel_status (*compile)(lintel_engine *, const lintel_problem *,
                           const lintel_compile_options *, lintel_linear **);
  *(void **)&create = resolve(library, "lintel_engine_create");
  *(void **)&parse = resolve(library, "lintel_problem_parse");
  *(void **)&compile = resolve(library, "lintel_compile");

  lintel_engine_options engineOptions = {sizeof engineOptions};
  engineOptions.disable_cache = 1;
  engineOptions.threads = 1;
  lintel_compile_options compileOptions = {sizeof compileOptions};
  compileOptions.budget_milliseconds = 1;
  lintel_engine *engine;
  lintel_problem *problem;
  lintel_linear *linear;
  if (create(&engineOptions, &engine) != LINTEL_OK ||
      parse("4x16:16x32 tanh", "f32", &problem) != LINTEL_OK ||
      compile(engine, problem, &compileOptions, &linear) != LINTEL_OK)
    _exit(1);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  libraryPath = argv[1];
  if (atexit(compileAtExit))
    return 1;
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, use, argv[1]) ||
        pthread_join(thread, NULL))
      return 1;
  }
  use(argv[1]);
  return 0;
}
