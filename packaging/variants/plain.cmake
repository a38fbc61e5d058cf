# SPDX-License-Identifier: Apache-2.0
# Every file by itself, without precompiled headers: finds includes that are missing.
set(CMAKE_BUILD_TYPE Release CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "-O0" CACHE STRING "")
set(REMAT_UNITY 0 CACHE STRING "")
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON CACHE BOOL "")
