// SPDX-License-Identifier: Apache-2.0
// The words and figures of cards, for painting, tooltips and the table.
#pragma once

#include "app/studio/views/graph/graph_scene.h"

#include <QString>

namespace remat::studio {

/// `mlp`, `∂ mlp`
QString cardTitle(const GraphScene &scene, const GraphItem &item);
/// `addmm`, `7 ops`
QString cardKind(const GraphScene &scene, const GraphItem &item);
/// `×12`; empty without copies.
QString cardBadge(const GraphScene &scene, const GraphItem &item);
QString cardBytes(const GraphScene &scene, const GraphItem &item);
QString cardTime(const GraphScene &scene, const GraphItem &item);
/// What a frame says beside its name: `12 identical blocks, solved once`; mostly empty.
QString frameNote(const GraphScene &scene, const GraphItem &item);
/// What is computed again here: `9 ops · 0.37 ms`; empty when nothing is.
QString recomputeChip(const GraphScene &scene, const GraphItem &item);
/// State as the card shows it, the backward column included.
NodeState cardState(const GraphScene &scene, const GraphItem &item);

/// Full name, then figures in two columns, as rich text.
QString cardTooltip(const GraphScene &scene, const GraphItem &item);

} // namespace remat::studio
