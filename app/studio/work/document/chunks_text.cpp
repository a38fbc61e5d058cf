// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/document/chunks_text.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"

#include <QCoreApplication>

#include <set>

namespace remat::studio {

namespace {

struct ChunksText {
    Q_DECLARE_TR_FUNCTIONS(ChunksText)
};

QString suffix(const Chunking &chunking)
{
    return chunking.regions.empty() ? QString() : QStringLiteral(" · ") + chunksText(chunking);
}

} // namespace

QString chunksText(const Chunking &chunking)
{
    std::set<int> pieces;
    for (const ChunkRegion &region : chunking.regions)
        pieces.insert(region.k);
    QStringList numbers;
    for (const int k : pieces)
        numbers << countText(k);
    if (numbers.isEmpty()) return {};
    if (numbers.size() == 1) return ChunksText::tr("%1 chunks").arg(numbers.front());
    const QString last = numbers.takeLast();
    return ChunksText::tr("%1 and %2 chunks").arg(numbers.join(QStringLiteral(", ")), last);
}

QString titleInChunks(const QString &title, const Chunking &chunking)
{
    return title + suffix(chunking);
}

QString titleWithoutChunks(const QString &title, const Chunking &chunking)
{
    const QString end = suffix(chunking);
    return title.endsWith(end) ? title.chopped(end.size()) : title;
}

QString floorsText(const CostedModel &model, std::int64_t leastInChunksBytes)
{
    const QString own = memoryText(model.floor.bytes), least = memoryText(leastInChunksBytes);
    return model.open->whole
               ? ChunksText::tr("No plan in these chunks needs less than %1, and none in any chunks less than %2.")
                     .arg(own, least)
               : ChunksText::tr("No plan of whole ops needs less than %1, and none in chunks less than %2.")
                     .arg(own, least);
}

} // namespace remat::studio
