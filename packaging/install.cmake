# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where. An installation may be moved: programs find everything from where they are.
include(GNUInstallDirs)
set(_data ${CMAKE_INSTALL_DATADIR}/remat-studio)
set(_program_files "")
foreach(_target remat remat-cbc remat-run remat-studio remat-layout)
    if(TARGET ${_target})
        install(TARGETS ${_target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
        list(APPEND _program_files $<TARGET_FILE:${_target}>)
    endif()
endforeach()
install(DIRECTORY resources/devices resources/samples resources/lessons resources/puzzles resources/python resources/reports
        DESTINATION ${_data}
        PATTERN __pycache__ EXCLUDE PATTERN .pytest_cache EXCLUDE)
install(PROGRAMS resources/get-torch DESTINATION ${_data})
install(FILES resources/cp_sat.py DESTINATION ${_data}) # started with the Python that has OR-Tools
install(FILES ${REMAT_LANGUAGE_FILES} DESTINATION ${_data}/translations)
if(TARGET remat_torch)
    # Not LIBDIR, which Debian calls after the architecture: the loader looks in one place.
    install(TARGETS remat_torch LIBRARY DESTINATION lib/remat-studio)
    list(APPEND _program_files $<TARGET_FILE:remat_torch>)
endif()
if(TARGET remat_torch_cuda)
    install(TARGETS remat_torch_cuda LIBRARY DESTINATION lib/remat-studio)
endif()
if(TARGET remat_cuda)
    install(TARGETS remat_cuda LIBRARY DESTINATION lib/remat-studio)
    list(APPEND _program_files $<TARGET_FILE:remat_cuda>)
endif()

# Manual pages, completions, licences and the list of parts: made from the programs, for packages only.
set(_pages ${CMAKE_BINARY_DIR}/package)
install(DIRECTORY ${_pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(DIRECTORY ${_pages}/completions/bash/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
install(DIRECTORY ${_pages}/completions/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions OPTIONAL)
install(DIRECTORY ${_pages}/completions/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
install(DIRECTORY ${_pages}/doc/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/remat-studio OPTIONAL)

if(TARGET remat-studio)
    set(_id org.rematstudio.RematStudio)
    install(FILES packaging/linux/${_id}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES packaging/linux/remat-studio.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
            RENAME remat-studio.xml)
    install(FILES resources/remat-studio.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps
            RENAME ${_id}.svg)
    string(TIMESTAMP REMAT_RELEASE_DATE "%Y-%m-%d" UTC) # of SOURCE_DATE_EPOCH where it is set
    configure_file(packaging/linux/metainfo.xml.in ${CMAKE_BINARY_DIR}/${_id}.metainfo.xml @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/${_id}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
endif()

# What packaging/sbom looks into.
list(JOIN _program_files "\n" _lines)
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/package_programs.txt CONTENT "${_lines}\n")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/torch_version.txt CONTENT "${REMAT_TORCH_VERSION}\n")

add_custom_target(package_files VERBATIM
    COMMAND ${CMAKE_SOURCE_DIR}/packaging/make-package-files ${CMAKE_BINARY_DIR} ${_pages}
    DEPENDS ${_program_files} COMMENT "Manual pages, completions, licences and the list of parts")
include(packaging/cpack.cmake)
