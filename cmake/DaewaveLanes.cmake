# Compiles a file once for each instruction set and adds what comes of it to a target:
#
#   daewave_add_lanes(my_program my_lanes.cpp)
#
# No contraction to fused operations: a lane has the same bits with every set. What is wider than
# the rest of the program is optimized and without sanitizers in every configuration, so that
# nothing is left behind that other files share, which tests/lane_symbols_test.py looks for in the
# objects; sanitizers look at the same code for sse2. The file sees what the target links.
# The target's property DAEWAVE_LANE_OBJECTS, and the global one, list the targets of the objects.
#
# Two numbers at once, which every x86-64 processor and most others have, do not pay: they are for
# processors that have no more, and for sanitizers. An installation has the sets that its libraries
# were built with.
if(NOT DEFINED DAEWAVE_LANE_SETS)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" OR CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(DAEWAVE_LANE_SETS sse2)
  else()
    set(DAEWAVE_LANE_SETS avx2 avx512)
  endif()
endif()
set(DAEWAVE_LANE_FLAGS_sse2 $<$<NOT:$<CONFIG:Debug>>:-O3>)
set(DAEWAVE_LANE_FLAGS_avx2 -O3 -fno-sanitize=all -mavx2 -mfma)
set(DAEWAVE_LANE_FLAGS_avx512 -O3 -fno-sanitize=all -mavx512f -mavx512vl -mavx512dq -mavx2 -mfma
    -mprefer-vector-width=512)

function(daewave_add_lanes target source)
  get_filename_component(name ${source} NAME_WE)
  foreach(set IN LISTS DAEWAVE_LANE_SETS)
    set(objects ${target}_${name}_${set})
    add_library(${objects} OBJECT ${source})
    set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
    target_compile_features(${objects} PRIVATE cxx_std_20)
    target_compile_options(
      ${objects} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_OPTIONS> -ffp-contract=off
                         ${DAEWAVE_LANE_FLAGS_${set}})
    target_include_directories(${objects} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${objects}
                               PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
    target_link_libraries(${objects} PRIVATE $<TARGET_PROPERTY:${target},LINK_LIBRARIES>)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    set_property(TARGET ${target} APPEND PROPERTY DAEWAVE_LANE_OBJECTS ${objects})
    set_property(GLOBAL APPEND PROPERTY DAEWAVE_LANE_OBJECTS ${objects})
  endforeach()
endfunction()
