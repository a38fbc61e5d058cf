# SPDX-License-Identifier: Apache-2.0
# AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer: the first thing they find ends the program.
set(CMAKE_BUILD_TYPE Release CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "-O1" CACHE STRING "")
set(REMAT_SANITIZE address,undefined CACHE STRING "")
set(REMAT_UNITY 24 CACHE STRING "")
