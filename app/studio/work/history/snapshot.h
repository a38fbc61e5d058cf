// SPDX-License-Identifier: Apache-2.0
// Everything of a window that undo brings back: a few numbers, a few shared pointers and one JSON object. What is only
// looked at (tabs, zoom, what is open) is none of it: Back and Forward go there.
#pragma once

#include "app/studio/work/document/document.h"
#include "app/studio/work/document/view_states.h"
#include "core/model/open_model.h"

#include <map>

namespace remat::studio {

/// Plain data; plans are named by their ids and kept in a PlanBook.
struct Snapshot {
    std::shared_ptr<const CostedModel> model;
    CostChoice costs;
    std::int64_t budgetBytes = 0;
    std::vector<int> planIds;
    int currentId = 0; ///< 0: none
    std::vector<int> compared;
    Pins pins;
    QJsonObject settings; ///< what the next solve is made with
};

bool operator==(const Snapshot &a, const Snapshot &b);

/// The newest form of every plan under every cost table it was seen with. A plan that got better or was validated is
/// the same plan: going back does not take that away.
class PlanBook
{
public:
    /// Takes over what the document lists now.
    void learn(const Document &document);
    /// None when the plan was never seen under these costs.
    std::shared_ptr<const PlanEntry> find(int id, const CostedModel *model) const;
    /// Forgets all that is in none of the snapshots.
    void keepOnly(const std::vector<const Snapshot *> &snapshots);
    std::size_t size() const { return m_entries.size(); }
    void clear() { m_entries.clear(); }

private:
    std::map<std::pair<int, const CostedModel *>, std::shared_ptr<const PlanEntry>> m_entries;
};

struct Session;

/// Takes everything but the settings, which are left empty. O(plans).
Snapshot takeSnapshot(Session &session);

/// Brings back what differs between `from` and `to`, and leaves alone what does not.
void restoreDifference(Session &session, const PlanBook &book, const Snapshot &from, const Snapshot &to);

} // namespace remat::studio
