// SPDX-License-Identifier: Apache-2.0
// Puzzles in the window: their commands, the list, a puzzle out of what is open.
#pragma once

#include "app/studio/shell/workspace/feature.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "core/teaching/puzzles/puzzle.h"

#include <QObject>
#include <QPointer>

class QAction;

namespace remat::studio {

class PuzzleWindow;

/// GUI thread only.
class Puzzles : public QObject
{
    Q_OBJECT
public:
    explicit Puzzles(const FeatureHost &host);
    ~Puzzles() override;

    /// A puzzle's file, or the name of one that comes with the program. False with a sentence in the window's strip
    /// when it cannot be read.
    bool open(const QString &puzzle);
    void showList();
    /// Out of the cluster or the op that is selected in the graph; proven on a worker thread.
    void make();
    /// The one that is open; none after it was closed.
    PuzzleWindow *window() const;
    void save(const QString &path);

private:
    void show(Puzzle puzzle);
    void showNumber(int number);
    void askWhereToSave();
    void say(bool isError, const QString &sentence);

    FeatureHost m_host;
    QPointer<PuzzleWindow> m_window;
    std::string m_cluster; ///< selected in the graph; empty when an op or nothing is
    QAction *m_make = nullptr;
    JobTracker m_tracker;
};

} // namespace remat::studio
