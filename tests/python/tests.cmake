# The tracer's own tests, with the interpreter that has PyTorch.
set(_python ${CMAKE_SOURCE_DIR}/.venv/bin/python)
if(EXISTS ${_python})
    add_test(NAME python/tracer COMMAND ${_python} -m pytest -q -rs ${CMAKE_CURRENT_LIST_DIR})
    set_tests_properties(python/tracer PROPERTIES TIMEOUT 2400 COST 950
                         ENVIRONMENT "REMAT_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
else()
    message(STATUS "No .venv: the tracer's tests are left out (packaging/test makes it)")
endif()
