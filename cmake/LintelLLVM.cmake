# Finds LLVM and MLIR 22 and prepares their static archives for linking.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
find_program(LINTEL_LLVM_CONFIG NAMES llvm-config-22 REQUIRED)
execute_process(COMMAND ${LINTEL_LLVM_CONFIG} --prefix
                OUTPUT_VARIABLE LINTEL_LLVM_PREFIX OUTPUT_STRIP_TRAILING_WHITESPACE)

# LLVMSupport's exported link interface asks for this target, which Debian's
# zstd package does not define.
find_library(LINTEL_ZSTD_ARCHIVE NAMES libzstd.a REQUIRED)
if(NOT TARGET zstd::libzstd_shared)
  add_library(zstd::libzstd_shared STATIC IMPORTED)
  set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION ${LINTEL_ZSTD_ARCHIVE})
endif()

find_package(MLIR REQUIRED CONFIG HINTS ${LINTEL_LLVM_PREFIX}/lib/cmake/mlir)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "Lintel needs LLVM and MLIR 22, found ${LLVM_VERSION_MAJOR} in ${LLVM_DIR}")
endif()
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# Linked statically, as LLVM itself is: what runs here runs on machines without them.
find_library(LINTEL_ZLIB_ARCHIVE NAMES libz.a REQUIRED)
get_target_property(links LLVMSupport INTERFACE_LINK_LIBRARIES)
string(REPLACE "ZLIB::ZLIB" ${LINTEL_ZLIB_ARCHIVE} links "${links}")
string(REPLACE "zstd::libzstd_shared" ${LINTEL_ZSTD_ARCHIVE} links "${links}")
set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")

# The exported MLIR archives name the shared libLLVM/libMLIR in their link
# interfaces. Linking both forms of one library registers its options twice and
# aborts at start-up, so the shared names are removed.
foreach(target ${MLIR_EXPORTED_TARGETS})
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  if(links)
    list(FILTER links EXCLUDE REGEX "^(LLVM|MLIR|\\$<LINK_ONLY:LLVM>|\\$<LINK_ONLY:MLIR>)$")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")
  endif()
endforeach()

# What one kernel compiler needs of MLIR.
set(LINTEL_MLIR_LIBS
  MLIRParser MLIRPass MLIRTransforms MLIRIR MLIRSupport
  MLIRArithDialect MLIRMathDialect MLIRMemRefDialect MLIRSCFDialect MLIRVectorDialect
  MLIRTensorDialect MLIRFuncDialect MLIRLLVMDialect MLIRDestinationStyleOpInterface
  MLIRSCFToControlFlow MLIRVectorToLLVM MLIRVectorToLLVMPass MLIRMemRefToLLVM
  MLIRFuncToLLVM MLIRArithToLLVM MLIRMathToLLVM MLIRIndexToLLVM MLIRUBToLLVM
  MLIRControlFlowToLLVM MLIRConvertToLLVMPass MLIRReconcileUnrealizedCasts
  MLIRMathTransforms MLIRBuiltinToLLVMIRTranslation MLIRLLVMToLLVMIRTranslation
  MLIRTargetLLVMIRExport)
set(LINTEL_LLVM_LIBS
  LLVMOrcJIT LLVMX86CodeGen LLVMX86AsmParser LLVMX86Desc LLVMX86Disassembler LLVMX86Info
  LLVMPasses LLVMIRReader LLVMTargetParser LLVMSupport LLVMObject)
