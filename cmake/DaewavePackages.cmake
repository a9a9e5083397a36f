# Debian packages, by cpack -G DEB in a build folder of preset `packages`:
#
#   libdaewave0       the shared library          daewave           the program, its manual
#   libdaewave-dev    headers, CMake, pkg-config  python3-daewave   the Python package
#
# packaging/check.sh makes them, looks at them, and has them installed, used and removed in a bare chroot.

if(NOT BUILD_SHARED_LIBS OR NOT UNIX OR APPLE)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME daewave)
set(CPACK_PACKAGE_VENDOR "daewave")
set(CPACK_PACKAGE_CONTACT "The daewave developers <daewave@example.org>")
# What it says by itself: anything else would come before the summary of each package.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_NAME} built using CMake")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL runtime dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
set(CPACK_STRIP_FILES ON)
set(_version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
set(_library libdaewave${DAEWAVE_SOVERSION})

# What each package has below share/doc: its licence, what changed, and that it was packed.
string(TIMESTAMP _date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # that of SOURCE_DATE_EPOCH, where it is set
file(WRITE "${PROJECT_BINARY_DIR}/debian/changelog.Debian" "daewave (${_version}) unstable; urgency=medium

  * Made by cpack of daewave ${PROJECT_VERSION}; changelog.gz tells what changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${_date}
")
find_program(DAEWAVE_GZIP gzip REQUIRED)
foreach(_log IN ITEMS "${PROJECT_SOURCE_DIR}/CHANGELOG.md=changelog"
                      "${PROJECT_BINARY_DIR}/debian/changelog.Debian=changelog.Debian")
  string(REGEX MATCH "^(.*)=(.*)$" _ "${_log}")
  execute_process(COMMAND "${DAEWAVE_GZIP}" -9nc "${CMAKE_MATCH_1}"
                  OUTPUT_FILE "${PROJECT_BINARY_DIR}/debian/${CMAKE_MATCH_2}.gz" COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# One Debian package: daewave_debian_package(dev libdaewave-dev SECTION libdevel SUMMARY "..." DESCRIPTION "...")
function(daewave_debian_package component name)
  cmake_parse_arguments(arg "" "SECTION;SUMMARY;DESCRIPTION;COPYRIGHT" "DEPENDS" ${ARGN})
  string(TOUPPER ${component} upper)
  list(JOIN arg_DEPENDS ", " depends)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${arg_SECTION} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${arg_SUMMARY}\n${arg_DESCRIPTION}" PARENT_SCOPE)
  # Of packages alone: an installation by cmake --install has nothing there.
  install(FILES "${PROJECT_BINARY_DIR}/debian/changelog.gz" "${PROJECT_BINARY_DIR}/debian/changelog.Debian.gz"
          DESTINATION share/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
  file(READ "${PROJECT_SOURCE_DIR}/LICENSE" licence)
  file(WRITE "${PROJECT_BINARY_DIR}/debian/${name}.copyright" "${licence}${arg_COPYRIGHT}")
  install(FILES "${PROJECT_BINARY_DIR}/debian/${name}.copyright" RENAME copyright
          DESTINATION share/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

set(_what "daewave solves differential-algebraic equations of index 2 and 3,
constrained mechanical systems in particular: boundary values, long motions
without drift, constraints that become singular on the way, large sparse
problems.
.
")

set(_copyright "")
if(DAEWAVE_WITH_UMFPACK)
  string(APPEND _copyright "
The library is linked with UMFPACK and CHOLMOD, parts of which are under the GNU General Public Licence,
version 2 or later (/usr/share/common-licenses/GPL-2); what is linked with it is distributed under its terms.
")
endif()
if(TARGET daewave_page)
  file(READ "${DAEWAVE_DYGRAPHS_LICENCE}" _dygraphs)
  file(READ "${DAEWAVE_THREE_LICENCE}" _three)
  string(APPEND _copyright "
For pages of runs the library contains dygraphs and three.js.

dygraphs
========

${_dygraphs}
three.js
========

${_three}")
endif()
daewave_debian_package(
  runtime ${_library} SECTION libs SUMMARY "differential-algebraic equations: shared library"
  DESCRIPTION "${_what}This package has the shared library." COPYRIGHT "${_copyright}")
# Programs that link it need this version: before 1.0 minor ones may change its interface.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/packaging/debian/triggers")

daewave_debian_package(
  dev libdaewave-dev SECTION libdevel SUMMARY "differential-algebraic equations: headers"
  DESCRIPTION "${_what}This package has what programs are compiled with: headers, the CMake package
and daewave.pc." DEPENDS "${_library} (= ${_version})" "libeigen3-dev (>= 3.4)")
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)

if(TARGET daewave)
  list(APPEND CPACK_COMPONENTS_ALL program)
  daewave_debian_package(
    program daewave SECTION math SUMMARY "differential-algebraic equations: program"
    DESCRIPTION "${_what}This package has the program daewave: problems by name or as text files,
tables, pictures and pages of their solutions." DEPENDS "${_library} (= ${_version})")
endif()
if(TARGET daewave_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  # The module is of one version of the interpreter.
  get_property(_python GLOBAL PROPERTY DAEWAVE_PYTHON_VERSION)
  list(GET _python 0 _major)
  list(GET _python 1 _minor)
  math(EXPR _next "${_minor} + 1")
  daewave_debian_package(
    python python3-daewave SECTION python SUMMARY "differential-algebraic equations: Python package"
    DESCRIPTION "${_what}This package has the Python package daewave: functions of NumPy, models as
text or dictionaries, equations of motion of SymPy."
    DEPENDS "${_library} (= ${_version})" "python3 (>= ${_major}.${_minor})" "python3 (<< ${_major}.${_next})"
            "python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas, python3-sympy")
  # Its sources are compiled when it comes, and that goes with it.
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/packaging/debian/postinst"
                                                "${PROJECT_SOURCE_DIR}/packaging/debian/prerm")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
endif()
include(CPack)
