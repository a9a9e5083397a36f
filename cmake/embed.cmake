# Writes texts into a source that gives them by name:
#
#   cmake -DOUT=embedded.cpp -DHEADER=page/embedded.hpp -DNAMESPACE=page
#         "-DTEXTS=page=page.html;scripts=a.js,b.js" -P embed.cmake
#
# HEADER declares `const EmbeddedTexts& embedded();` in the namespace.

set(source "// Made by embed.cmake.\n#include \"${HEADER}\"\n\nnamespace daewave::${NAMESPACE} {\n\n")
string(APPEND source "const EmbeddedTexts& embedded() {\n  static const EmbeddedTexts texts{\n")
foreach(text IN LISTS TEXTS)
  string(REGEX MATCH "^([^=]+)=(.*)$" matched "${text}")
  string(APPEND source "{\"${CMAKE_MATCH_1}\",\n")
  string(REPLACE "," ";" files "${CMAKE_MATCH_2}")
  foreach(file IN LISTS files)
    file(READ "${file}" content)
    string(FIND "${content}" ")=text=" delimiter)
    if(NOT delimiter EQUAL -1)
      message(FATAL_ERROR "${file}: has )=text= in it, which ends a constant; take another here")
    endif()
    string(APPEND source "R\"=text=(${content})=text=\"\n")
  endforeach()
  string(APPEND source "},\n")
endforeach()
string(APPEND source "};\n  return texts;\n}\n\n}  // namespace daewave::${NAMESPACE}\n")
file(WRITE "${OUT}" "${source}")
