# SPDX-License-Identifier: Apache-2.0
# The driver's names for threads are a function of the helper that the walls stand in.
if(TARGET gpu_tst_sandbox)
    target_sources(gpu_tst_sandbox PRIVATE ${CMAKE_SOURCE_DIR}/gpu/helper/thread_names.cpp)
endif()

# What the module for LibTorch computes by itself, called without a process around it: linked to LibTorch.
if(NOT REMAT_TORCH_ROOT OR NOT TARGET Qt6::Test)
    return()
endif()
foreach(_test "attention;attention;attention_math" "add_on_cpu;add_on_cpu")
    list(POP_FRONT _test _name)
    list(TRANSFORM _test REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/gpu/torch/\\1.cpp" OUTPUT_VARIABLE _sources)
    set(_file ${CMAKE_CURRENT_LIST_DIR}/torch/tst_${_name}.cpp)
    set(_target gpu_tst_${_name})
    add_executable(${_target} ${_file} ${_sources})
    remat_prepare_test(${_target} ${_file} ${REMAT_TORCH_ROOT}/lib/libtorch_cpu.so ${REMAT_TORCH_ROOT}/lib/libc10.so)
    target_include_directories(${_target} SYSTEM PRIVATE ${REMAT_TORCH_ROOT}/include
                               ${REMAT_TORCH_ROOT}/include/torch/csrc/api/include)
    target_compile_definitions(${_target} PRIVATE FMT_HEADER_ONLY=1) # as of the module
    target_link_options(${_target} PRIVATE -Wl,--unresolved-symbols=ignore-in-shared-libs)
    add_test(NAME gpu/tst_${_name} COMMAND ${_target})
    set_tests_properties(gpu/tst_${_name} PROPERTIES TIMEOUT 300)
endforeach()
