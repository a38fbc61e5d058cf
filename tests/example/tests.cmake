# SPDX-License-Identifier: Apache-2.0
# The planner in solvers/README.md, taken out of the page and compiled as it stands there.
if(NOT TARGET Qt6::Test)
    return()
endif()
set(_page ${CMAKE_SOURCE_DIR}/solvers/README.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_page})
file(READ ${_page} _text)
string(FIND "${_text}" "```cpp\n" _begin)
math(EXPR _begin "${_begin} + 7")
string(SUBSTRING "${_text}" ${_begin} -1 _text)
string(FIND "${_text}" "```" _end)
string(SUBSTRING "${_text}" 0 ${_end} _text)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/drop_largest.cpp CONTENT "${_text}" @ONLY)
add_executable(example_tst_example_planner ${CMAKE_CURRENT_LIST_DIR}/tst_example_planner.cpp
               ${CMAKE_CURRENT_BINARY_DIR}/drop_largest.cpp)
remat_prepare_test(example_tst_example_planner ${CMAKE_CURRENT_LIST_DIR}/tst_example_planner.cpp remat_solvers)
add_test(NAME example/tst_example_planner COMMAND example_tst_example_planner)
set_tests_properties(example/tst_example_planner PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen" TIMEOUT 300)
