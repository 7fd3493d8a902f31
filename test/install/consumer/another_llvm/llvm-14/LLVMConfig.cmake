# As much of LLVM 14's package as clashes with that of LLVM 22.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(LLVM_VERSION_MAJOR 14)
set(LLVM_INCLUDE_DIRS /llvm-14/include)
if(NOT TARGET LLVMSupport)
  add_library(LLVMSupport STATIC IMPORTED)
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES ZLIB::ZLIB)
endif()
