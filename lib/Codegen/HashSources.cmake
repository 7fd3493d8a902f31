# Writes a header with the hash of SOURCES (separated by commas) to OUTPUT.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
string(REPLACE "," ";" SOURCES "${SOURCES}")
set(hashes "")
foreach(source ${SOURCES})
  file(SHA256 ${source} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUTPUT} "#define LINTEL_SOURCE_HASH \"${hash}\"\n")
