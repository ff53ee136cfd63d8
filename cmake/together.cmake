# compiled_together(<target> <include directory>... [HEADERS <header>...] [HEADERS_OF <target>] [COSTLY <header>...]): the
# sources of a target in groups, of about 1200 lines each, that the compiler sees as one: all that do not disturb each other
# (tools/compile_together.py), which is found again whenever one of them changes. The usual headers of others, and HEADERS,
# are compiled once for all of them, or taken from another target that is compiled in the same way. Sources that include a
# COSTLY header, which takes the compiler seconds in every object that has it, stay among themselves.
# Saves half of the time; but then nobody notices where a file forgets to include what it uses.
function(compiled_together target)
  if(NOT CAIRN_TOGETHER)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 together "" HEADERS_OF "HEADERS;COSTLY")
  if(together_HEADERS_OF)
    target_precompile_headers(${target} REUSE_FROM ${together_HEADERS_OF})
  else()
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <complex> <functional> <map> <memory> <numeric>
                              <optional> <span> <string> <variant> <vector> <fmt/format.h> ${together_HEADERS})
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/tools/compile_together.py)
  list(JOIN together_UNPARSED_ARGUMENTS "," directories)
  list(JOIN together_COSTLY "," costly)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/compile_together.py 1200 ${directories} "${costly}" ${sources}
                  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" groups "${groups}")
  foreach(source group IN ZIP_LISTS sources groups)
    if(NOT group STREQUAL "-")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
