// SPDX-License-Identifier: Apache-2.0
// How the open clusters are laid out, as soon as that is known.
#pragma once

#include "app/studio/views/graph/graph_branches.h"
#include "app/studio/views/graph/graph_expansion.h"
#include "app/studio/views/graph/graph_scene.h"
#include "app/studio/views/graph/layout_book.h"

#include <QElapsedTimer>
#include <QTimer>

#include <optional>

namespace remat::studio {

/// Asks for layouts, keeps those of a tree, and tells how far it is where they let a person wait. GUI thread only.
class OpenLayouts : public QObject
{
    Q_OBJECT
public:
    /// `scene` outlives it.
    explicit OpenLayouts(const GraphScene &scene, QObject *parent = nullptr);

    /// Everything that is open; none while layouts are waited for. O(open nodes and their edges) at first.
    std::optional<OpenClusters> gather(const GraphExpansion &expansion, const GraphBranches &branches);
    /// Whether an open node has branches that stand beside each other; false while that is not known.
    bool hasBranches(int node);
    /// The tree is another one, or layouts are to be asked for again.
    void forget();
    bool pending() const { return m_pending; }
    LayoutBook &book() { return m_book; }

Q_SIGNALS:
    /// Everything that was waited for is here.
    void settled();
    /// Waiting took long enough to be told: the share that is done and `Laying out h.11, 3 of 14 clusters`. `inView`
    /// once it took so long that the picture should say it too.
    void waiting(double share, const QString &text, bool inView);
    /// Nothing is waited for any more.
    void done();

private:
    const OpenCluster *rows(int node);
    const Bands *branches(int node);
    void tell();

    const GraphScene &m_scene;
    LayoutBook m_book;
    std::unordered_map<int, OpenCluster> m_rows; ///< open or once open, of this tree
    std::unordered_map<int, Bands> m_branches;   ///< likewise, as soon as they are wanted
    bool m_pending = false;
    std::string m_waitingFor; ///< title of a cluster whose layout is missing
    QElapsedTimer m_clock;
    QTimer m_timer;
};

} // namespace remat::studio
