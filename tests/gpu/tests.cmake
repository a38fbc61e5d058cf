# SPDX-License-Identifier: Apache-2.0
# The driver's names for threads are a function of the helper that the walls stand in.
if(TARGET gpu_tst_sandbox)
    target_sources(gpu_tst_sandbox PRIVATE ${CMAKE_SOURCE_DIR}/gpu/helper/thread_names.cpp)
endif()

# What the module for LibTorch computes by itself, called without a process around it: linked to LibTorch.
if(NOT REMAT_TORCH_ROOT OR NOT TARGET Qt6::Test)
    return()
endif()
set(_file ${CMAKE_CURRENT_LIST_DIR}/torch/tst_attention.cpp)
add_executable(gpu_tst_attention ${_file} ${CMAKE_SOURCE_DIR}/gpu/torch/attention.cpp
               ${CMAKE_SOURCE_DIR}/gpu/torch/attention_math.cpp)
remat_prepare_test(gpu_tst_attention ${_file} ${REMAT_TORCH_ROOT}/lib/libtorch_cpu.so ${REMAT_TORCH_ROOT}/lib/libc10.so)
target_include_directories(gpu_tst_attention SYSTEM PRIVATE ${REMAT_TORCH_ROOT}/include
                           ${REMAT_TORCH_ROOT}/include/torch/csrc/api/include)
target_compile_definitions(gpu_tst_attention PRIVATE FMT_HEADER_ONLY=1) # as of the module
target_link_options(gpu_tst_attention PRIVATE -Wl,--unresolved-symbols=ignore-in-shared-libs)
add_test(NAME gpu/tst_attention COMMAND gpu_tst_attention)
set_tests_properties(gpu/tst_attention PROPERTIES TIMEOUT 300)
