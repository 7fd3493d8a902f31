# The tree that scripts/package makes: every program and liblintel.so, linked once more
# from the same objects, against one liblintel-core.so with all of Lintel and LLVM inside.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Linked by themselves, as in build/bin, the programs hold LLVM twenty times, 40 MB each.
# Here the core exports just what their objects and those of the C API lack, the C++
# library's symbols included: there is one of everything in a process, and the linker
# still drops what nobody uses. Its symbols have a version of their own, so that nobody
# else's references bind to them, and it binds its own to itself. Whoever links
# liblintel.so sees the C API and nothing else, as with the plain one. The core's code is
# laid out by what runs in a compilation (OptimizeLayout.cmake).
#
#   target lintel_package, then component Lintel_Package of the installation
find_package(GTest REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(LINTEL_PACKAGE_WORK ${PROJECT_BINARY_DIR}/package)
get_property(programs GLOBAL PROPERTY LINTEL_PROGRAMS)

# What the programs link, except what each package program has of its own.
add_library(lintel_package_contents INTERFACE)
set(program_objects)
foreach(program ${programs})
  get_target_property(links ${program} LINK_LIBRARIES)
  list(REMOVE_ITEM links lintel_flags LintelCAPI GTest::gmock_main)
  target_link_libraries(lintel_package_contents INTERFACE ${links})
  list(APPEND program_objects $<TARGET_OBJECTS:${program}>)
endforeach()
target_link_libraries(lintel_package_contents INTERFACE GTest::gmock)
lintel_collect_archives(lintel_package_contents archives)
list(REMOVE_ITEM archives lintel_package_contents)

# symbols.txt: what these objects do not define; core.map and undefined.rsp:
# the same as the linker wants it.
set(symbols ${LINTEL_PACKAGE_WORK}/symbols.txt)
set(version_script ${LINTEL_PACKAGE_WORK}/core.map)
set(undefined ${LINTEL_PACKAGE_WORK}/undefined.rsp)
set(object_list ${LINTEL_PACKAGE_WORK}/objects.rsp)
list(APPEND program_objects $<TARGET_FILE:GTest::gmock_main> $<TARGET_OBJECTS:LintelCAPI>)
file(GENERATE OUTPUT ${object_list} CONTENT "$<JOIN:${program_objects},\n>\n")
add_custom_command(
  OUTPUT ${symbols} ${version_script} ${undefined}
  COMMAND ${CMAKE_COMMAND} -D nm=${LINTEL_LLVM_PREFIX}/bin/llvm-nm -D objects=${object_list}
          -D symbols=${symbols} -D map=${version_script} -D undefined=${undefined}
          -P ${CMAKE_CURRENT_LIST_DIR}/PackageSymbols.cmake
  DEPENDS ${program_objects} ${object_list} ${CMAKE_CURRENT_LIST_DIR}/PackageSymbols.cmake
  VERBATIM)

# Lintel's own symbols are hidden, so that they do not leak from libraries that embed it;
# in copies of the archives those that the programs need are not.
set(visible_archives)
foreach(archive ${archives})
  set(visible ${LINTEL_PACKAGE_WORK}/archives/lib${archive}.a)
  add_custom_command(
    OUTPUT ${visible}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${LINTEL_PACKAGE_WORK}/archives
    COMMAND ${LINTEL_LLVM_PREFIX}/bin/llvm-objcopy --set-symbols-visibility=${symbols}=default
            $<TARGET_FILE:${archive}> ${visible}
    DEPENDS ${archive} ${symbols}
    VERBATIM)
  list(APPEND visible_archives ${visible})
endforeach()
add_custom_target(lintel_package_archives
  DEPENDS ${visible_archives} ${version_script} ${undefined})

# Files get their names when they are installed: here `ninja lintel` is to mean bin/lintel.
function(lintel_package_shared target soname)
  set_target_properties(${target} PROPERTIES
    LINKER_LANGUAGE CXX NO_SONAME ON LIBRARY_OUTPUT_DIRECTORY ${LINTEL_PACKAGE_WORK}/lib)
  target_link_options(${target} PRIVATE -fuse-ld=lld -static-libgcc -Wl,-soname,${soname}
    -Wl,--as-needed,--gc-sections,--icf=all,-Bsymbolic,--no-gnu-unique,-z,defs,-z,nodelete)
endfunction()

add_library(lintel_package_core SHARED EXCLUDE_FROM_ALL
  ${PROJECT_SOURCE_DIR}/lib/CAPI/ExitHandlers.cpp)
add_dependencies(lintel_package_core lintel_package_archives)
set(core_soname liblintel-core.so.${PROJECT_VERSION_MAJOR})
lintel_package_shared(lintel_package_core ${core_soname})
set_target_properties(lintel_package_core PROPERTIES
  LINK_DEPENDS "${visible_archives};${version_script};${undefined}")
target_link_libraries(lintel_package_core PRIVATE ${visible_archives} ${archives_EXTERNAL})
target_link_options(lintel_package_core PRIVATE ${LINTEL_OUTLIVES_EXIT} -static-libstdc++
  -Wl,--emit-relocs
  -Wl,--version-script=${version_script},--undefined-version -Wl,@${undefined})

add_library(lintel_package_library SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:LintelCAPI>)
set(soname liblintel.so.${PROJECT_VERSION_MAJOR})
lintel_package_shared(lintel_package_library ${soname})
set(capi_map ${PROJECT_SOURCE_DIR}/lib/CAPI/lintel.map)
set_target_properties(lintel_package_library PROPERTIES
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN" LINK_DEPENDS ${capi_map})
target_link_libraries(lintel_package_library PRIVATE lintel_package_core)
target_link_options(lintel_package_library PRIVATE ${LINTEL_OUTLIVES_EXIT} -nostdlib++ -s
  -Wl,--version-script=${capi_map})
install(PROGRAMS $<TARGET_FILE:lintel_package_library> DESTINATION lib RENAME ${soname}
  COMPONENT Lintel_Package EXCLUDE_FROM_ALL)
install(CODE "file(CREATE_LINK ${soname}
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/liblintel.so\" SYMBOLIC)"
  COMPONENT Lintel_Package EXCLUDE_FROM_ALL)

set(package_programs)
foreach(program ${programs})
  get_target_property(links ${program} LINK_LIBRARIES)
  add_executable(package_${program} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${program}>)
  set_target_properties(package_${program} PROPERTIES
    LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY ${LINTEL_PACKAGE_WORK}/bin
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib")
  target_link_libraries(package_${program} PRIVATE lintel_package_library lintel_package_core
    $<$<IN_LIST:GTest::gmock_main,${links}>:$<TARGET_FILE:GTest::gmock_main>>)
  # The C++ library is the one in the core.
  target_link_options(package_${program} PRIVATE
    -fuse-ld=lld -nostdlib++ -static-libgcc -s -Wl,--as-needed,--gc-sections)
  install(PROGRAMS $<TARGET_FILE:package_${program}> DESTINATION bin
    RENAME $<TARGET_FILE_NAME:${program}> COMPONENT Lintel_Package EXCLUDE_FROM_ALL)
  list(APPEND package_programs package_${program})
endforeach()

# The core as it is installed.
set(core ${LINTEL_PACKAGE_WORK}/layout/${core_soname})
add_custom_command(
  OUTPUT ${core}
  COMMAND ${CMAKE_COMMAND} -D tools=${LINTEL_LLVM_PREFIX}/bin
          -D library=$<TARGET_FILE:lintel_package_core> -D soname=${core_soname}
          -D trainer=$<TARGET_FILE:package_compile_time>
          -D work=${LINTEL_PACKAGE_WORK}/layout -D output=${core}
          -P ${CMAKE_CURRENT_LIST_DIR}/OptimizeLayout.cmake
  DEPENDS lintel_package_core package_compile_time
          ${CMAKE_CURRENT_LIST_DIR}/OptimizeLayout.cmake
  COMMENT "Laying out ${core_soname} by what runs in a compilation"
  VERBATIM)
install(PROGRAMS ${core} DESTINATION lib COMPONENT Lintel_Package EXCLUDE_FROM_ALL)
set(installed_core \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/${core_soname})
install(CODE "execute_process(COMMAND \"${Python3_EXECUTABLE}\"
    \"${CMAKE_CURRENT_LIST_DIR}/HideSymbolVersions.py\" \"${installed_core}\" COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT Lintel_Package EXCLUDE_FROM_ALL)
add_custom_target(lintel_package DEPENDS lintel_package_library ${package_programs} ${core})

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/docs/package.md DESTINATION .
  COMPONENT Lintel_Package EXCLUDE_FROM_ALL)
foreach(page ${LINTEL_PACKAGED_PAGES})
  get_filename_component(folder docs/${page} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/${page}.md DESTINATION ${folder}
    COMPONENT Lintel_Package EXCLUDE_FROM_ALL)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/examples/linear.mlir DESTINATION examples
  COMPONENT Lintel_Package EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/c ${PROJECT_SOURCE_DIR}/examples/python
  DESTINATION examples
  COMPONENT Lintel_Package EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/lintel-c DESTINATION include
  COMPONENT Lintel_Package EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/bench DESTINATION . USE_SOURCE_PERMISSIONS
  COMPONENT Lintel_Package EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN "*.py" PATTERN "*.c" PATTERN "*.txt" PATTERN "run_all"
  PATTERN CMakeLists.txt EXCLUDE PATTERN __pycache__ EXCLUDE)
