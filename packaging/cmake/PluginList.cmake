# SPDX-License-Identifier: Apache-2.0
# remat_plugin_list(TARGET FILES MACRO LIST): what is plugged in is a file among FILES, a pattern, that defines a function of
# its own name; `graph_spec.cpp` defines `graph`. LIST.inc, which sources of TARGET include, has a line `MACRO(name)` for each.
function(remat_plugin_list target files macro list)
    file(GLOB found CONFIGURE_DEPENDS ${files})
    set(text "")
    foreach(file IN LISTS found)
        cmake_path(GET file STEM name)
        string(REGEX REPLACE "_spec$" "" name ${name})
        string(APPEND text "${macro}(${name})\n")
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/${list}.inc CONTENT "${text}")
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
endfunction()
