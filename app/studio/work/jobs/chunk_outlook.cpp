// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/chunk_outlook.h"

#include "app/studio/work/jobs/chunk_solve.h"
#include "app/studio/work/jobs/thread_priority.h"
#include "solvers/chunk/floor.h"

#include <algorithm>

namespace remat::studio {

namespace {

/// A floor below this share of the peak is not worth a word.
constexpr double kWorthShare = 0.1;

bool isWorthALook(const CostedModel &model)
{
    const bool high =
        static_cast<double>(model.floor.bytes) >= kWorthShare * static_cast<double>(model.keepAllPeakBytes);
    return (model.open->whole || high) && whyNotInChunks(model, {}).isEmpty();
}

ChunkedFloors floorsOf(const CostedModel &model)
{
    const ChunkSetting setting = chunkSetting(model);
    const Model &whole = model.open->unchunked().asRead();
    ChunkedFloors floors;
    if (const auto least = floorInChunks(whole, setting, kMostPieces); least && least->bytes < model.floor.bytes)
        floors.leastBytes = least->bytes;
    if (model.open->whole) return floors;
    const auto chunked = lowerFloor(whole, model.floor, setting);
    if (chunked && chunked->floor.bytes < model.floor.bytes)
        floors.simple = ChunkedFloor{chunked->chunking, chunked->floor.bytes};
    return floors;
}

} // namespace

ChunkOutlook::ChunkOutlook(Document &document, QThreadPool &pool, QObject *parent)
    : QObject(parent), m_document(document), m_tracker(pool)
{
    connect(&m_document, &Document::modelChanged, this, &ChunkOutlook::look);
}

void ChunkOutlook::look()
{
    m_tracker.cancel();
    m_floors = {};
    const auto model = m_document.model();
    std::erase_if(m_known, [](const Known &known) { return known.model.expired(); });
    const auto known =
        std::find_if(m_known.begin(), m_known.end(), [&](const Known &each) { return each.model.lock() == model; });
    if (model && known != m_known.end()) {
        m_floors = known->floors;
    } else if (model && isWorthALook(*model)) {
        m_tracker.start(
            [model](const Job &) {
                yieldToInput();
                return floorsOf(*model);
            },
            [this, model](ChunkedFloors floors) {
                m_floors = floors;
                m_known.push_back({model, std::move(floors)});
                Q_EMIT changed();
            });
    }
    Q_EMIT changed();
}

} // namespace remat::studio
