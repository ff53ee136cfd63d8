# libcairn_scalapack: p?gemm in ScaLAPACK's place, to be linked before it or preloaded. It is linked with no ScaLAPACK:
# whatever the program has is found when it runs. cairn_scalapack_wrap is for programs linked statically with one.
file(GLOB scalapack_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/scalapack/*.cpp)
list(FILTER scalapack_sources EXCLUDE REGEX "/(symbols|wrap)\\.cpp$")
add_library(cairn_scalapack_core OBJECT ${scalapack_sources})
set_target_properties(cairn_scalapack_core PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
target_link_libraries(cairn_scalapack_core PUBLIC cairn PRIVATE cairn_internal fmt::fmt)
compiled_together(cairn_scalapack_core src include HEADERS <mpi.h>)

add_library(cairn_scalapack SHARED src/scalapack/symbols.cpp)
add_library(cairn_scalapack_wrap STATIC src/scalapack/wrap.cpp)
foreach(library cairn_scalapack cairn_scalapack_wrap)
  target_sources(${library} PRIVATE $<TARGET_OBJECTS:cairn_scalapack_core>)
  target_link_libraries(${library} PUBLIC cairn PRIVATE $<BUILD_INTERFACE:cairn_internal> fmt::fmt ${CMAKE_DL_LIBS})
  add_library(cairn::${library} ALIAS ${library})
endforeach()
set_target_properties(cairn_scalapack PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${CAIRN_SOVERSION})
install(TARGETS cairn_scalapack cairn_scalapack_wrap EXPORT cairnTargets)
