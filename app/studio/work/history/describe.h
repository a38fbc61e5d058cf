// SPDX-License-Identifier: Apache-2.0
// What happened between two snapshots, in the words of the history list.
#pragma once

#include "app/studio/work/history/snapshot.h"

namespace remat::studio {

struct Change {
    QString key;         ///< changes of one kind that follow at once are one entry: `budget`, `pins`
    QString text;        ///< `Budget 4.43 GiB`
    bool own = true;     ///< false: a consequence, which belongs to the entry before
    bool goesOn = false; ///< any number of these in a row are one entry, however long they take
};

/// `sweeping`: plans that come in belong to one sweep. `solves` are the ids of plans that solves brought
/// or are to bring. Settings have no words of their own and are no change here.
Change describeChange(const Snapshot &before, const Snapshot &after, const PlanBook &book, bool sweeping,
                      const std::vector<int> &solves);

} // namespace remat::studio
