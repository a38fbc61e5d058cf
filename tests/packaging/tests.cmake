# What a package is made of, from the build tree: no chroot, no network. Packages hold the window.
if(TARGET remat-studio)
    add_test(NAME packaging/package
             COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_packaging.py ${CMAKE_BINARY_DIR})
    set_tests_properties(packaging/package PROPERTIES TIMEOUT 600 ENVIRONMENT "QT_QPA_PLATFORM=offscreen;PYTHONDONTWRITEBYTECODE=1")
endif()
