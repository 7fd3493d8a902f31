# What `cmake --install` puts where, and how other projects find it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   find_package(Lintel 0.1 REQUIRED COMPONENTS C)     Lintel::C    liblintel.so
#   find_package(Lintel 0.1 REQUIRED COMPONENTS Cxx)   Lintel::Cxx  static, needs LLVM 22's packages
#   find_package(Lintel 0.1 REQUIRED)                  Lintel::C, and Lintel::Cxx where LLVM 22 is
#
# Components of the installation: Lintel_Development (libraries, headers, package
# files) and Lintel_Tools.
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/LintelPkgConfig.cmake)

set(LINTEL_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Lintel)
set(LINTEL_ARCHIVE_DIR ${CMAKE_INSTALL_LIBDIR}/lintel)

# lintel_collect_archives(<target> <variable>): the static libraries of Lintel's own
# that <target> links, itself included, and in <variable>_EXTERNAL what they link of
# others.
function(lintel_collect_archives root variable)
  set(pending ${root})
  set(archives)
  set(external)
  while(pending)
    list(POP_FRONT pending target)
    if(target IN_LIST archives)
      continue()
    endif()
    list(APPEND archives ${target})
    get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
    foreach(link ${links})
      if(NOT TARGET ${link})
        if(NOT link MATCHES "^\\$<|NOTFOUND$") # flags of ours, not libraries
          list(APPEND external ${link})
        endif()
        continue()
      endif()
      get_target_property(type ${link} TYPE)
      get_target_property(imported ${link} IMPORTED)
      if(type STREQUAL "STATIC_LIBRARY" AND NOT imported)
        list(APPEND pending ${link})
      else()
        list(APPEND external ${link})
      endif()
    endforeach()
  endwhile()
  list(REMOVE_DUPLICATES external)
  set(${variable} ${archives} PARENT_SCOPE)
  set(${variable}_EXTERNAL ${external} PARENT_SCOPE)
endfunction()

# The C library: needs nothing of LLVM where it is used.
set_target_properties(LintelCAPI PROPERTIES EXPORT_NAME C)
install(TARGETS LintelCAPI EXPORT LintelTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Lintel_Development)
install(EXPORT LintelTargets NAMESPACE Lintel:: DESTINATION ${LINTEL_PACKAGE_DIR}
  COMPONENT Lintel_Development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT Lintel_Development FILES_MATCHING PATTERN "*.h")

# The C++ library: one archive a room.
lintel_collect_archives(LintelEngine LINTEL_ARCHIVES)
install(TARGETS ${LINTEL_ARCHIVES} ARCHIVE DESTINATION ${LINTEL_ARCHIVE_DIR}
  COMPONENT Lintel_Development)
set(LINTEL_ARCHIVE_FILES)
foreach(target ${LINTEL_ARCHIVES})
  list(APPEND LINTEL_ARCHIVE_FILES
    ${CMAKE_STATIC_LIBRARY_PREFIX}${target}${CMAKE_STATIC_LIBRARY_SUFFIX})
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/LintelConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/LintelConfig.cmake
  INSTALL_DESTINATION ${LINTEL_PACKAGE_DIR}
  PATH_VARS LINTEL_ARCHIVE_DIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/LintelConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
lintel_write_pkg_config(${PROJECT_BINARY_DIR}/package/lintel.pc)
install(FILES ${PROJECT_BINARY_DIR}/package/LintelConfig.cmake
              ${PROJECT_BINARY_DIR}/package/LintelConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/LintelLLVM.cmake
  DESTINATION ${LINTEL_PACKAGE_DIR} COMPONENT Lintel_Development)
install(FILES ${PROJECT_BINARY_DIR}/package/lintel.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT Lintel_Development)

# The pages for users, and what they point at. Packages, which have no C++ API, hold these
# alone (LintelPackage.cmake).
set(LINTEL_PACKAGED_PAGES
  c-api cache-format cli comparison decisions environment generated/LintelDialect
  generated/LintelPasses generated/TmmDialect package
  performance performance-amx performance-log performance-zen3 performance-zen4 performance-zen5
  tuning)
foreach(page ${LINTEL_PACKAGED_PAGES} cpp-api)
  get_filename_component(folder ${page} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/${page}.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder} COMPONENT Lintel_Development)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT Lintel_Development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT Lintel_Development
  PATTERN CMakeLists.txt EXCLUDE PATTERN __pycache__ EXCLUDE)

# Of the same names but for lintel-tool, which is called lintel.
install(TARGETS lintel-tool lintel-opt lintel-lsp-server
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Lintel_Tools)
