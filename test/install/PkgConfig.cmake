# The file for pkg-config, with relative folders and with absolute ones.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${cmake}/LintelPkgConfig.cmake)
set(PROJECT_VERSION 1.2.3)
set(CMAKE_INSTALL_PREFIX /usr)

function(expect lines)
  lintel_write_pkg_config(${work}/lintel.pc)
  file(READ ${work}/lintel.pc text)
  if(NOT text MATCHES "^${lines}\n")
    message(FATAL_ERROR "expected ${lines}, is ${text}")
  endif()
endfunction()

set(CMAKE_INSTALL_LIBDIR lib/x86_64-linux-gnu)
set(CMAKE_INSTALL_INCLUDEDIR include)
expect("prefix=[$]{pcfiledir}/../../../\nlibdir=[$]{prefix}/lib/x86_64-linux-gnu\nincludedir=[$]{prefix}/include")
set(CMAKE_INSTALL_LIBDIR /opt/l/lib64)
set(CMAKE_INSTALL_INCLUDEDIR /opt/l/include)
expect("prefix=/usr\nlibdir=/opt/l/lib64\nincludedir=/opt/l/include")
