// SPDX-License-Identifier: Apache-2.0
// Memory that was given back and is kept for the next block of its size.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace remat {

/// Large blocks of the CPU's memory. The system takes large blocks back at once and gives them out empty page by page,
/// which takes a third of the time of a step and differs from run to run; a GPU's allocator keeps them as well. What is
/// held and what is kept are together never more than what was held at most. Any thread.
class KeptBlocks
{
public:
    /// Smaller ones are the system's own affair.
    static constexpr std::size_t kLeastBytes = 1 << 17;

    /// Where blocks come from and go to: `allocate` may throw.
    struct Source {
        void *(*allocate)(std::size_t bytes);
        void (*free)(void *block);
    };
    explicit KeptBlocks(Source source) : m_source(source) {}

    /// A kept block of this size, or a new one; throws what the source throws.
    void *take(std::size_t bytes);
    /// A block that `take` gave for so many bytes.
    void give(void *block, std::size_t bytes);

private:
    /// Takes the largest out until so many bytes are kept at most.
    std::vector<void *> dropTo(std::size_t keptBytes);

    Source m_source;
    std::mutex m_mutex;
    std::map<std::size_t, std::vector<void *>> m_kept; ///< by size
    std::size_t m_heldBytes = 0, m_mostHeldBytes = 0, m_keptBytes = 0;
};

} // namespace remat
