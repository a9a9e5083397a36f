# Texts of files in a library or program:
#
#   daewave_embed(OUT source HEADER page/embedded.hpp NAMESPACE page TEXTS page=a.html "scripts=b.js,c.js")
#
# `source` is then a source for a target (cmake/embed.cmake). Paths are absolute.

set(DAEWAVE_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/embed.cmake")

function(daewave_embed)
  cmake_parse_arguments(arg "" "OUT;HEADER;NAMESPACE" "TEXTS" ${ARGN})
  set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp")
  set(files "")
  foreach(text IN LISTS arg_TEXTS)
    string(REGEX REPLACE "^[^=]+=" "" paths "${text}")
    string(REPLACE "," ";" paths "${paths}")
    list(APPEND files ${paths})
  endforeach()
  add_custom_command(
    OUTPUT "${source}"
    COMMAND ${CMAKE_COMMAND} "-DOUT=${source}" "-DHEADER=${arg_HEADER}"
            "-DNAMESPACE=${arg_NAMESPACE}" "-DTEXTS=${arg_TEXTS}" -P "${DAEWAVE_EMBED_SCRIPT}"
    DEPENDS ${files} "${DAEWAVE_EMBED_SCRIPT}"
    VERBATIM)
  set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS -w SKIP_PRECOMPILE_HEADERS ON
                                                     SKIP_UNITY_BUILD_INCLUSION ON)
  set(${arg_OUT} "${source}" PARENT_SCOPE)
endfunction()
