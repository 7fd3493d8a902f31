# What pkg-config is told of an installed Lintel.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(LINTEL_PC_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/lintel.pc.in)

# lintel_write_pkg_config(<file>): for the folders of GNUInstallDirs, which may lie deep, as
# Debian's lib/x86_64-linux-gnu, or be absolute, as Nix has them: those do not move with the
# prefix.
function(lintel_write_pkg_config file)
  if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  else()
    file(RELATIVE_PATH up_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
    set(pc_prefix "\${pcfiledir}/${up_to_prefix}")
  endif()
  foreach(folder LIBDIR INCLUDEDIR)
    set(pc_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
    if(IS_ABSOLUTE ${CMAKE_INSTALL_${folder}})
      set(pc_${folder} ${CMAKE_INSTALL_${folder}})
    endif()
  endforeach()
  configure_file(${LINTEL_PC_TEMPLATE} ${file} @ONLY)
endfunction()
