# SPDX-License-Identifier: Apache-2.0
# remat_embed_texts(TARGET FILE…): sources of TARGET have the text of each file by `#include "<file name>.inc"`, as one string.
function(remat_embed_texts target)
    foreach(file IN LISTS ARGN)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
        file(READ ${file} text)
        get_filename_component(name ${file} NAME)
        file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/${name}.inc @ONLY CONTENT "R\"embedded(@text@)embedded\"\n")
    endforeach()
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
endfunction()
