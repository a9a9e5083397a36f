# With BUILD_SHARED_LIBS all libraries of the folders are one shared one, libdaewave.so, of a version,
# which shows what is of namespace daewave and nothing else (cmake/daewave.map). Folders stay static
# libraries for the build: daewave::bvp and the others are then names for the shared one.

# The shared one changes this number where programs have to be compiled anew: with each minor version
# as long as the major one is 0.
set(DAEWAVE_SOVERSION 0)
if(BUILD_SHARED_LIBS)
  # What folders find is linked at the root.
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
endif()

# The name that users and programs of ours link for a folder. @param target  of the folder.
function(daewave_front_of folder target)
  if(NOT BUILD_SHARED_LIBS)
    add_library(daewave::${folder} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
    return()
  endif()
  add_library(daewave_${folder}_front INTERFACE)
  target_link_libraries(daewave_${folder}_front INTERFACE daewave_shared)
  set_target_properties(daewave_${folder}_front PROPERTIES EXPORT_NAME ${folder})
  add_library(daewave::${folder} ALIAS daewave_${folder}_front)
  set_property(GLOBAL APPEND PROPERTY DAEWAVE_FRONTS daewave_${folder}_front)
endfunction()

# Call when all folders of the library are there.
function(daewave_link_shared)
  if(NOT BUILD_SHARED_LIBS)
    return()
  endif()
  get_property(libraries GLOBAL PROPERTY DAEWAVE_LIBRARIES)
  get_property(lanes GLOBAL PROPERTY DAEWAVE_LANE_OBJECTS)
  set(objects "")
  foreach(library IN LISTS libraries lanes)
    get_target_property(type ${library} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      list(APPEND objects $<TARGET_OBJECTS:${library}>)
    endif()
  endforeach()
  add_library(daewave_shared SHARED ${objects})
  set_target_properties(daewave_shared PROPERTIES OUTPUT_NAME daewave EXPORT_NAME shared LINKER_LANGUAGE CXX
                                                  VERSION ${PROJECT_VERSION} SOVERSION ${DAEWAVE_SOVERSION})
  # What folders link of others: privately, but Eigen, which is in headers.
  foreach(library IN LISTS libraries)
    get_target_property(links ${library} LINK_LIBRARIES)
    foreach(link IN LISTS links)
      if(link MATCHES "^[^$]*::" AND NOT link MATCHES "daewave" AND NOT link STREQUAL "Eigen3::Eigen")
        target_link_libraries(daewave_shared PRIVATE ${link})
      endif()
    endforeach()
  endforeach()
  target_link_libraries(daewave_shared PUBLIC Eigen3::Eigen)
  get_target_property(definitions daewave_core INTERFACE_COMPILE_DEFINITIONS)
  target_compile_definitions(daewave_shared INTERFACE ${definitions})
  target_compile_features(daewave_shared INTERFACE cxx_std_20)
  target_include_directories(
    daewave_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                             $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                             $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set(map "${PROJECT_SOURCE_DIR}/cmake/daewave.map")
  target_link_options(daewave_shared PRIVATE "LINKER:--version-script=${map}" "LINKER:--no-undefined")
  set_target_properties(daewave_shared PROPERTIES LINK_DEPENDS "${map}")
endfunction()
