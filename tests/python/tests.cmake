# SPDX-License-Identifier: Apache-2.0
# The tests of the Python package, with the interpreter that has PyTorch: what traces, and what trains and plans.
set(_python ${CMAKE_SOURCE_DIR}/.venv/bin/python)
if(EXISTS ${_python})
    file(GLOB _training CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_train_*.py ${CMAKE_CURRENT_LIST_DIR}/test_sweep_*.py
         ${CMAKE_CURRENT_LIST_DIR}/test_fits.py)
    list(TRANSFORM _training PREPEND --ignore= OUTPUT_VARIABLE _not_training)
    add_test(NAME python/tracer COMMAND ${_python} -m pytest -q -rs --durations=20 ${CMAKE_CURRENT_LIST_DIR} ${_not_training})
    add_test(NAME python/training COMMAND ${_python} -m pytest -q -rs --durations=20 ${_training})
    set_tests_properties(python/tracer python/training PROPERTIES TIMEOUT 2400 COST 950
                         ENVIRONMENT "REMAT_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};REMAT_HAS_TORCH=$<BOOL:${REMAT_TORCH_ROOT}>")
else()
    message(STATUS "No .venv: the tests of the Python package are left out (packaging/test makes it)")
endif()
