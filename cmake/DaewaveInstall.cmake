# Installs the libraries that were declared, their headers, the package files and the program.

include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY DAEWAVE_LIBRARIES)
get_property(folders GLOBAL PROPERTY DAEWAVE_FOLDERS)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/daewave)

# The public headers, and of the others what they include. reproduce is no library of the user's.
list(REMOVE_ITEM libraries daewave_reproduce)
set(public daewave/problem.hpp daewave/ivp.hpp daewave/bvp.hpp daewave/io.hpp daewave/daewave.hpp
           daewave/catalogue.hpp daewave/models.hpp daewave/sparse.hpp)
if("parallel" IN_LIST folders)
  list(APPEND public daewave/parallel.hpp)
endif()
file(GLOB problems RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
     "${PROJECT_SOURCE_DIR}/problems/*.hpp")
list(APPEND public ${problems})
list(JOIN public "|" public)
set(component COMPONENT dev)
install(CODE "
  set(SOURCE_DIR \"${PROJECT_SOURCE_DIR}\")
  set(DESTINATION \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")
  set(PUBLIC \"${public}\")
  include(\"${CMAKE_CURRENT_LIST_DIR}/InstallHeaders.cmake\")" ${component})
if(BUILD_SHARED_LIBS)
  # Names of folders for the one library.
  get_property(fronts GLOBAL PROPERTY DAEWAVE_FRONTS)
  list(REMOVE_ITEM fronts daewave_reproduce_front)
  install(TARGETS daewave_shared ${fronts} EXPORT daewaveTargets
          LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev)
  set(libraries daewave_shared)
else()
  install(TARGETS ${libraries} EXPORT daewaveTargets ARCHIVE ${component})
endif()
install(EXPORT daewaveTargets NAMESPACE daewave:: DESTINATION ${package_dir} ${component})
if(TARGET daewave)
  install(TARGETS daewave RUNTIME COMPONENT program)
endif()
if(TARGET daewave-mpi)
  install(TARGETS daewave-mpi RUNTIME COMPONENT mpi)
endif()

# The packages that a consumer has to find are those whose targets our libraries link, so that a new
# dependency cannot be forgotten. Header-only ones used inside .cpp files may stay out of it with
# LINKS PRIVATE $<BUILD_INTERFACE:package::target>.
set(DAEWAVE_PACKAGES)
foreach(library IN LISTS libraries)
  # A shared library brings what it links privately.
  set(properties INTERFACE_LINK_LIBRARIES)
  if(NOT BUILD_SHARED_LIBS)
    list(APPEND properties LINK_LIBRARIES)
  endif()
  foreach(property IN LISTS properties)
    get_target_property(links ${library} ${property})
    foreach(link IN LISTS links)
      if(link MATCHES "^(\\$<LINK_ONLY:)?SuiteSparse::([A-Z]+)")
        # Each of its libraries is a package.
        list(APPEND DAEWAVE_PACKAGES ${CMAKE_MATCH_2})
      elseif(link MATCHES "^(\\$<LINK_ONLY:)?([A-Za-z0-9_]+)::" AND NOT CMAKE_MATCH_2 STREQUAL "daewave")
        list(APPEND DAEWAVE_PACKAGES ${CMAKE_MATCH_2})
      endif()
    endforeach()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES DAEWAVE_PACKAGES)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/daewaveConfig.cmake.in" "${PROJECT_BINARY_DIR}/daewaveConfig.cmake"
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/daewaveConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/daewaveConfig.cmake"
              "${PROJECT_BINARY_DIR}/daewaveConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/DaewaveLanes.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindCHOLMOD.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindUMFPACK.cmake"
        DESTINATION ${package_dir} ${component})
