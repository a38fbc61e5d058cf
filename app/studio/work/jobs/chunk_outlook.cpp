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
    return !model.open->whole && whyNotInChunks(model, {}).isEmpty() &&
           static_cast<double>(model.floor.bytes) >= kWorthShare * static_cast<double>(model.keepAllPeakBytes);
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
    m_floor.reset();
    const auto model = m_document.model();
    std::erase_if(m_known, [](const Known &known) { return known.model.expired(); });
    const auto known =
        std::find_if(m_known.begin(), m_known.end(), [&](const Known &each) { return each.model.lock() == model; });
    if (model && known != m_known.end()) {
        m_floor = known->floor;
    } else if (model && isWorthALook(*model)) {
        m_tracker.start(
            [model](const Job &) -> std::optional<ChunkedFloor> {
                yieldToInput();
                const auto chunked = lowerFloor(model->open->asRead(), model->floor, chunkSetting(*model));
                if (!chunked || chunked->floor.bytes >= model->floor.bytes) return {};
                return ChunkedFloor{chunked->chunking, chunked->floor.bytes};
            },
            [this, model](std::optional<ChunkedFloor> floor) {
                m_floor = floor;
                m_known.push_back({model, std::move(floor)});
                Q_EMIT changed();
            });
    }
    Q_EMIT changed();
}

} // namespace remat::studio
