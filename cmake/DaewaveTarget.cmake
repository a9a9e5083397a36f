# One library target per folder: daewave_core, exported as daewave::core, and so on.
#
#   daewave_add_library(core SOURCES a.cpp b.cpp LINKS PUBLIC Eigen3::Eigen PRIVATE fmt::fmt)
#   daewave_configure_target(some_executable)
#
# The global properties DAEWAVE_LIBRARIES (targets) and DAEWAVE_FOLDERS list what was declared; the
# install rules and the tests read them.

set(DAEWAVE_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(DAEWAVE_WARNINGS_AS_ERRORS)
  list(APPEND DAEWAVE_WARNINGS -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The optimizer's guesses about inlined Eigen code depend on flags and version: shown, not fatal.
    list(APPEND DAEWAVE_WARNINGS -Wno-error=maybe-uninitialized -Wno-error=array-bounds
         -Wno-error=stringop-overflow -Wno-error=stringop-overread -Wno-error=null-dereference
         # Wrong about `"text" + string` in version 12.
         -Wno-restrict)
  endif()
endif()

# Warnings, language level and include root, for our own code only.
function(daewave_configure_target target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_compile_features(${target} INTERFACE cxx_std_20)
    return()
  endif()
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE ${DAEWAVE_WARNINGS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Its collector of garbage starts early and takes up to a sixth of the time: from 400 MB on it rarely runs.
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=400000)
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()

# Eigen's memory passes between the library and its users: both must lay it out alike, whatever
# instruction sets they are built for (core/eigen_memory.hpp).
set(DAEWAVE_EIGEN_MEMORY EIGEN_MAX_ALIGN_BYTES=16 EIGEN_MAX_STATIC_ALIGN_BYTES=16)

# What nearly every file includes, compiled once for all libraries, and what of Eigen is compiled once
# (core/compiled_eigen.hpp). No header of ours with more: one that forgets what it needs of them must
# not compile.
set(DAEWAVE_PRECOMPILED
    "${PROJECT_SOURCE_DIR}/core/eigen_memory.hpp" <Eigen/Cholesky> <Eigen/LU> <Eigen/QR> <algorithm>
    <array> <cmath> <functional> <limits> <map> <memory> <optional> <string> <utility> <variant>
    <vector> <fmt/format.h>
    "${PROJECT_SOURCE_DIR}/core/compiled_eigen.hpp")

# One target has them compiled, with the flags of a library; the others take them from it.
function(daewave_precompile_headers target)
  if(NOT DAEWAVE_PRECOMPILED_HEADERS)
    return()
  endif()
  if(NOT TARGET daewave_precompiled)
    file(CONFIGURE OUTPUT precompiled.cpp CONTENT "")
    add_library(daewave_precompiled OBJECT "${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp")
    target_link_libraries(daewave_precompiled PRIVATE Eigen3::Eigen fmt::fmt)
    set_target_properties(daewave_precompiled PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(daewave_precompiled PRIVATE ${DAEWAVE_EIGEN_MEMORY})
    daewave_configure_target(daewave_precompiled)
    target_precompile_headers(daewave_precompiled PRIVATE ${DAEWAVE_PRECOMPILED})
  endif()
  target_precompile_headers(${target} REUSE_FROM daewave_precompiled)
endfunction()

# What only calls others: optimizing it takes a quarter of its compilation, and nobody would see it.
# Without precompiled headers, which bring the optimization that they were compiled with.
function(daewave_optimize_little target)
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
endfunction()

# Several sources in one compilation, where the build is for use and not for work on the sources: what
# they include, and what of Eigen they all instantiate, is then compiled once.
function(daewave_compile_together target number)
  if(DAEWAVE_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${number})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # A type of one source takes the sources that are compiled with it for headers.
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
  endif()
endfunction()

# Without SOURCES the library has headers only. APART: compiled with other flags than the rest.
# ALONE: sources of which each is long enough for a compilation of its own, or that a test compiles
# anew; EACH_ALONE: all of them.
function(daewave_add_library folder)
  cmake_parse_arguments(arg "APART;EACH_ALONE" "" "SOURCES;ALONE;LINKS" ${ARGN})
  list(APPEND arg_SOURCES ${arg_ALONE})
  set(target daewave_${folder})
  if(BUILD_SHARED_LIBS)
    # Of each other they are the static ones, of which the shared one is made.
    list(TRANSFORM arg_LINKS REPLACE "^daewave::" "daewave_")
  endif()
  if(arg_SOURCES)
    set(scope PUBLIC)
    add_library(${target} STATIC ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    if(NOT arg_EACH_ALONE)
      daewave_compile_together(${target} 8)
    endif()
    set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
    list(TRANSFORM arg_LINKS REPLACE "^(PUBLIC|PRIVATE)$" "INTERFACE")
  endif()
  daewave_front_of(${folder} ${target})
  target_include_directories(
    ${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                       $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                       $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                       $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(arg_LINKS)
    target_link_libraries(${target} ${arg_LINKS})
  endif()
  daewave_configure_target(${target})
  if(arg_SOURCES AND arg_APART AND DAEWAVE_UNITY_BUILD)
    # Precompiled for two or three compilations, headers take longer than they save.
  elseif(arg_SOURCES AND arg_APART AND DAEWAVE_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE ${DAEWAVE_PRECOMPILED})
  elseif(arg_SOURCES)
    daewave_precompile_headers(${target})
  endif()
  set_property(GLOBAL APPEND PROPERTY DAEWAVE_LIBRARIES ${target})
  set_property(GLOBAL APPEND PROPERTY DAEWAVE_FOLDERS ${folder})
endfunction()

function(daewave_add_folder folder)
  if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
    add_subdirectory(${folder})
  endif()
endfunction()
