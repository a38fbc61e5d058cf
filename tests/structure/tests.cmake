# SPDX-License-Identifier: Apache-2.0
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
add_test(NAME structure/includes COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_structure.py)
add_test(NAME structure/planted COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_planted.py)
add_test(NAME structure/pages COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_pages.py)
add_test(NAME structure/version COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_version.py)
# Builds without the window, LibTorch or nvcc have fewer targets.
if(TARGET remat-studio AND TARGET remat_torch_cuda)
    add_test(NAME structure/architecture COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_architecture.py
             ${CMAKE_BINARY_DIR}/architecture.mmd)
endif()
