# Finds CHOLMOD, the sparse Cholesky factorization of SuiteSparse, and defines SuiteSparse::CHOLMOD.
#
# SuiteSparse 7 brings a CMake package, which is used where it exists; older ones are looked up by
# header and library. Sets CHOLMOD_FOUND, CHOLMOD_INCLUDE_DIR, CHOLMOD_LIBRARY.

if(TARGET SuiteSparse::CHOLMOD)
  set(CHOLMOD_FOUND TRUE)
  return()
endif()

find_package(CHOLMOD CONFIG QUIET)
if(TARGET SuiteSparse::CHOLMOD)
  return()
endif()

find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
find_library(CHOLMOD_LIBRARY cholmod)
set(_cholmod_needs)
if(CHOLMOD_LIBRARY AND CHOLMOD_LIBRARY MATCHES "\\.a$")
  # A shared libcholmod knows what it needs; a static one has to be told.
  foreach(_name IN ITEMS colamd ccolamd camd amd metis suitesparseconfig lapack blas)
    find_library(CHOLMOD_${_name}_LIBRARY ${_name})
    mark_as_advanced(CHOLMOD_${_name}_LIBRARY)
    if(CHOLMOD_${_name}_LIBRARY)
      list(APPEND _cholmod_needs "${CHOLMOD_${_name}_LIBRARY}")
    endif()
  endforeach()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  CHOLMOD REQUIRED_VARS CHOLMOD_LIBRARY CHOLMOD_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libsuitesparse-dev, or configure daewave without UMFPACK")
mark_as_advanced(CHOLMOD_INCLUDE_DIR CHOLMOD_LIBRARY)

if(CHOLMOD_FOUND)
  add_library(SuiteSparse::CHOLMOD UNKNOWN IMPORTED)
  set_target_properties(
    SuiteSparse::CHOLMOD
    PROPERTIES IMPORTED_LOCATION "${CHOLMOD_LIBRARY}"
               INTERFACE_INCLUDE_DIRECTORIES "${CHOLMOD_INCLUDE_DIR}"
               INTERFACE_LINK_LIBRARIES "${_cholmod_needs}")
endif()
