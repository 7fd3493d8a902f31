# Writes a header to OUTPUT with the hash of LLVM's and MLIR's archives in FOLDER, by
# their sizes and times: a package keeps those of its build, and to read them all would
# take seconds. A header that says the same is left as it is.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
file(GLOB archives ${FOLDER}/libLLVM*.a ${FOLDER}/libMLIR*.a)
set(facts "")
foreach(archive ${archives})
  file(SIZE ${archive} size)
  file(TIMESTAMP ${archive} time "%s" UTC)
  string(APPEND facts "${archive} ${size} ${time}\n")
endforeach()
string(REPLACE "${FOLDER}/" "" facts "${facts}")
string(SHA256 hash "${facts}")
string(SUBSTRING ${hash} 0 16 hash)
set(header "#define LINTEL_LLVM_HASH \"${hash}\"\n")
set(known "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} known)
endif()
if(NOT known STREQUAL header)
  file(WRITE ${OUTPUT} "${header}")
endif()
