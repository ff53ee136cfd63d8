# The library `cairn` (cairn::cairn).
# Sources are found by folder: a new file needs no change here.
configure_file(cmake/version.h.in include/cairn/version.h @ONLY)
set(CAIRN_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})  # before 1.0 any minor version may change the interface

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

# objects_without_mpi(<target> <folder>...): objects of the library, the same under every MPI.
function(objects_without_mpi target)
  if(CAIRN_OBJECTS_OF)
    objects_of_first_tree(${target})
  else()
    sources_in(sources ${ARGN})
    add_library(${target} OBJECT ${sources})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
    target_link_libraries(${target} PRIVATE cairn_internal)
    objects_for_second_tree(${target})
  endif()
endfunction()

# What needs neither MPI nor BLAS: `cairn_planner`.
objects_without_mpi(cairn_planner base io model schedule program algorithms interpret planner)
if(NOT CAIRN_OBJECTS_OF)
  target_link_libraries(cairn_planner PRIVATE ZLIB::ZLIB)
  if(NOT CAIRN_LEMON_INCLUDE_DIR STREQUAL "/usr/include")
    target_include_directories(cairn_planner SYSTEM PRIVATE ${CAIRN_LEMON_INCLUDE_DIR})
  endif()
  compiled_together(cairn_planner src include)
endif()

# What a rank computes by itself: `cairn_local`.
set(local_objects)
if(CAIRN_MPI)
  objects_without_mpi(cairn_local local)
  set(local_objects $<TARGET_OBJECTS:cairn_local>)
  if(NOT CAIRN_OBJECTS_OF)
    target_link_libraries(cairn_local PRIVATE cairn_blas)
    if(CAIRN_LIBXSMM_FOUND)
      set_source_files_properties(src/local/sparse/small_products.cpp PROPERTIES COMPILE_DEFINITIONS CAIRN_LIBXSMM)
      target_include_directories(cairn_local SYSTEM PRIVATE ${CAIRN_LIBXSMM_INCLUDE_DIR})
    endif()
    if(TARGET OpenMP::OpenMP_CXX)
      target_link_libraries(cairn_local PRIVATE OpenMP::OpenMP_CXX)
    endif()
    compiled_together(cairn_local src include)
  endif()
endif()

set(mpi_sources)
if(CAIRN_MPI)
  sources_in(mpi_sources runtime api functions capi)
endif()
add_library(cairn $<TARGET_OBJECTS:cairn_planner> ${local_objects} ${mpi_sources})
add_library(cairn::cairn ALIAS cairn)
set_target_properties(cairn PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${CAIRN_SOVERSION}
                                       POSITION_INDEPENDENT_CODE ON LINKER_LANGUAGE CXX)
target_compile_features(cairn PUBLIC cxx_std_20)
target_include_directories(cairn PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                        $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                                        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(cairn PRIVATE $<BUILD_INTERFACE:cairn_internal> fmt::fmt ZLIB::ZLIB)
if(CAIRN_MPI)
  target_link_libraries(cairn PUBLIC MPI::MPI_CXX PRIVATE $<BUILD_INTERFACE:cairn_blas>
                        LAPACK::LAPACK ${CAIRN_CBLAS_LIBRARY} BLAS::BLAS)
  if(CAIRN_LIBXSMM_FOUND)
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
