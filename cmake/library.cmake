# The library `cairn` (cairn::cairn).
# Sources are found by folder: a new file needs no change here.
configure_file(cmake/version.hpp.in include/cairn/version.hpp @ONLY)

if(CAIRN_SANITIZE)
  add_compile_options(-fsanitize=${CAIRN_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CAIRN_SANITIZE})
endif()

# sources_in(<variable> <folder>...): the sources in these folders of src/
function(sources_in variable)
  set(all)
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
    list(APPEND all ${found})
  endforeach()
  set(${variable} ${all} PARENT_SCOPE)
endfunction()

# What needs no MPI: `cairn_planner`, objects of the library.
if(CAIRN_OBJECTS_OF)
  objects_of_first_tree(cairn_planner)
else()
  sources_in(planner_sources base model schedule program algorithms interpret planner io)
  add_library(cairn_planner OBJECT ${planner_sources})
  set_target_properties(cairn_planner PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_features(cairn_planner PUBLIC cxx_std_20)
  target_include_directories(cairn_planner PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  target_link_libraries(cairn_planner PRIVATE cairn_internal ZLIB::ZLIB)
  if(NOT CAIRN_LEMON_INCLUDE_DIR STREQUAL "/usr/include")
    target_include_directories(cairn_planner SYSTEM PRIVATE ${CAIRN_LEMON_INCLUDE_DIR})
  endif()
  compiled_together(cairn_planner src include)
  objects_for_second_tree(cairn_planner)
endif()

set(mpi_sources)
if(CAIRN_MPI)
  sources_in(mpi_sources runtime api functions capi)
endif()
add_library(cairn $<TARGET_OBJECTS:cairn_planner> ${mpi_sources})
add_library(cairn::cairn ALIAS cairn)
set_target_properties(cairn PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                                       POSITION_INDEPENDENT_CODE ON LINKER_LANGUAGE CXX)
target_compile_features(cairn PUBLIC cxx_std_20)
target_include_directories(cairn PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                        $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                                        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(cairn PRIVATE $<BUILD_INTERFACE:cairn_internal> fmt::fmt ZLIB::ZLIB)
if(CAIRN_MPI)
  target_link_libraries(cairn PUBLIC MPI::MPI_CXX PRIVATE $<BUILD_INTERFACE:cairn_blas> BLAS::BLAS)
  if(CAIRN_LIBXSMM_FOUND)
    set_source_files_properties(src/runtime/sparse/small_products.cpp PROPERTIES COMPILE_DEFINITIONS CAIRN_LIBXSMM)
    target_include_directories(cairn SYSTEM PRIVATE ${CAIRN_LIBXSMM_INCLUDE_DIR})
    target_link_libraries(cairn PRIVATE ${CAIRN_LIBXSMM_LIBRARIES})
    if(BUILD_SHARED_LIBS AND UNIX AND NOT APPLE)  # a program may have a LIBXSMM of its own
      target_link_options(cairn PRIVATE LINKER:--exclude-libs,libxsmm.a)
    endif()
  endif()
  if(TARGET OpenMP::OpenMP_CXX)
    target_link_libraries(cairn PRIVATE OpenMP::OpenMP_CXX)
  endif()
  compiled_together(cairn src include HEADERS <mpi.h>)
endif()
