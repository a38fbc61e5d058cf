// SPDX-License-Identifier: Apache-2.0
// Chunkings in the window's language.
#pragma once

#include "core/model/open_model.h"

#include <QString>

namespace remat::studio {

/// `8 chunks`, `4 and 8 chunks` of several regions; empty without regions.
QString chunksText(const Chunking &chunking);

/// `gpt2 · 8 chunks`; the title as it is without regions.
QString titleInChunks(const QString &title, const Chunking &chunking);
/// Takes back what titleInChunks() added.
QString titleWithoutChunks(const QString &title, const Chunking &chunking);

/// What no plan can be below, with the ops as they are and with any of them in chunks: one sentence.
QString floorsText(const CostedModel &model, std::int64_t leastInChunksBytes);

} // namespace remat::studio
