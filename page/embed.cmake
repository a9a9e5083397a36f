# Writes texts into a source as constants of embedded.hpp:
#
#   cmake -DOUT=embedded.cpp "-DTEXTS=page=web/page.html;scripts=web/a.js,web/b.js" -P embed.cmake

set(source "// Made by embed.cmake.\n#include \"page/embedded.hpp\"\n\nnamespace daewave::page::embedded {\n")
foreach(text IN LISTS TEXTS)
  string(REGEX MATCH "^([a-z_]+)=(.*)$" matched "${text}")
  set(name "${CMAKE_MATCH_1}")
  string(REPLACE "," ";" files "${CMAKE_MATCH_2}")
  string(APPEND source "\nconst std::string_view ${name} =\n")
  foreach(file IN LISTS files)
    file(READ "${file}" content)
    string(FIND "${content}" ")=text=" delimiter)
    if(NOT delimiter EQUAL -1)
      message(FATAL_ERROR "${file}: has )=text= in it, which ends a constant; take another here")
    endif()
    string(APPEND source "R\"=text=(${content})=text=\"\n")
  endforeach()
  string(APPEND source ";\n")
endforeach()
string(APPEND source "\n}  // namespace daewave::page::embedded\n")
file(WRITE "${OUT}" "${source}")
