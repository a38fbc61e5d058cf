// SPDX-License-Identifier: Apache-2.0
// What chunks would make of the floor of the model that is shown.
#pragma once

#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/job_tracker.h"

#include <map>
#include <optional>

namespace remat::studio {

/// A simple chunking, and what any plan of it needs at least.
struct ChunkedFloor {
    Chunking chunking;
    std::int64_t floorBytes = 0;

    bool operator==(const ChunkedFloor &) const = default;
};

/// GUI thread only. Looks in the background whenever the document has another model or other costs, where the floor is
/// high enough to matter. What was found of a model that is still in memory is known when it comes back.
class ChunkOutlook : public QObject
{
    Q_OBJECT
public:
    ChunkOutlook(Document &document, QThreadPool &pool, QObject *parent = nullptr);

    /// None where nothing that matters can be cut, of models in chunks already, and before it is known.
    const std::optional<ChunkedFloor> &floor() const { return m_floor; }
    bool running() const { return m_tracker.running(); }
    void cancel() { m_tracker.cancel(); }

Q_SIGNALS:
    void changed();

private:
    void look();

    struct Known {
        std::weak_ptr<const CostedModel> model;
        std::optional<ChunkedFloor> floor;
    };
    Document &m_document;
    std::optional<ChunkedFloor> m_floor;
    std::vector<Known> m_known;
    JobTracker m_tracker;
};

} // namespace remat::studio
