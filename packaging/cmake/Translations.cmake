# SPDX-License-Identifier: Apache-2.0
# The window's texts in other languages: resources/translations/remat-studio_LANGUAGE.ts. The plain build makes from each, where
# lrelease is, what the window loads (REMAT_LANGUAGE_FILES); `translations` brings them up to date with the sources.
set(REMAT_LANGUAGE_FILES "")
set(_texts ${CMAKE_SOURCE_DIR}/resources/translations)
file(GLOB _languages CONFIGURE_DEPENDS ${_texts}/remat-studio_*.ts)

find_program(REMAT_LRELEASE NAMES lrelease6 lrelease PATHS /usr/lib/qt6/bin)
if(REMAT_LRELEASE)
    foreach(_language IN LISTS _languages)
        get_filename_component(_name ${_language} NAME_WE)
        set(_file ${CMAKE_BINARY_DIR}/share/remat-studio/translations/${_name}.qm)
        add_custom_command(OUTPUT ${_file} DEPENDS ${_language} VERBATIM
            COMMAND ${REMAT_LRELEASE} -silent ${_language} -qm ${_file})
        list(APPEND REMAT_LANGUAGE_FILES ${_file})
    endforeach()
    add_custom_target(language_files ALL DEPENDS ${REMAT_LANGUAGE_FILES})
    add_dependencies(remat-studio language_files)
else()
    message(STATUS "lrelease was not found: the window speaks English only")
endif()

find_program(REMAT_LUPDATE NAMES lupdate6 lupdate PATHS /usr/lib/qt6/bin)
if(REMAT_LUPDATE)
    add_custom_target(translations VERBATIM
        COMMAND ${REMAT_LUPDATE} -silent -no-obsolete -locations none -extensions cpp,h -I ${CMAKE_SOURCE_DIR}
                -tr-function-alias translate+=m_words,translate+=words ${CMAKE_SOURCE_DIR}/app/studio
                ${CMAKE_SOURCE_DIR}/core/plan ${CMAKE_SOURCE_DIR}/core/views
                ${CMAKE_SOURCE_DIR}/core/teaching -ts ${_texts}/remat-studio.ts ${_languages})
endif()
