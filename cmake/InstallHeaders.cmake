# Installs the public headers and what they include of ours, all of it below include/daewave:
#
#   "core/mesh.hpp" in the tree is "daewave/core/mesh.hpp" for others
#
# so that nothing else is on the include path of a consumer. Run at installation with
#   SOURCE_DIR    root of the tree
#   DESTINATION   the include folder of the prefix, DESTDIR in front
#   PUBLIC        public headers below include/, separated by "|"

cmake_policy(VERSION 3.25)
string(REPLACE "|" ";" pending "${PUBLIC}")
set(done)
set(ours "(core|bvp|ivp|parallel|problems|catalogue|io|models|sparse|large)/")
while(pending)
  list(POP_FRONT pending header)
  if(header IN_LIST done)
    continue()
  endif()
  list(APPEND done "${header}")
  if(EXISTS "${SOURCE_DIR}/include/${header}")
    set(from "${SOURCE_DIR}/include/${header}")
    set(to "${DESTINATION}/${header}")
  elseif(EXISTS "${SOURCE_DIR}/${header}")
    set(from "${SOURCE_DIR}/${header}")
    set(to "${DESTINATION}/daewave/${header}")
  else()
    message(FATAL_ERROR "no header ${header} in ${SOURCE_DIR}")
  endif()
  file(READ "${from}" text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"(.+)\"" "\\1" name "${include}")
    list(APPEND pending "${name}")
  endforeach()
  string(REGEX REPLACE "#include \"${ours}" "#include \"daewave/\\1/" text "${text}")
  # What is there already and the same keeps its time.
  set(before)
  if(EXISTS "${to}")
    file(READ "${to}" before)
  endif()
  if(NOT before STREQUAL text)
    get_filename_component(folder "${to}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    file(WRITE "${to}" "${text}")
  endif()
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${to}")
endwhile()
