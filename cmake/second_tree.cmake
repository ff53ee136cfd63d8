# What needs no MPI is the same for every MPI: a second tree takes such objects from a first one, CAIRN_OBJECTS_OF.

# objects_for_second_tree(<target>): in the first tree, tells a second one where the objects of <target> are.
function(objects_for_second_tree target)
  string(CONCAT imported "add_library(${target} OBJECT IMPORTED)\n"
                "set_property(TARGET ${target} PROPERTY IMPORTED_OBJECTS \"$<TARGET_OBJECTS:${target}>\")\n")
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/objects/${target}.cmake CONTENT "${imported}")
endfunction()

# objects_of_first_tree(<target>): in the second tree, <target> is the first one's.
macro(objects_of_first_tree target)
  if(NOT EXISTS ${CAIRN_OBJECTS_OF}/objects/${target}.cmake)
    message(FATAL_ERROR "CAIRN_OBJECTS_OF: ${CAIRN_OBJECTS_OF} is no build tree of Cairn with ${target}; build that one "
                        "first (make dev)")
  endif()
  include(${CAIRN_OBJECTS_OF}/objects/${target}.cmake)
endmacro()
