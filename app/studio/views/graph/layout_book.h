// SPDX-License-Identifier: Apache-2.0
// The orders of rows that are known, and the questions about those that are not: structure decides, so identical
// blocks are laid out once.
#pragma once

#include "app/studio/views/graph/layout_client.h"

#include <QHash>
#include <QSet>

namespace remat::studio {

/// Sits between the view and remat-layout. GUI thread only.
class LayoutBook : public QObject
{
    Q_OBJECT
public:
    explicit LayoutBook(QObject *parent = nullptr);

    /// Ranks of a cluster; nothing when they have been asked for and are not here yet. Clusters that are too large for
    /// Graphviz get the longest-path layout at once.
    const std::vector<RowRank> *ranks(const OrderQuestion &question);
    bool waiting() const { return !m_asked.isEmpty(); }
    int done() const { return m_done; }   ///< answered questions since nothing was waited for
    int total() const { return m_total; } ///< all questions since then
    /// Gives up on everything that is being waited for: it gets the longest-path layout.
    void stop();
    /// Forgets the layouts made without Graphviz, so that they are asked for again.
    void forgetFallbacks();
    LayoutClient &client() { return m_client; }
    /// Clusters laid out by Graphviz so far.
    int laidOut() const { return m_laidOut; }

Q_SIGNALS:
    void progressed();
    /// Everything asked for is here.
    void settled();
    /// Graphviz failed on a cluster; the longest-path layout takes its place.
    void fellBack(const QString &sentence);

private:
    void settle(const QByteArray &key, std::vector<RowRank> ranks);

    LayoutClient m_client;
    QHash<QByteArray, std::vector<RowRank>> m_known;
    QHash<QByteArray, OrderQuestion> m_asked;
    QSet<QByteArray> m_fallbacks;
    int m_done = 0, m_total = 0, m_laidOut = 0;
};

} // namespace remat::studio
