// SPDX-License-Identifier: Apache-2.0
// What an online policy evicts and why, told eviction by eviction.
#pragma once

#include "core/teaching/stories/story.h"

#include <cstdint>
#include <vector>

namespace remat::online {

class Runtime;

struct ScoredStorage {
    int storage = 0;
    double score = 0;
};

/// An eviction as the policy decided it.
struct Evicted {
    int op = 0; ///< that needs room
    int victim = 0;
    std::int64_t usedBytes = 0, wantedBytes = 0, budgetBytes = 0;
    std::vector<ScoredStorage> scores; ///< as they were asked, the victim's included
};

/// Writes a frame for each eviction: the scores that were looked at, the lowest marked. Outlived by story and runtime.
class EvictionStory
{
public:
    EvictionStory(Story &story, const Runtime &runtime) : m_story(story), m_runtime(runtime) {}

    void evicts(const Runtime &runtime, const Evicted &eviction);
    /// The run is done.
    void finish();

private:
    Story &m_story;
    const Runtime &m_runtime;
    StorySeries m_used{"held before", {}}, m_budget{"budget", {}};
};

} // namespace remat::online
