# SPDX-License-Identifier: Apache-2.0
foreach(_test studio_tst_killed studio_tst_start_up)
    if(TARGET ${_test})
        add_dependencies(${_test} remat-studio)
        string(REPLACE "studio_" "studio/" _name ${_test})
        set_property(TEST ${_name} APPEND PROPERTY ENVIRONMENT "LANGUAGE=en") # what the program says is compared
    endif()
endforeach()
if(TARGET studio_tst_translation AND TARGET language_files)
    add_dependencies(studio_tst_translation language_files)
endif()

# The pictures of the README can still be taken: one of them, of a small sample.
if(TARGET remat-studio)
    add_test(NAME studio/make_pictures
             COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/resources/pictures/make_pictures.py learn-dark
                     --studio $<TARGET_FILE:remat-studio> --sample tiny_unet --size 1280x800 --out ${CMAKE_BINARY_DIR})
    set_tests_properties(studio/make_pictures PROPERTIES TIMEOUT 300)
endif()
