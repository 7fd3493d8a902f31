# Lays the code of a shared library out by how often its parts run, for LintelPackage.cmake.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   cmake -D tools=FOLDER -D library=FILE -D soname=NAME -D trainer=PROGRAM
#         -D work=FOLDER -D output=FILE -P OptimizeLayout.cmake
#
# `library` is linked with --emit-relocs and not stripped; `output` is, and holds no
# relocations. `trainer` is bench/compile_time, linked against the library: BOLT counts the
# branches that it takes while it compiles kernels of each kind, for CPUs that need not be
# this one.
if(NOT EXISTS ${tools}/llvm-bolt)
  message(FATAL_ERROR "a package is laid out by llvm-bolt, which ${tools} lacks: "
                      "install bolt-22, as scripts/setup does")
endif()
set(instrumented ${work}/instrumented)
set(counts ${work}/counts)
file(REMOVE_RECURSE ${instrumented} ${counts})
file(MAKE_DIRECTORY ${instrumented} ${counts})

# run(<what for> <command>...): what the command prints is shown if it fails.
function(run purpose)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${purpose}: ${command}\nended with ${status}\n${text}")
  endif()
endfunction()

# Each run leaves a file with counts of its own.
run("instrumenting ${library}" ${tools}/llvm-bolt ${library} -o ${instrumented}/${soname}
    -instrument --instrumentation-file=${counts}/run --instrumentation-file-append-pid)

# train(<target> <arguments>...): compile_time with the instrumented library, which is found
# before the one that it was linked with, and with nothing of the builder's environment.
function(train target)
  run("training" env -i LD_LIBRARY_PATH=${instrumented}
      ${trainer} ${target},l1=32768,l2=1048576,l3=33554432,cores=2 ${ARGN})
endfunction()
train(isa=avx512,cpu=znver4,extensions=avx512bf16+avx512vnni
      f32 "128x768:768x3072 bias+gelu_erf" 512x1024:1024x1024 "5..16x768:768x768 bias"
      bf16 "128x768:768x3072 bias+relu" u8s8 "1x768:768x768 bias")
train(isa=avx2,cpu=haswell
      f32 "128x768:768x3072 bias+gelu_erf" "1x768:768x768 bias" bf16 512x1024:1024x1024)
train(isa=avx512,cpu=sapphirerapids,extensions=amx-bf16+amx-int8+amx-tile+avx512bf16+avx512vnni
      bf16 "128x768:768x3072 bias+relu" 512x1024:1024x1024 u8s8 "128x768:768x3072 bias+relu")
file(GLOB runs ${counts}/run*)
if(NOT runs)
  message(FATAL_ERROR "${trainer} ran with ${instrumented}/${soname} and counted nothing")
endif()
run("adding up what the runs counted" ${tools}/merge-fdata -o ${work}/counts.fdata ${runs})

# The new code takes the old code's place, which without pages of 2 MiB is large enough; a
# copy of all functions with a profile would take 14 MB. Blocks and functions in the order
# in which they run save 15 % of a compilation; splitting cold blocks off would save 2 %
# more and cost 4 MB of .eh_frame. Nor -use-gnu-stack: stacks would be executable.
run("laying ${library} out" ${tools}/llvm-bolt ${library} -o ${work}/laid-out
    -data=${work}/counts.fdata -reorder-blocks=ext-tsp -reorder-functions=cdsort -icf=all
    -use-old-text -no-huge-pages)
run("stripping ${work}/laid-out" ${tools}/llvm-strip ${work}/laid-out)
file(RENAME ${work}/laid-out ${output})
file(REMOVE_RECURSE ${instrumented} ${counts} ${work}/counts.fdata)
