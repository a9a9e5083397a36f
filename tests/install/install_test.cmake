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
if(PROGRAM)
  run("running the installed program" "${WORK_DIR}/prefix/bin/daewave" --help)
endif()
file(REMOVE_RECURSE "${WORK_DIR}")
