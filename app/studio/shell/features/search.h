// SPDX-License-Identifier: Apache-2.0
// Find in the window: the bar above the graph, the list of matches, the keys.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QObject>

class QAction;

namespace remat::studio {

class FindBar;
class ResultsView;
class SearchSession;

/// GUI thread only.
class Search : public QObject
{
    Q_OBJECT
public:
    explicit Search(const FeatureHost &host);
    SearchSession &session() { return *m_search; }
    /// Opens the bar with a text to look for.
    void lookFor(const QString &text);

private:
    void light();
    void enable();

    Session &m_session;
    Workspace &m_workspace;
    ResultsView *m_results;
    SearchSession *m_search;
    FindBar *m_bar;
    QAction *m_find, *m_next, *m_previous, *m_list;
};

} // namespace remat::studio
