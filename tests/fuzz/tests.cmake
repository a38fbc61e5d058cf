# SPDX-License-Identifier: Apache-2.0
# Readers against inputs that nobody meant to write, in whatever build this is: with sanitizers in `packaging/test
# --variant asan`, and told which code was reached (REMAT_FUZZ) in the one that packaging/fuzz makes.
find_package(CLI11 REQUIRED)
add_library(remat_watch STATIC ${CMAKE_CURRENT_LIST_DIR}/watch.cpp)
target_link_libraries(remat_watch PRIVATE remat_flags)
if(REMAT_FUZZ)
    target_compile_options(remat_core PRIVATE -fsanitize-coverage=trace-pc)
    target_link_libraries(remat_core PUBLIC remat_watch)
endif()

file(GLOB _fuzz CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp ${CMAKE_CURRENT_LIST_DIR}/targets/*.cpp)
list(REMOVE_ITEM _fuzz ${CMAKE_CURRENT_LIST_DIR}/watch.cpp)
# Only what reads, of the solvers: all of them would take the compiler minutes with sanitizers.
add_executable(remat-fuzz ${_fuzz} support/graphs.cpp support/random_plans.cpp)
foreach(_file app/cli/settings.cpp app/layout_helper/request.cpp gpu/run_messages.cpp gpu/run_trust.cpp
        solvers/ilp/helper_messages.cpp solvers/ilp/model.cpp solvers/interface/options.cpp)
    target_sources(remat-fuzz PRIVATE ${CMAKE_SOURCE_DIR}/${_file})
endforeach()
target_link_libraries(remat-fuzz PRIVATE remat_core remat_watch CLI11::CLI11 nlohmann_json::nlohmann_json)
target_compile_definitions(remat-fuzz PRIVATE REMAT_FUZZ_DIR="${CMAKE_CURRENT_LIST_DIR}"
    REMAT_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/data" REMAT_SAMPLES="${CMAKE_SOURCE_DIR}/resources/samples")
target_compile_options(remat-fuzz PRIVATE $<$<CONFIG:Release>:-O1>)
# CLI11 takes the compiler a minute with sanitizers, and is not what is looked at.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/main.cpp PROPERTIES COMPILE_OPTIONS "-fno-sanitize=all;-O0" SKIP_UNITY_BUILD_INCLUSION ON)
set_target_properties(remat-fuzz PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
add_test(NAME fuzz/files COMMAND remat-fuzz --files)
add_test(NAME fuzz/short COMMAND remat-fuzz --inputs 300 --seed 1 --keep ${CMAKE_CURRENT_BINARY_DIR}/fuzz)
set_tests_properties(fuzz/files fuzz/short PROPERTIES TIMEOUT 900)

# Odd graphs x planners x budgets x decisions x devices; `remat-stress --plans 20000 --seed 1` is the long run.
file(GLOB _stress CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/stress/*.cpp)
add_executable(remat-stress ${_stress} ${CMAKE_CURRENT_LIST_DIR}/child.cpp ${CMAKE_CURRENT_LIST_DIR}/target.cpp)
target_link_libraries(remat-stress PRIVATE remat_test_support remat_solvers CLI11::CLI11)
add_test(NAME fuzz/stress COMMAND remat-stress --plans 300 --seed 1)
set_tests_properties(fuzz/stress PROPERTIES TIMEOUT 900)

# Every trace that once broke a real run, and two more of its kind.
if(TARGET remat_torch)
    find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
    add_test(NAME fuzz/validate COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/validate.py
             --remat $<TARGET_FILE:remat> --runs 2 --seconds 0)
    set_tests_properties(fuzz/validate PROPERTIES TIMEOUT 900)
endif()
