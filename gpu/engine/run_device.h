// SPDX-License-Identifier: Apache-2.0
// What a run asks of the machine: a device, and where a plan's storages lie.
#pragma once

namespace remat {

/// `Simulated` is an accelerator on the CPU: three streams that are threads, copies as slow as the costs' link.
enum class RunDevice { Cpu, Cuda, Simulated };

/// Where a plan's storages lie: wherever there is room, or in one block at planned addresses.
enum class MemoryMode { Allocator, Arena };

} // namespace remat
