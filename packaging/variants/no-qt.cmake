# SPDX-License-Identifier: Apache-2.0
# A machine without Qt: the command line, and the tests that need no Qt Test.
set(CMAKE_BUILD_TYPE Release CACHE STRING "")
set(REMAT_UNITY 24 CACHE STRING "")
set(CMAKE_DISABLE_FIND_PACKAGE_Qt6 ON CACHE BOOL "")
