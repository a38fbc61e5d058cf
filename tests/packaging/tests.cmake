# SPDX-License-Identifier: Apache-2.0
# What a package is made of, from the build tree: no chroot, no network. Packages hold the window and what runs graphs.
if(TARGET remat-studio AND TARGET remat_torch)
    add_test(NAME packaging/package
             COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_packaging.py ${CMAKE_BINARY_DIR})
    set_tests_properties(packaging/package PROPERTIES TIMEOUT 600 ENVIRONMENT "QT_QPA_PLATFORM=offscreen;PYTHONDONTWRITEBYTECODE=1")
endif()
# The wheel is made with the Python that it is tried with.
set(_python ${CMAKE_SOURCE_DIR}/.venv/bin/python)
if(EXISTS ${_python} AND TARGET remat_torch)
    add_test(NAME packaging/wheel COMMAND ${_python} ${CMAKE_CURRENT_LIST_DIR}/test_wheel.py ${CMAKE_BINARY_DIR})
    set_tests_properties(packaging/wheel PROPERTIES TIMEOUT 900 ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
endif()
