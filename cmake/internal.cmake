# `cairn_internal`: what the library's own sources, tests, bench, apps and bindings share beyond the public interface
# (private headers, private dependencies, warnings).
add_library(cairn_internal INTERFACE)
target_include_directories(cairn_internal INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(cairn_internal INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
if(CAIRN_WERROR)
  # Not those that depend on what was inlined, here even on the length of the path of the sources: g++ 12 invents them.
  target_compile_options(cairn_internal INTERFACE -Werror)
  foreach(warning array-bounds restrict stringop-overflow stringop-overread maybe-uninitialized)
    target_compile_options(cairn_internal INTERFACE -Wno-error=${warning})
  endforeach()
endif()
target_link_libraries(cairn_internal INTERFACE fmt::fmt nlohmann_json::nlohmann_json)
