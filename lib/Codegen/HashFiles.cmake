# Writes a header to OUTPUT that defines MACRO as the hash of FILES (separated by
# commas).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
string(REPLACE "," ";" FILES "${FILES}")
set(hashes "")
foreach(file ${FILES})
  file(SHA256 ${file} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUTPUT} "#define ${MACRO} \"${hash}\"\n")
