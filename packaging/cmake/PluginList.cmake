# SPDX-License-Identifier: Apache-2.0
# remat_plugin_list(TARGET FOLDER MACRO LIST): what is plugged in is a file of FOLDER that defines a function of its own name.
# LIST.inc, which sources of TARGET include, has a line `MACRO(name)` for each file.
function(remat_plugin_list target folder macro list)
    file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/${folder} ${folder}/*.cpp)
    set(text "")
    foreach(file IN LISTS files)
        string(REGEX REPLACE "\\.cpp$" "" name ${file})
        string(APPEND text "${macro}(${name})\n")
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/${list}.inc CONTENT "${text}")
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
endfunction()
