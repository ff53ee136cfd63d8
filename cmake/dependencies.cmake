# What Cairn is built with. Ends with: fmt::fmt, nlohmann_json::nlohmann_json, ZLIB::ZLIB and, with
# CAIRN_MPI, MPI::MPI_C, MPI::MPI_CXX and, unless CAIRN_LIBRARY_OF, cairn_blas.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_path(CAIRN_LEMON_INCLUDE_DIR lemon/network_simplex.h)  # its templates only
mark_as_advanced(CAIRN_LEMON_INCLUDE_DIR)
if(NOT CAIRN_LEMON_INCLUDE_DIR)
  message(FATAL_ERROR "lemon/network_simplex.h was not found: install LEMON (Debian: liblemon-dev) or set "
                      "CAIRN_LEMON_INCLUDE_DIR")
endif()

if(CAIRN_MPI)
  # Debian keeps several MPIs side by side as mpicxx.openmpi, mpicxx.mpich. Without this, find_package
  # may pair the compiler of one with the launcher of the other.
  if(CAIRN_MPI_FLAVOUR)
    foreach(what MPI_C_COMPILER:mpicc MPI_CXX_COMPILER:mpicxx MPIEXEC_EXECUTABLE:mpiexec)
      string(REPLACE ":" ";" what ${what})
      list(GET what 0 variable)
      list(GET what 1 program)
      if(NOT ${variable})
        find_program(CAIRN_${variable} ${program}.${CAIRN_MPI_FLAVOUR})
        mark_as_advanced(CAIRN_${variable})
        if(CAIRN_${variable})
          set(${variable} ${CAIRN_${variable}} CACHE FILEPATH "Chosen by CAIRN_MPI_FLAVOUR")
        elseif(program STREQUAL "mpicxx" AND NOT CAIRN_MPI_FLAVOUR MATCHES "^(openmpi|mpich)$")
          message(WARNING "CAIRN_MPI_FLAVOUR: there is no ${program}.${CAIRN_MPI_FLAVOUR}, expected the end of a name as "
                          "openmpi or mpich; the default MPI is taken")
        endif()
      endif()
    endforeach()
  endif()
  if(DEFINED CAIRN_MPI_CHOSEN AND NOT "${CAIRN_MPI_CHOSEN}" STREQUAL "${CAIRN_MPI_FLAVOUR}")
    message(FATAL_ERROR "CAIRN_MPI_FLAVOUR: '${CAIRN_MPI_FLAVOUR}', but this build tree was configured with "
                        "'${CAIRN_MPI_CHOSEN}', expected a tree of its own for each MPI")
  endif()
  set(CAIRN_MPI_CHOSEN "${CAIRN_MPI_FLAVOUR}" CACHE INTERNAL "The CAIRN_MPI_FLAVOUR of this build tree")
  set(MPI_CXX_SKIP_MPICXX ON)  # its old interface for C++, which nothing here uses
  find_package(MPI 3.1 REQUIRED COMPONENTS C CXX)
  if(CAIRN_LIBRARY_OF)  # what is below is in it
    return()
  endif()

  # CBLAS: some BLAS libraries contain it (OpenBLAS, MKL, BLIS), the reference BLAS keeps it apart.
  # Another BLAS: -DBLA_VENDOR=..., see CMake's FindBLAS.
  find_package(BLAS REQUIRED)
  find_path(CAIRN_CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas flexiblas)
  if(NOT CAIRN_CBLAS_INCLUDE_DIR)
    message(FATAL_ERROR "cblas.h was not found: install a BLAS with its C interface (Debian: libopenblas-dev) "
                        "or set CAIRN_CBLAS_INCLUDE_DIR")
  endif()
  add_library(cairn_blas INTERFACE)
  target_include_directories(cairn_blas SYSTEM INTERFACE ${CAIRN_CBLAS_INCLUDE_DIR})
  target_link_libraries(cairn_blas INTERFACE BLAS::BLAS)
  # LAPACK, for the factors of local blocks: in OpenBLAS and MKL, beside the reference BLAS.
  find_package(LAPACK REQUIRED)
  target_link_libraries(cairn_blas INTERFACE LAPACK::LAPACK)
  include(CheckSymbolExists)
  set(CMAKE_REQUIRED_INCLUDES ${CAIRN_CBLAS_INCLUDE_DIR})
  set(CMAKE_REQUIRED_LIBRARIES BLAS::BLAS)
  check_symbol_exists(cblas_zgemm cblas.h CAIRN_BLAS_HAS_CBLAS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(NOT CAIRN_BLAS_HAS_CBLAS)
    find_library(CAIRN_CBLAS_LIBRARY cblas REQUIRED)
    target_link_libraries(cairn_blas INTERFACE ${CAIRN_CBLAS_LIBRARY})
  endif()

  # LIBXSMM 1.x, for products of small blocks: may be absent. Its version 2 has another interface.
  set(CAIRN_LIBXSMM_FOUND OFF)
  if(CAIRN_LIBXSMM)
    find_path(CAIRN_LIBXSMM_INCLUDE_DIR libxsmm.h)
    find_library(CAIRN_LIBXSMM_LIBRARY xsmm)
    mark_as_advanced(CAIRN_LIBXSMM_INCLUDE_DIR CAIRN_LIBXSMM_LIBRARY)
    if(CAIRN_LIBXSMM_INCLUDE_DIR AND CAIRN_LIBXSMM_LIBRARY)
      find_package(Threads REQUIRED)
      set(CAIRN_LIBXSMM_LIBRARIES ${CAIRN_LIBXSMM_LIBRARY} ${CMAKE_THREAD_LIBS_INIT} ${CMAKE_DL_LIBS})
      set(CMAKE_REQUIRED_INCLUDES ${CAIRN_LIBXSMM_INCLUDE_DIR})
      set(CMAKE_REQUIRED_LIBRARIES ${CAIRN_LIBXSMM_LIBRARIES} BLAS::BLAS m)
      check_symbol_exists(libxsmm_dmmdispatch libxsmm.h CAIRN_LIBXSMM_DISPATCHES)
      unset(CMAKE_REQUIRED_INCLUDES)
      unset(CMAKE_REQUIRED_LIBRARIES)
    endif()
    if(CAIRN_LIBXSMM_DISPATCHES)
      set(CAIRN_LIBXSMM_FOUND ON)
    else()
      message(STATUS "No LIBXSMM 1.x: small blocks are multiplied by the BLAS")
    endif()
  endif()

  # OpenMP: may be absent. Ranks have one thread then.
  if(CAIRN_OPENMP)
    find_package(OpenMP COMPONENTS CXX)
  endif()

  # ScaLAPACK for the same MPI: nothing is linked with it but what compares with it. CAIRN_SCALAPACK_LIBRARY may be absent.
  set(CAIRN_MPI_NAME "${CAIRN_MPI_FLAVOUR}")
  if(NOT CAIRN_MPI_NAME AND "${MPI_CXX_LIBRARIES}" MATCHES "openmpi|mpich")
    set(CAIRN_MPI_NAME ${CMAKE_MATCH_0})
  endif()
  find_library(CAIRN_SCALAPACK_LIBRARY NAMES scalapack-${CAIRN_MPI_NAME} scalapack)
  mark_as_advanced(CAIRN_SCALAPACK_LIBRARY)
endif()
