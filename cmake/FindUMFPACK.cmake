# Finds UMFPACK, the sparse LU factorization of SuiteSparse, and defines SuiteSparse::UMFPACK.
#
# SuiteSparse 7 brings a CMake package, which is used where it exists; older ones are looked up by
# header and library. Sets UMFPACK_FOUND, UMFPACK_VERSION, UMFPACK_INCLUDE_DIR, UMFPACK_LIBRARY.

if(TARGET SuiteSparse::UMFPACK)
  set(UMFPACK_FOUND TRUE)
  return()
endif()

find_package(UMFPACK CONFIG QUIET)
if(TARGET SuiteSparse::UMFPACK)
  return()
endif()

find_path(UMFPACK_INCLUDE_DIR umfpack.h PATH_SUFFIXES suitesparse)
find_library(UMFPACK_LIBRARY umfpack)
set(_umfpack_needs)
if(UMFPACK_LIBRARY AND UMFPACK_LIBRARY MATCHES "\\.a$")
  # A shared libumfpack knows what it needs; a static one has to be told.
  foreach(_name IN ITEMS cholmod colamd ccolamd camd amd suitesparseconfig lapack blas)
    find_library(UMFPACK_${_name}_LIBRARY ${_name})
    mark_as_advanced(UMFPACK_${_name}_LIBRARY)
    if(UMFPACK_${_name}_LIBRARY)
      list(APPEND _umfpack_needs "${UMFPACK_${_name}_LIBRARY}")
    endif()
  endforeach()
endif()

set(UMFPACK_VERSION)
if(UMFPACK_INCLUDE_DIR)
  file(STRINGS "${UMFPACK_INCLUDE_DIR}/umfpack.h" _umfpack_lines
       REGEX "^#define[ \t]+UMFPACK_(MAIN|SUB|SUBSUB)_VERSION[ \t]+[0-9]+")
  foreach(_part IN ITEMS MAIN SUB SUBSUB)
    if(_umfpack_lines MATCHES "UMFPACK_${_part}_VERSION[ \t]+([0-9]+)")
      list(APPEND UMFPACK_VERSION ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(JOIN UMFPACK_VERSION "." UMFPACK_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  UMFPACK REQUIRED_VARS UMFPACK_LIBRARY UMFPACK_INCLUDE_DIR VERSION_VAR UMFPACK_VERSION
  REASON_FAILURE_MESSAGE "install libsuitesparse-dev, or configure daewave without UMFPACK")
mark_as_advanced(UMFPACK_INCLUDE_DIR UMFPACK_LIBRARY)

if(UMFPACK_FOUND)
  add_library(SuiteSparse::UMFPACK UNKNOWN IMPORTED)
  set_target_properties(
    SuiteSparse::UMFPACK
    PROPERTIES IMPORTED_LOCATION "${UMFPACK_LIBRARY}"
               INTERFACE_INCLUDE_DIRECTORIES "${UMFPACK_INCLUDE_DIR}"
               INTERFACE_LINK_LIBRARIES "${_umfpack_needs}")
endif()
