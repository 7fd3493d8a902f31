# Finds LLVM and MLIR 22 and prepares their static archives for linking. What is
# missing is said in LINTEL_LLVM_MISSING, which is empty if nothing is.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(LINTEL_LLVM_MISSING)
if(LLVM_FOUND AND NOT LLVM_VERSION_MAJOR EQUAL 22)
  # Targets of two versions would have the same names.
  set(LINTEL_LLVM_MISSING "the project has found LLVM ${LLVM_VERSION} in ${LLVM_DIR} before; \
LLVM and MLIR 22 are needed, and one folder of a project has one version: name COMPONENTS C, or \
find Lintel in another folder")
  return()
endif()
find_program(LINTEL_LLVM_CONFIG NAMES llvm-config-22)
# LLVM's archives are linked with static ones, as LLVM itself is: what runs here runs on
# machines without them.
find_library(LINTEL_ZSTD_ARCHIVE NAMES libzstd.a)
find_library(LINTEL_ZLIB_ARCHIVE NAMES libz.a)
if(NOT LINTEL_LLVM_CONFIG)
  set(LINTEL_LLVM_MISSING "llvm-config-22 is not in PATH; LLVM and MLIR 22 are needed")
elseif(NOT LINTEL_ZSTD_ARCHIVE)
  set(LINTEL_LLVM_MISSING "libzstd.a, which LLVM needs, is not there")
elseif(NOT LINTEL_ZLIB_ARCHIVE)
  set(LINTEL_LLVM_MISSING "libz.a, which LLVM needs, is not there")
endif()
if(LINTEL_LLVM_MISSING)
  return()
endif()

execute_process(COMMAND ${LINTEL_LLVM_CONFIG} --prefix
                OUTPUT_VARIABLE LINTEL_LLVM_PREFIX OUTPUT_STRIP_TRAILING_WHITESPACE)
# LLVMSupport's exported link interface asks for this target, which Debian's
# zstd package does not define.
if(NOT TARGET zstd::libzstd_shared)
  add_library(zstd::libzstd_shared STATIC IMPORTED)
  set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION ${LINTEL_ZSTD_ARCHIVE})
endif()
find_package(MLIR 22.1 QUIET CONFIG HINTS ${LINTEL_LLVM_PREFIX}/lib/cmake/mlir)
if(NOT MLIR_FOUND)
  set(LINTEL_LLVM_MISSING "MLIR 22's CMake package is not in ${LINTEL_LLVM_PREFIX}")
elseif(NOT LLVM_VERSION_MAJOR EQUAL 22)
  set(LINTEL_LLVM_MISSING "LLVM in ${LLVM_DIR} is ${LLVM_VERSION_MAJOR}, not 22")
endif()
if(LINTEL_LLVM_MISSING)
  return()
endif()

# What one kernel compiler needs of MLIR and LLVM.
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

get_target_property(_lintel_links LLVMSupport INTERFACE_LINK_LIBRARIES)
string(REPLACE "ZLIB::ZLIB" ${LINTEL_ZLIB_ARCHIVE} _lintel_links "${_lintel_links}")
string(REPLACE "zstd::libzstd_shared" ${LINTEL_ZSTD_ARCHIVE} _lintel_links "${_lintel_links}")
set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${_lintel_links}")

# The exported MLIR archives name the shared libLLVM/libMLIR in their link
# interfaces. Linking both forms of one library registers its options twice and
# aborts at start-up, so LLVM's archives stand in. They must be named: GNU ld takes
# from an archive only what is undefined where it stands.
# GLOBAL, since MLIR may have been found in a folder above this one, whose targets link it.
if(NOT TARGET Lintel::LLVM)
  add_library(Lintel::LLVM INTERFACE IMPORTED GLOBAL)
  target_link_libraries(Lintel::LLVM INTERFACE ${LINTEL_LLVM_LIBS})
endif()
foreach(_lintel_target ${MLIR_EXPORTED_TARGETS})
  get_target_property(_lintel_links ${_lintel_target} INTERFACE_LINK_LIBRARIES)
  if(_lintel_links)
    list(FILTER _lintel_links EXCLUDE REGEX "^(MLIR|\\$<LINK_ONLY:MLIR>)$")
    list(TRANSFORM _lintel_links REPLACE "^(LLVM|\\$<LINK_ONLY:LLVM>)$" "Lintel::LLVM")
    set_target_properties(${_lintel_target} PROPERTIES INTERFACE_LINK_LIBRARIES "${_lintel_links}")
  endif()
endforeach()
unset(_lintel_links)
