// SPDX-License-Identifier: Apache-2.0
// What the greedy drops and what annealing tries, told as it happens.
#pragma once

#include "core/teaching/stories/story.h"
#include "solvers/search/drop.h"

namespace remat::search {

struct Found;

/// One move of annealing, after it was taken or not.
struct MoveTold {
    std::int64_t number = 0, of = 0; ///< from 1
    double temperatureUs = 0;
    double worseUs = 0; ///< energy after less before: extra time, and the price of bytes over the budget
    double chance = 1;  ///< chance of being taken
    bool taken = false;
    double bestUs = -1;              ///< extra time of the best plan that fits; negative when there is none yet
    const std::vector<Key> &toggled; ///< recomputations that the move added or removed
};

/// Writes a frame for each drop and each pruning, and one for every so many moves and every new best. Told by one
/// thread. What it is made with outlives it.
class SearchStory
{
public:
    SearchStory(Story &story, const FlatGraph &flat) : m_story(story), m_flat(flat) {}

    void beginGreedy(const State &state);
    /// `worth`: bytes × slots over the budget that the drop takes off per µs; 0 when it takes off none.
    void tried(const Gap &gap, double worth) { m_tried.emplace_back(gap, worth); }
    /// The last that was tried was taken.
    void dropped(const State &state, const Gap &gap, const std::vector<Key> &changed);
    void pruned(const State &state, Key step);
    void beginAnneal(const State &state, double hotUs, std::int64_t moves);
    void moved(const State &state, const MoveTold &move);
    /// `enoughUs`: the extra time that no plan is below.
    void finish(const Found &found, double enoughUs);

private:
    void tellGreedy(const State &state, StoryFrame frame);
    std::string opName(int op) const;
    std::string storageName(int storage) const;
    std::string until(const Gap &gap) const;

    Story &m_story;
    const FlatGraph &m_flat;
    std::vector<std::pair<Gap, double>> m_tried; ///< since the last drop
    StorySeries m_peak{"peak", {}}, m_budget{"budget", {}};
    StorySeries m_now{"extra time now", {}}, m_best{"best that fits", {}}, m_temperature{"temperature", {}};
    std::int64_t m_every = 1;
    double m_bestUs = -1;
    int m_better = 0, m_worse = 0, m_refused = 0; ///< moves since the last frame
};

} // namespace remat::search
