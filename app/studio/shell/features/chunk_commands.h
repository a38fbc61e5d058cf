// SPDX-License-Identifier: Apache-2.0
// Decisions by hand about chunks: what is around an op in so many, or never.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QAction>
#include <QObject>

#include <string>
#include <vector>

namespace remat::studio {

/// Commands about the selected op, in a menu of their own and in that of a card. Lives as long as the window.
class ChunkCommands : public QObject
{
    Q_OBJECT
public:
    explicit ChunkCommands(const FeatureHost &host);

private:
    QAction *add(const QString &name, const QString &text, const QString &tooltip, bool separator = false);
    /// Name of the selected op as it was traced, or of the one that makes the selected storage; empty when none is.
    std::string selected() const;
    void decideNever(bool never);
    void showEnabled();

    FeatureHost m_host;
    std::vector<QAction *> m_pieces;
    QAction *m_never, *m_may;
};

} // namespace remat::studio
