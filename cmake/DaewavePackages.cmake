# Debian packages, by cpack -G DEB in a build folder of preset `packages`:
#
#   libdaewave0       the shared library          daewave           the program, its manual
#   libdaewave-dev    headers, CMake, pkg-config  python3-daewave   the Python package
#
# tests/packages installs, uses and removes them in a bare chroot.

if(NOT BUILD_SHARED_LIBS OR NOT UNIX OR APPLE)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME daewave)
set(CPACK_PACKAGE_VENDOR "daewave")
set(CPACK_PACKAGE_CONTACT "The daewave developers <daewave@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL runtime dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
set(CPACK_STRIP_FILES ON)
set(_same "libdaewave${DAEWAVE_SOVERSION} (= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libdaewave${DAEWAVE_SOVERSION})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
# ldconfig when it comes and when it goes, and what those who link it depend on.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Differential-algebraic equations: shared library")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libdaewave-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${_same}, libeigen3-dev (>= 3.4)")
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_DEV_DESCRIPTION "Differential-algebraic equations: headers")

if(TARGET daewave)
  list(APPEND CPACK_COMPONENTS_ALL program)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME daewave)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION math)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "${_same}")
  set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Differential-algebraic equations: program")
endif()
if(TARGET daewave_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-daewave)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  # The module is of one version of the interpreter.
  set(_next "${Python3_VERSION_MAJOR}")
  math(EXPR _minor "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "${_same}, python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}), python3 (<< ${_next}.${_minor}), python3-numpy")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Differential-algebraic equations: Python package")
endif()
include(CPack)
