# SPDX-License-Identifier: Apache-2.0
# For daily work: every file by itself, so that a change compiles one, with symbols and assertions. ccache where it is.
#   cmake -C packaging/variants/dev.cmake -S . -B build-dev -G Ninja
set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g" CACHE STRING "")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON CACHE BOOL "")
