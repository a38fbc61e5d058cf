# SPDX-License-Identifier: Apache-2.0
# Benchmarks are run by hand (tests/benchmarks/run.py); as a test they only prove that they still run.
find_package(CLI11 REQUIRED)
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
file(GLOB _benchmark CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
list(FILTER _benchmark EXCLUDE REGEX "/(overlap|hints)\\.cpp$")
add_executable(remat-benchmark ${_benchmark})
target_link_libraries(remat-benchmark PRIVATE remat_test_support remat_solvers CLI11::CLI11)
add_test(NAME benchmarks/smoke COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/run.py --smoke
         --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} -o ${CMAKE_CURRENT_BINARY_DIR}/benchmarks)
set_tests_properties(benchmarks/smoke PROPERTIES TIMEOUT 300)
add_test(NAME benchmarks/figure COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/planner_figure.py
         --solver keep-all,chen-sqrt --budgets "100%,60%,10%" --time-limit 1 --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
         -o ${CMAKE_CURRENT_BINARY_DIR}/planners.svg ${CMAKE_SOURCE_DIR}/resources/samples/tiny_gpt2.pt2)
add_test(NAME benchmarks/comparison COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_comparison.py)
add_test(NAME benchmarks/poet COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/poet_table.py
         --devices mkr1000,h100 --budgets 70% --time-limit 60 --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
         ${CMAKE_SOURCE_DIR}/resources/lessons/graphs/skip9.json)
if(EXISTS ${CMAKE_SOURCE_DIR}/.venv/bin/python)
    add_test(NAME benchmarks/moccasin COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python
             ${CMAKE_CURRENT_LIST_DIR}/moccasin_table.py optima --graphs random:30:1 --budgets 80
             --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    # Memory looked at during first computations only, and throughout.
    foreach(_graphs "random:60:3 0.9" "random:24:1 0.3")
        separate_arguments(_graphs)
        list(GET _graphs 0 _graph)
        list(GET _graphs 1 _share)
        string(REPLACE ":" "_" _name ${_graph})
        add_test(NAME benchmarks/poet_oracle_${_name} COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python
                 ${CMAKE_CURRENT_LIST_DIR}/poet_oracle.py --prove --graphs ${_graph} --devices nrf52840 --shares ${_share}
                 --time-limit 120 --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    endforeach()
    add_test(NAME benchmarks/deviation COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python
             ${CMAKE_CURRENT_LIST_DIR}/deviation.py
             --only llama_grouped_masked,lstm,custom_function,in_place_on_views --most 1
             --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    add_test(NAME benchmarks/lower_sets COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python
             ${CMAKE_CURRENT_LIST_DIR}/lower_set_table.py --only vgg19 --batch 2 --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    add_test(NAME benchmarks/skips COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python ${CMAKE_CURRENT_LIST_DIR}/skip_table.py
             --only unetpp,random-60 --budgets 70% --time-limit 1 --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    add_test(NAME benchmarks/hiremate_depth COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python
             ${CMAKE_CURRENT_LIST_DIR}/hiremate_depth.py --layers 4 --time-limits 2 --budgets 60% --depths 1,2 --width 48
             --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    add_test(NAME benchmarks/weights COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python
             ${CMAKE_CURRENT_LIST_DIR}/weights_that_do_not_fit.py --layers 2 --hidden 256 --inner 688 --heads 4 --words 400
             --batch 2 --length 256 --scale 0.0004 --time-limit 10 --planners offmate
             --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    add_test(NAME benchmarks/rounding COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python
             ${CMAKE_CURRENT_LIST_DIR}/checkmate_rounding.py --only vgg16 --batch 64 --budgets 90 --time-limit 6
             --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    add_test(NAME benchmarks/export_routes COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python
             ${CMAKE_CURRENT_LIST_DIR}/export_routes.py --only gpt2 --rounds 1 --time-limit 1)
    set_tests_properties(benchmarks/export_routes PROPERTIES TIMEOUT 900
                         ENVIRONMENT "REMAT_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    add_test(NAME benchmarks/compiled_steps COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python
             ${CMAKE_CURRENT_LIST_DIR}/compiled_steps.py --only custom_function --budgets 60%)
    set_tests_properties(benchmarks/compiled_steps PROPERTIES TIMEOUT 900
                         ENVIRONMENT "REMAT_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    add_test(NAME benchmarks/checkpointing COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python
             ${CMAKE_CURRENT_LIST_DIR}/checkpointing_situations.py --only even_chain,uneven_fan --budgets 0.3 --time-limit 1)
    set_tests_properties(benchmarks/checkpointing PROPERTIES TIMEOUT 900
                         ENVIRONMENT "REMAT_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    foreach(_training "equal --only squeezenet --steps 2" "cost --sizes small --rounds 1"
            "start --layers 1 --time-limit 1 --budget 100%"
            "against_torch --only gpt2 --budgets 0.5 --rounds 1 --time-limit 1")
        separate_arguments(_training)
        list(POP_FRONT _training _name)
        add_test(NAME benchmarks/train_${_name}
                 COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python ${CMAKE_CURRENT_LIST_DIR}/train_${_name}.py ${_training})
        set_tests_properties(benchmarks/train_${_name} PROPERTIES TIMEOUT 900
                             ENVIRONMENT "REMAT_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    endforeach()
endif()
add_test(NAME benchmarks/walk COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/planner_walk.py
         --solver keep-all,chen-sqrt,kusumoto-exact --slack 60 --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
         -o ${CMAKE_CURRENT_BINARY_DIR}/walk.csv ${CMAKE_SOURCE_DIR}/resources/samples/tiny_gpt2.pt2)

# Copies beside compute on the simulated accelerator, against the prediction.
add_executable(remat-overlap-benchmark ${CMAKE_CURRENT_LIST_DIR}/overlap.cpp)
target_link_libraries(remat-overlap-benchmark PRIVATE remat_test_support remat_solvers remat_engine)
add_test(NAME benchmarks/overlap COMMAND remat-overlap-benchmark)

if(TARGET remat_torch)
    add_test(NAME benchmarks/step_time COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/step_time.py tiny_gpt2
             --rounds 1 --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
endif()

# Hints of puzzles; the test is a small run.
add_executable(remat-hint-benchmark ${CMAKE_CURRENT_LIST_DIR}/hints.cpp)
target_link_libraries(remat-hint-benchmark PRIVATE remat_solvers)
add_test(NAME benchmarks/hints COMMAND remat-hint-benchmark 5)

# Drives the real window and measures it.
if(TARGET remat_window_shell)
    file(GLOB _window CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/window/*.cpp)
    add_executable(remat-window-benchmark ${_window})
    target_link_libraries(remat-window-benchmark PRIVATE remat_test_support remat_window_shell)
    add_dependencies(remat-window-benchmark remat-layout)
endif()
