# Installs the built tree into an empty prefix, moves that prefix, and builds and runs
# programs against it.

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed (${result}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")
run("installing" ${CMAKE_COMMAND} --install "${BUILD_DIR}" --prefix "${WORK_DIR}/first")
# A path that was written into a package file would show now.
file(RENAME "${WORK_DIR}/first" "${WORK_DIR}/prefix")

run("configuring the consumer"
    ${CMAKE_COMMAND} -S "${CONSUMER_DIR}" -B "${WORK_DIR}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}"
    "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix"
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run("building the consumer" ${CMAKE_COMMAND} --build "${WORK_DIR}/build")
foreach(program IN ITEMS boundary_value initial_value model_file named_problem compiled_otherwise lanes)
  run("running ${program}" "${WORK_DIR}/build/${program}")
  message("${output}")
endforeach()

# The programs of the README, by pkg-config.
run("asking pkg-config" ${CMAKE_COMMAND} -E env "PKG_CONFIG_PATH=${WORK_DIR}/prefix/${LIBDIR}/pkgconfig"
    "${PKG_CONFIG}" --cflags --libs daewave)
string(STRIP "${output}" pkg_config)
separate_arguments(pkg_config UNIX_COMMAND "${pkg_config}")
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
function(link_and_compare example)
  run("linking ${example} by ${ARGN}" "${COMPILER}" ${flags} "${WORK_DIR}/${example}.o" ${ARGN} -o "${WORK_DIR}/program")
  run("running ${example}" ${CMAKE_COMMAND} -E env "LD_LIBRARY_PATH=${WORK_DIR}/prefix/${LIBDIR}"
      "${PYTHON}" -B "${SOURCE_DIR}/tests/examples/compare_output.py" "${WORK_DIR}/program"
      "${SOURCE_DIR}/examples/${example}.cpp")
endfunction()
foreach(example IN ITEMS 01_first_solve 08_pendulum)
  run("compiling ${example} by pkg-config" "${COMPILER}" -std=c++20 -O0 ${flags} ${pkg_config}
      -c "${SOURCE_DIR}/examples/${example}.cpp" -o "${WORK_DIR}/${example}.o")
  link_and_compare(${example} ${pkg_config})
endforeach()
if(EXISTS "${WORK_DIR}/prefix/include/daewave/parallel.hpp")
  # What executors need of other libraries.
  run("building executors by pkg-config" "${COMPILER}" -std=c++20 -O0 ${flags}
      "${CONSUMER_DIR}/executors.cpp" ${pkg_config} -o "${WORK_DIR}/program")
  run("running executors" ${CMAKE_COMMAND} -E env "LD_LIBRARY_PATH=${WORK_DIR}/prefix/${LIBDIR}" "${WORK_DIR}/program")
endif()
if(NOT SHARED)
  # As the README has it, for static libraries.
  file(READ "${SOURCE_DIR}/README.md" readme)
  string(REGEX MATCH "\n    g\\+\\+ [^\n]* tanks.cpp \\\\\n *-L/where/you/like/lib ([^\n]*) -o tanks\n" _ "${readme}")
  if(NOT CMAKE_MATCH_1)
    message(FATAL_ERROR "README.md: there is no line g++ ... tanks.cpp -L/where/you/like/lib ... -o tanks")
  endif()
  separate_arguments(libraries UNIX_COMMAND "${CMAKE_MATCH_1}")
  link_and_compare(01_first_solve "-L${WORK_DIR}/prefix/${LIBDIR}" ${libraries})
endif()
if(PYTHON_DIRECTORY)
  run("importing the Python package" ${CMAKE_COMMAND} -E chdir "${WORK_DIR}" ${CMAKE_COMMAND} -E env
      "PYTHONPATH=${WORK_DIR}/prefix/${PYTHON_DIRECTORY}" "${PYTHON}" -B -c
      "import daewave\nfrom importlib.metadata import version\nassert version('daewave') == daewave.__version__\nprint(daewave.__file__)")
  if(NOT output MATCHES "${WORK_DIR}/prefix")
    message(FATAL_ERROR "the package that was imported is another one: ${output}")
  endif()
endif()
if(PROGRAM)
  run("running the installed program" "${WORK_DIR}/prefix/bin/daewave" --help)
endif()
file(REMOVE_RECURSE "${WORK_DIR}")
