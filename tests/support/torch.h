// SPDX-License-Identifier: Apache-2.0
// For tests that run LibTorch.
#pragma once

/// There is none: a failure, unless this build was made without it.
#if REMAT_HAS_TORCH
#define REMAT_NO_TORCH(why) QFAIL(why)
#else
#define REMAT_NO_TORCH(why) QSKIP(why)
#endif
