# SPDX-License-Identifier: Apache-2.0
# The Debian package. packaging/deb calls cpack with it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME remat-studio)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "The developers of Remat Studio")
# No address is promised that nobody reads: .invalid is reserved for this.
set(REMAT_MAINTAINER "The developers of Remat Studio <remat-studio@example.invalid>")
set(CPACK_PACKAGE_CONTACT ${REMAT_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "planner for rematerialization in PyTorch training")
set(CPACK_PACKAGE_DESCRIPTION
    "Opens the training graph of a PyTorch model, shows where its memory goes, plans\n\
under a memory budget what is freed and computed again or kept on the host, and\n\
proves the plan: an independent checker, a lower bound beside every overhead, and\n\
a run through LibTorch that compares loss and gradients bit for bit.\n\
.\n\
remat-studio is the window, remat the same engine on the command line. Running\n\
plans needs LibTorch, which 'remat torch --install' gets from PyPI.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The module's LibTorch comes from no Debian package; this only lets dpkg-shlibdeps see that it exists.
if(REMAT_TORCH_ROOT)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${REMAT_TORCH_ROOT}/lib)
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS hicolor-icon-theme)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-venv, qt6-wayland, qt6-translations-l10n, shared-mime-info, desktop-file-utils")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/packaging/cmake/OneTime.cmake)
string(TIMESTAMP REMAT_RELEASE_TIME "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(packaging/linux/changelog.in ${CMAKE_BINARY_DIR}/changelog @ONLY)
include(CPack)
