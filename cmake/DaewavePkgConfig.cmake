# daewave.pc, for those who build without CMake: pkg-config --cflags --libs daewave.

get_target_property(_definitions daewave_core INTERFACE_COMPILE_DEFINITIONS)
list(TRANSFORM _definitions PREPEND -D)
list(JOIN _definitions " " DAEWAVE_PC_DEFINITIONS)
if(BUILD_SHARED_LIBS)
  set(DAEWAVE_PC_LIBS -ldaewave)
else()
  # Each before those that it needs.
  get_property(_libraries GLOBAL PROPERTY DAEWAVE_LIBRARIES)
  list(REMOVE_ITEM _libraries daewave_reproduce)
  list(REVERSE _libraries)
  set(DAEWAVE_PC_LIBS "")
  foreach(_library IN LISTS _libraries)
    get_target_property(_type ${_library} TYPE)
    if(_type STREQUAL "STATIC_LIBRARY")
      string(APPEND DAEWAVE_PC_LIBS " -l${_library}")
    endif()
  endforeach()
  string(APPEND DAEWAVE_PC_LIBS " -lfmt")
  if(DAEWAVE_WITH_UMFPACK)
    string(APPEND DAEWAVE_PC_LIBS " -lumfpack -lcholmod")
  endif()
  if(TARGET daewave_parallel)
    string(APPEND DAEWAVE_PC_LIBS " -ltbb -pthread")
  endif()
endif()
# From lib/pkgconfig, or lib/<architecture>/pkgconfig.
file(RELATIVE_PATH DAEWAVE_PC_INCLUDE "/${CMAKE_INSTALL_LIBDIR}/pkgconfig"
     "/${CMAKE_INSTALL_INCLUDEDIR}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/daewave.pc.in" "${PROJECT_BINARY_DIR}/daewave.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/daewave.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT dev)
