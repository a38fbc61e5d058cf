# SPDX-License-Identifier: Apache-2.0
add_test(NAME style/format COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/check_format.py)
add_test(NAME style/tidy COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/check_tidy.py ${CMAKE_BINARY_DIR})
set_tests_properties(style/tidy PROPERTIES TIMEOUT 1500 COST 1000 PROCESSORS 2)
# What core and solvers promise can be read as pages, and every comment is understood.
if(TARGET documentation)
    add_test(NAME style/documentation COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target documentation)
endif()
