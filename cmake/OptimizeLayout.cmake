# Lays the code of a shared library out by how often its parts run, for LintelPackage.cmake.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   cmake -D tools=FOLDER -D library=FILE -D soname=NAME -D trainer=PROGRAM
#         -D work=FOLDER -D output=FILE -P OptimizeLayout.cmake
#
# `library` is linked with --emit-relocs and not stripped; `output` is, and holds no
# relocations. `trainer` is bench/compile_time, linked against the library: BOLT counts the
# branches that it takes while it compiles kernels of several kinds, for CPUs that need not
# be this one.
if(NOT EXISTS ${tools}/llvm-bolt)
  message(FATAL_ERROR "${tools} lacks llvm-bolt: install bolt-22, as scripts/setup does")
endif()
set(instrumented ${work}/instrumented)
set(counts ${work}/counts)
file(REMOVE_RECURSE ${instrumented} ${counts})
file(MAKE_DIRECTORY ${instrumented} ${counts})

# run(<what for> <command>...): `printed` is what the command prints, which is shown if it
# fails.
function(run purpose)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${purpose}: ${command}\nended with ${status}\n${text}")
  endif()
  set(printed "${text}" PARENT_SCOPE)
endfunction()

# BOLT touches 7 GB of memory first: in huge pages a step takes 75 s of CPU instead of 88.
set(bolt ${CMAKE_COMMAND} -E env GLIBC_TUNABLES=glibc.malloc.hugetlb=1 ${tools}/llvm-bolt)

# Each run leaves a file with counts of its own.
run("instrumenting ${library}" ${bolt} ${library} -o ${instrumented}/${soname}
    -instrument --instrumentation-file=${counts}/run --instrumentation-file-append-pid)

# train(<target> <arguments>...): compile_time with the instrumented library, and with
# nothing of the builder's environment.
function(train target)
  file(GLOB before ${counts}/run*)
  run("training" env -i LD_LIBRARY_PATH=${instrumented}
      ${trainer} ${target},l1=32768,l2=1048576,l3=33554432,cores=2 rounds=1 ${ARGN})
  file(GLOB after ${counts}/run*)
  if(after STREQUAL before)
    message(FATAL_ERROR "${trainer} ran for ${target} with ${instrumented}/${soname} and "
                        "counted nothing")
  endif()
endfunction()
train(isa=avx512,cpu=znver4,extensions=avx512bf16+avx512vnni
      f32 "128x768:768x3072 bias+gelu_erf" 512x1024:1024x1024 "5..16x768:768x768 bias"
      bf16 "128x768:768x3072 bias+relu" u8s8 "1x768:768x768 bias")
train(isa=avx2,cpu=haswell
      f32 "128x768:768x3072 bias+gelu_erf" "1x768:768x768 bias" bf16 512x1024:1024x1024)
train(isa=avx512,cpu=sapphirerapids,extensions=amx-bf16+amx-int8+amx-tile+avx512bf16+avx512vnni
      bf16 "128x768:768x3072 bias+relu" 512x1024:1024x1024 u8s8 "128x768:768x3072 bias+relu")
file(GLOB runs ${counts}/run*)
run("adding up what the runs counted" ${tools}/merge-fdata -o ${work}/counts.fdata ${runs})

# The new code takes the old code's place, which without pages of 2 MiB has 386 KiB more
# than that takes; BOLT would else append a copy of all functions with a profile, 14 MB.
# Blocks and functions in the order in which they run save 15 % of a compilation; splitting
# cold blocks off would save 3 % more and cost 4 MB of .eh_frame. Nor -use-gnu-stack: stacks
# would be executable.
run("laying ${library} out" ${bolt} ${library} -o ${work}/laid-out
    -data=${work}/counts.fdata -reorder-blocks=ext-tsp -reorder-functions=cdsort -icf=all
    -use-old-text -no-huge-pages)
if(NOT printed MATCHES "using original .text for new code")
  message(FATAL_ERROR "llvm-bolt has no room for the new code where the old one is\n${printed}")
endif()
# 10,900 functions of 59,600 run in a compilation.
string(REGEX MATCH "([0-9]+) out of [0-9]+ functions in the binary" match "${printed}")
if(NOT match OR CMAKE_MATCH_1 LESS 5000)
  message(FATAL_ERROR "llvm-bolt finds too few functions in what the runs counted\n${printed}")
endif()
run("stripping ${work}/laid-out" ${tools}/llvm-strip ${work}/laid-out)
file(RENAME ${work}/laid-out ${output})
file(REMOVE_RECURSE ${instrumented} ${counts} ${work}/counts.fdata)
