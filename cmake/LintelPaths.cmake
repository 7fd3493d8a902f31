# Refuses folders whose paths hold white space, before anything is made in them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lit puts paths into commands without quotes: `rm -rf %t` of a test would remove other
# folders than its own.
foreach(folder IN ITEMS "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_BINARY_DIR}")
  if(folder MATCHES "[ \t\r\n]")
    message(FATAL_ERROR "The path '${folder}' holds white space, at which the commands of "
      "the lit tests come apart, so that they would remove folders that are not theirs. Move "
      "the sources, or the build folder, to a path without white space.")
  endif()
endforeach()
