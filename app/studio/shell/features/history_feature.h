// SPDX-License-Identifier: Apache-2.0
// Undo, redo, the list of what was done, and back and forward through views: commands and tool bar.
#pragma once

#include "app/studio/shell/workspace/feature.h"
#include "app/studio/work/history/history.h"
#include "app/studio/work/history/view_trail.h"

class QAction;
class QFrame;

namespace remat::studio {

/// GUI thread only.
class HistoryFeature : public QObject
{
    Q_OBJECT
public:
    explicit HistoryFeature(const FeatureHost &host);
    History &history() { return m_history; }
    ViewTrail &trail() { return m_trail; }

private:
    void addCommands(const FeatureHost &host);
    void showTexts();
    void popUp();

    QWidget *m_window;
    QWidget *m_button = nullptr;
    History m_history;
    ViewTrail m_trail;
    QAction *m_undo = nullptr, *m_redo = nullptr, *m_list = nullptr, *m_back = nullptr, *m_forward = nullptr;
};

} // namespace remat::studio
