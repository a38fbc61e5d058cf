# SPDX-License-Identifier: Apache-2.0
# A machine without LibTorch: everything but validate and profile.
set(CMAKE_BUILD_TYPE Release CACHE STRING "")
set(REMAT_UNITY 24 CACHE STRING "")
set(REMAT_TORCH OFF CACHE BOOL "")
