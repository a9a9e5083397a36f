# One library target per folder: daewave_core, exported as daewave::core, and so on.
#
#   daewave_add_library(core SOURCES a.cpp b.cpp LINKS PUBLIC Eigen3::Eigen PRIVATE fmt::fmt)

set(DAEWAVE_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror)

# Warnings, language level and include root, for our own code only.
function(daewave_configure_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE ${DAEWAVE_WARNINGS})
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

function(daewave_add_library folder)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  set(target daewave_${folder})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(daewave::${folder} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(
    ${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                     $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/daewave>)
  target_link_libraries(${target} ${arg_LINKS})
  daewave_configure_target(${target})
  set_property(GLOBAL APPEND PROPERTY DAEWAVE_LIBRARIES ${target})
  set_property(GLOBAL APPEND PROPERTY DAEWAVE_FOLDERS ${folder})
endfunction()
