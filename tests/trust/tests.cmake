# SPDX-License-Identifier: Apache-2.0
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
add_test(NAME trust/system_calls COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_system_calls.py
         --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
set_tests_properties(trust/system_calls PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
