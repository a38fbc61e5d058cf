// SPDX-License-Identifier: Apache-2.0
// The address map: every storage of the plan in one arena, over time, and the plan replayed in it.
#pragma once

#include "app/studio/views/addresses/address_canvas.h"
#include "app/studio/views/addresses/address_table.h"
#include "app/studio/views/shared/time_view.h"
#include "app/studio/work/document/replay.h"
#include "app/studio/work/jobs/job_tracker.h"

namespace remat::studio {

/// Lays a plan out in the background when it is first seen, and keeps the last few. GUI thread only.
class AddressView : public TimeView
{
    Q_OBJECT
public:
    AddressView(Document *document, Replay *replay, QThreadPool &pool);

    AddressCanvas *canvas() { return m_canvas; }
    /// The same as a table, for screen readers.
    AddressTable *table() { return m_table; }
    /// True while addresses of what is shown are being looked for.
    bool pending() const { return m_wanted != nullptr; }

protected:
    void takeScene() override;

private:
    AddressView(Document *document, Replay *replay, QThreadPool &pool, AddressCanvas *canvas);

    /// Maps are known by plan and costs: figures of a plan are made anew without a new layout.
    struct Made {
        std::shared_ptr<const Plan> plan;
        std::shared_ptr<const CostTable> costs;
        std::shared_ptr<const AddressMap> map;
    };
    const Made *made(const PlanEntry &plan) const;
    void startJob();
    void showMap(const std::shared_ptr<const AddressMap> &map);
    void showSummary();
    QToolButton *addButton(const QString &icon, const QString &name, const QString &tooltip);

    AddressCanvas *m_canvas;
    AddressTable *m_table;
    Replay *m_replay;
    QToolButton *m_play;
    JobTracker m_job;
    QTimer m_rest; ///< plans that follow each other under the mouse are not laid out
    QTimer m_long; ///< what takes long says so in the view
    std::shared_ptr<const PlanEntry> m_wanted;
    std::vector<Made> m_cache; ///< newest last
};

} // namespace remat::studio
