# One static library per room of the line, and the flags they all share.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(lintel_flags INTERFACE)
target_compile_options(lintel_flags INTERFACE
  -Wall -Wextra -Wno-unused-parameter -ffunction-sections -fdata-sections)
target_include_directories(lintel_flags INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_link_options(lintel_flags INTERFACE
  -fuse-ld=lld -Wl,--as-needed,--gc-sections,--icf=all)
if(LINTEL_SANITIZER)
  # Nothing is hidden here: a sanitizer's malloc must replace libc's in every library.
  # Whatever is found ends the process, or its test would pass. -fsanitize=function reads
  # the 8 bytes before a function, and a kernel may begin its mapping.
  target_compile_options(lintel_flags INTERFACE
    -fsanitize=${LINTEL_SANITIZER} -fno-sanitize=function -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(lintel_flags INTERFACE -fsanitize=${LINTEL_SANITIZER})
  if(LINTEL_SANITIZER MATCHES thread)
    # Tests replace operator new, and tsan's archive has one, too, all of which is linked.
    target_link_options(lintel_flags INTERFACE -Wl,-z,muldefs)
  endif()
else()
  target_link_options(lintel_flags INTERFACE -Wl,--exclude-libs,ALL)
endif()

# lintel_precompile(<target> HEADERS <header>... [LINKS ...]): one precompiled header, for
# other targets to reuse.
function(lintel_precompile target)
  cmake_parse_arguments(PCH "" "" "HEADERS;LINKS" ${ARGN})
  add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/cmake/PrecompiledHeader.cpp)
  target_link_libraries(${target} PRIVATE ${PCH_LINKS} lintel_flags)
  target_include_directories(${target} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_options(${target} PRIVATE -fpch-instantiate-templates)
  target_precompile_headers(${target} PRIVATE ${PCH_HEADERS})
endfunction()

# lintel_reuse_precompiled(<target> <of>): the header of lintel_precompile(<of> ...).
# -fPIC because executables would get -fPIE, which the header was not made with.
function(lintel_reuse_precompiled target of)
  target_compile_options(${target} PRIVATE -fpch-instantiate-templates -fPIC)
  target_precompile_headers(${target} REUSE_FROM ${of})
endfunction()

# Rooms that include MLIR headers compile against one precompiled header: a
# translation unit costs 3 s with it and 20 to 27 s without.
lintel_precompile(lintel_mlir_pch HEADERS ${PROJECT_SOURCE_DIR}/cmake/MLIRPch.h)

# The others against one of the standard library: 130 of their files take 167 s of CPU
# with it and 299 without. Of Lintel's headers both have those of the first room alone: a
# room must not find by accident what it may not include.
lintel_precompile(lintel_standard_pch HEADERS ${PROJECT_SOURCE_DIR}/cmake/StandardPch.h)

# lintel_use_mlir(<target> [<precompiled>]): MLIR's include paths and a precompiled header
# that has MLIR's, the one that rooms share unless another is named.
function(lintel_use_mlir target)
  target_include_directories(${target} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  list(APPEND ARGN lintel_mlir_pch)
  list(GET ARGN 0 precompiled)
  lintel_reuse_precompiled(${target} ${precompiled})
endfunction()

# How a library with lib/CAPI/ExitHandlers.cpp is linked, which says why.
set(LINTEL_OUTLIVES_EXIT -Wl,--wrap=__cxa_atexit,--wrap=__cxa_thread_atexit)

# lintel_add_program(<target>): an executable that packages hold, too (LintelPackage.cmake).
# -fPIC because its data may be in a shared library there.
function(lintel_add_program target)
  target_compile_options(${target} PRIVATE -fPIC)
  set_property(GLOBAL APPEND PROPERTY LINTEL_PROGRAMS ${target})
endfunction()

# lintel_generate_dialect(<target> <prefix> <Part>:<generator>...)
# Generates <prefix><Part>.h.inc and .cpp.inc from <prefix>Ops.td, as <target>.
function(lintel_generate_dialect target prefix)
  set(LLVM_TARGET_DEFINITIONS ${prefix}Ops.td)
  foreach(part ${ARGN})
    string(REPLACE ":" ";" part ${part})
    list(GET part 0 file)
    list(GET part 1 generator)
    mlir_tablegen(${prefix}${file}.h.inc -gen-${generator}-decls
                  EXTRA_INCLUDES ${MLIR_INCLUDE_DIRS})
    mlir_tablegen(${prefix}${file}.cpp.inc -gen-${generator}-defs
                  EXTRA_INCLUDES ${MLIR_INCLUDE_DIRS})
  endforeach()
  add_public_tablegen_target(${target})
endfunction()

# lintel_add_room(<Name> [MLIR] SOURCES ... LINKS ... [DEPENDS ...])
# Declares the static library Lintel<Name>; headers are included as
# "<Name>/File.h". DEPENDS names tablegen targets whose headers it includes.
function(lintel_add_room name)
  cmake_parse_arguments(ROOM "MLIR" "" "SOURCES;LINKS;DEPENDS" ${ARGN})
  add_library(Lintel${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(Lintel${name} PUBLIC ${ROOM_LINKS} PRIVATE lintel_flags)
  target_include_directories(Lintel${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/dialects ${PROJECT_SOURCE_DIR}/lib
    ${PROJECT_BINARY_DIR}/dialects ${PROJECT_BINARY_DIR}/lib)
  if(ROOM_MLIR)
    lintel_use_mlir(Lintel${name})
  else()
    lintel_reuse_precompiled(Lintel${name} lintel_standard_pch)
  endif()
  if(ROOM_DEPENDS)
    add_dependencies(Lintel${name} ${ROOM_DEPENDS})
  endif()
endfunction()
