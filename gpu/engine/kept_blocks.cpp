// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/kept_blocks.h"

#include <algorithm>
#include <iterator>

namespace remat {

void *KeptBlocks::take(std::size_t bytes)
{
    if (bytes < kLeastBytes) return m_source.allocate(bytes);
    std::vector<void *> dropped;
    {
        const std::lock_guard lock(m_mutex);
        m_heldBytes += bytes;
        if (const auto same = m_kept.find(bytes); same != m_kept.end()) {
            void *block = same->second.back();
            same->second.pop_back();
            if (same->second.empty()) m_kept.erase(same);
            m_keptBytes -= bytes;
            return block;
        }
        dropped = dropTo(std::max(m_mostHeldBytes, m_heldBytes) - m_heldBytes);
    }
    for (void *block : dropped)
        m_source.free(block);
    try {
        void *block = m_source.allocate(bytes);
        const std::lock_guard lock(m_mutex);
        m_mostHeldBytes = std::max(m_mostHeldBytes, m_heldBytes);
        return block;
    } catch (...) {
        const std::lock_guard lock(m_mutex);
        m_heldBytes -= bytes;
        throw;
    }
}

void KeptBlocks::give(void *block, std::size_t bytes)
{
    if (bytes >= kLeastBytes) {
        const std::lock_guard lock(m_mutex);
        m_heldBytes -= bytes;
        m_keptBytes += bytes;
        m_kept[bytes].push_back(block);
        return;
    }
    m_source.free(block);
}

std::vector<void *> KeptBlocks::dropTo(std::size_t keptBytes)
{
    std::vector<void *> dropped;
    while (m_keptBytes > keptBytes) {
        const auto largest = std::prev(m_kept.end());
        dropped.push_back(largest->second.back());
        largest->second.pop_back();
        m_keptBytes -= largest->first;
        if (largest->second.empty()) m_kept.erase(largest);
    }
    return dropped;
}

} // namespace remat
