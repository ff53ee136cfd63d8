# compiled_together(<target> <include directory>... [HEADERS <header>...] [HEADERS_OF <target>] [COSTLY <header>...]): the
# sources of a target in groups, of about 1200 lines each, that the compiler sees as one; tools/compile_together.py writes
# them, again whenever a source changes. The usual headers of others, and HEADERS, are compiled once for all of them, or
# taken from another target that is compiled in the same way. Sources that include a COSTLY header, which takes the compiler
# seconds in every object that has it, stay among themselves. To be called when the target has its sources, and these their
# properties.
# GCC collects no garbage meanwhile: that would take a tenth of its time, and save a fifth of its memory, which is 1 GB at most.
# Saves a third of the time; but then nobody notices where a file forgets to include what it uses.
function(compiled_together target)
  if(NOT CAIRN_TOGETHER)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 together "" HEADERS_OF "HEADERS;COSTLY")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=4000000)  # KiB
  endif()
  if(together_HEADERS_OF)
    target_precompile_headers(${target} REUSE_FROM ${together_HEADERS_OF})
  else()
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <complex> <functional> <map> <memory> <numeric>
                              <optional> <span> <string> <variant> <vector> <fmt/format.h> ${together_HEADERS})
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  # Sources that are compiled in a way of their own stay alone.
  get_target_property(all ${target} SOURCES)
  set(others)
  set(sources)
  foreach(source IN LISTS all)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    if(source MATCHES "\\.cpp$" AND NOT definitions)
      list(APPEND sources ${source})
    else()
      list(APPEND others ${source})
    endif()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/tools/compile_together.py)
  list(JOIN together_UNPARSED_ARGUMENTS "," directories)
  list(JOIN together_COSTLY "," costly)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/compile_together.py 1200
                          ${CMAKE_CURRENT_BINARY_DIR}/together/${target} ${directories} "${costly}" ${sources}
                  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" groups "${groups}")
  set_property(TARGET ${target} PROPERTY SOURCES ${others} ${groups})
endfunction()
