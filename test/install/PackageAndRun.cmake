# Packages the build and runs what came out from another folder.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
function(run)
  execute_process(COMMAND env -i LINTEL_CACHE_DIR=${work}/cache ${ARGN}
    WORKING_DIRECTORY / OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN} ended with ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${work})
execute_process(COMMAND ${package} --built ${build} ${work} COMMAND_ERROR_IS_FATAL ANY)
# From the archive, and elsewhere than where it was made: nothing may know the place.
file(GLOB archive ${work}/lintel-*.tar.xz)
file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${work}/elsewhere)
file(GLOB made ${work}/lintel-*-x86_64)
file(REMOVE_RECURSE ${made})
file(GLOB tree ${work}/elsewhere/lintel-*-x86_64)

run(${tree}/bin/lintel check "5x7:7x9 bias+gelu_erf")
run(${tree}/bin/lintel-opt --version)
run(${tree}/bin/gemm_peak 1 "8x32:32x32 bias")
# What docs/c-api.md points at.
foreach(example linear quantized)
  run(PATH=$ENV{PATH} ${c} -std=c11 -I${tree}/include ${tree}/examples/c/${example}.c -L${tree}/lib -llintel
      -Wl,-rpath,${tree}/lib -o ${work}/${example})
  run(${work}/${example})
endforeach()
# And from C++: the C API is all that the library shows, and the program's C++ library its own.
run(${nm} --dynamic --defined-only --format=just-symbols ${tree}/lib/liblintel.so)
string(REGEX MATCHALL "[^\n]+" names "${output}")
list(FILTER names EXCLUDE REGEX "^lintel_")
if(names)
  message(FATAL_ERROR "liblintel.so exports ${names}")
endif()
run(PATH=$ENV{PATH} ${cxx} -std=c++17 -I${tree}/include ${source}/consumer/c/streams.cpp -L${tree}/lib -llintel
    -Wl,-rpath,${tree}/lib -o ${work}/streams)
run(${work}/streams)
# One test of each program whose exceptions, threads and linked code go through the library.
run(${tree}/bin/Tool-unit-test --gtest_brief=1)
run(${tree}/bin/JIT-unit-test --gtest_brief=1)
run(${tree}/bin/CAPI-unit-test --gtest_brief=1)
file(GLOB tests ${tree}/bin/*-test)
foreach(test ${tests})
  run(${test} --gtest_list_tests)
  if(NOT output MATCHES "\n  [A-Za-z]")
    message(FATAL_ERROR "${test} has no tests:\n${output}")
  endif()
endforeach()
run(${python} -B ${tree}/bench/compare.py --help)
run(${python} -B ${tree}/bench/compare_schedules.py --help)
run(${python} -B -c "
import sys; sys.path.insert(0, '${tree}/bench')
from comparison import environment, lintel_abi
library = lintel_abi.Library(environment.default_build() / 'lib' / 'liblintel.so')
engine = lintel_abi.Engine(library, 1, disable_cache=True)
engine.compile('3x8:8x4 bias', 'f32').close()
engine.close()")
