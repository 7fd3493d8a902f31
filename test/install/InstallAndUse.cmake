# Installs the build into a fresh prefix, builds the consumers against it, runs them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${work})
set(prefix ${work}/prefix)
set(library ${prefix}/${libdir}/liblintel.so)
set(ENV{LINTEL_CACHE_DIR} ${work}/cache)
run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
foreach(tool lintel lintel-opt lintel-lsp-server)
  run(${prefix}/bin/${tool} --version)
endforeach()

# Nothing but the C API may be visible, whatever is linked inside.
execute_process(COMMAND ${nm} -D --defined-only --format=posix ${library}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n$" "" symbols "${symbols}")
string(REPLACE "\n" ";" symbols "${symbols}")
list(LENGTH symbols count)
if(count LESS 10)
  message(FATAL_ERROR "liblintel.so exports ${count} symbols; the C API is missing")
endif()
foreach(symbol ${symbols})
  if(NOT symbol MATCHES "^lintel_")
    message(FATAL_ERROR "liblintel.so exports ${symbol}")
  endif()
endforeach()

# With the machine's own compilers and linker, where it has others than those that Lintel
# was built with.
find_program(c NAMES cc ${fallback_c} REQUIRED)
find_program(cxx NAMES c++ ${fallback_cxx} REQUIRED)
# configure(<consumer> <folder> <definitions>...)
function(configure consumer folder)
  run(${CMAKE_COMMAND} -S ${source}/${consumer} -B ${work}/${folder} -G ${generator}
      -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${prefix} -D EXAMPLES=${examples}
      -D CMAKE_C_COMPILER=${c} -D CMAKE_CXX_COMPILER=${cxx} ${ARGN} --no-warn-unused-cli)
endfunction()
foreach(consumer c cxx mlir_above)
  configure(${consumer} ${consumer} -D HINT=${mlir})
  run(${CMAKE_COMMAND} --build ${work}/${consumer})
endforeach()
foreach(example linear quantized)
  run(${work}/c/consumer-c-${example})
  run(${work}/cxx/consumer-cxx-${example})
endforeach()
run(${CMAKE_COMMAND} -E env --unset=LINTEL_LOG ${work}/cxx/consumer-cxx-module)
run(${work}/mlir_above/below/consumer-below)

configure(cxx keeps_mlir -D WITH=MLIR -D HINT=${mlir} -D KEEPS=MLIRIR)
configure(cxx keeps_llvm -D WITH=LLVM -D HINT=${mlir}/../llvm -D KEEPS=LLVMSupport)
# Also the second time, with what the first has left in the cache.
foreach(time first second)
  configure(another_llvm another_llvm)
endforeach()
run(${work}/c/consumer-dlopen ${library})

find_program(pkg_config NAMES pkg-config pkgconf REQUIRED)
set(ENV{PKG_CONFIG_PATH} ${prefix}/${libdir}/pkgconfig)
execute_process(COMMAND ${pkg_config} --cflags --libs lintel OUTPUT_VARIABLE flags
  COMMAND_ERROR_IS_FATAL ANY OUTPUT_STRIP_TRAILING_WHITESPACE)
separate_arguments(flags UNIX_COMMAND "${flags}")
run(${c} -std=c11 ${examples}/c/linear.c ${flags} -Wl,-rpath,${prefix}/${libdir}
    -o ${work}/consumer-pkg-config)
run(${work}/consumer-pkg-config)
