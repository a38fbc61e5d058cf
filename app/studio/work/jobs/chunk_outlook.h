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

/// Both floors below that of plans of whole ops.
struct ChunkedFloors {
    std::optional<ChunkedFloor> simple; ///< none where nothing that matters can be cut, and of models in chunks
    std::int64_t leastBytes = 0;        ///< no plan of any chunking needs less; 0: not known, or no less than whole ops
};

/// GUI thread only. Looks in the background whenever the document has another model or other costs, where the floor is
/// high enough to matter. What was found of a model that is still in memory is known when it comes back.
class ChunkOutlook : public QObject
{
    Q_OBJECT
public:
    ChunkOutlook(Document &document, QThreadPool &pool, QObject *parent = nullptr);

    /// None where nothing that matters can be cut, of models in chunks already, and before it is known.
    const std::optional<ChunkedFloor> &floor() const { return m_floors.simple; }
    /// What no plan of any chunking needs less than, of models in chunks, too; 0 where that is not known or no less
    /// than the floor of whole ops.
    std::int64_t leastBytes() const { return m_floors.leastBytes; }
    bool running() const { return m_tracker.running(); }
    void cancel() { m_tracker.cancel(); }

Q_SIGNALS:
    void changed();

private:
    void look();

    struct Known {
        std::weak_ptr<const CostedModel> model;
        ChunkedFloors floors;
    };
    Document &m_document;
    ChunkedFloors m_floors;
    std::vector<Known> m_known;
    JobTracker m_tracker;
};

} // namespace remat::studio
