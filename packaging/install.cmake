# What `cmake --install` puts where.
include(GNUInstallDirs)
install(TARGETS remat remat-cbc remat-run RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY resources/devices resources/samples resources/python
        DESTINATION ${CMAKE_INSTALL_DATADIR}/remat-studio PATTERN __pycache__ EXCLUDE)
if(TARGET remat_torch)
    install(TARGETS remat_torch LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/remat-studio)
endif()
if(TARGET remat-studio)
    install(TARGETS remat-studio remat-layout RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
