# SPDX-License-Identifier: Apache-2.0
# Counts which lines run: packaging/coverage makes the report.
set(CMAKE_BUILD_TYPE Release CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "-O1 --coverage -fprofile-update=atomic" CACHE STRING "")
set(REMAT_UNITY 24 CACHE STRING "")
