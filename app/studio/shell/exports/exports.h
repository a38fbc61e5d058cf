// SPDX-License-Identifier: Apache-2.0
// The commands that write what the window shows: plan, views, tables, report.
#pragma once

#include "app/studio/shell/workspace/feature.h"
#include "app/studio/work/jobs/job_tracker.h"

#include <QImage>
#include <QObject>

class QAction;

namespace remat::studio {

/// GUI thread only. Plans, reports and animations are written in the background.
class Exports : public QObject
{
    Q_OBJECT
public:
    explicit Exports(const FeatureHost &host);

    /// In the form of that name (`remat export --as`).
    void exportPlan(const QString &format, const QString &path);
    /// Asks where to write the plan in that form.
    void chooseForm(const QString &format);
    /// The window with the lines and files to train with.
    void showTraining();
    /// About the compared plans where there are two or more, else about the current one.
    void writeReport(const QString &path);
    /// The view that has the keyboard, else the one in the centre.
    void exportView(const QString &path);
    void exportTable(const QString &path);
    /// The views in the centre and below as a looping animation of the plan, from the first step to the last or along
    /// the player's loop, in the theme that is shown; of long plans every so many steps. In the background once the
    /// pictures are taken.
    void writeAnimation(const QString &path);
    /// As writeAnimation(), at once. Empty, or why it cannot be written.
    QString exportAnimation(const QString &path);
    bool running() const { return m_writing.running(); }

private:
    struct FrontView {
        QString id, title;
        QWidget *view = nullptr;
    };
    FrontView frontView() const;
    void choose(const QString &title, const QString &name, const QStringList &filters,
                const std::function<void(const QString &path, int filter)> &then);
    void choosePlan();
    void addForms();
    void enable();
    void copyView();
    std::vector<QImage> picturesOfSteps();
    int millisecondsPerFrame() const;
    void written(const QString &what, const QString &path, const QString &problem);

    FeatureHost m_host;
    JobTracker m_writing;
    QAction *m_train, *m_plan, *m_report, *m_animation, *m_view, *m_table, *m_copy;
    std::vector<QAction *> m_forms; ///< one for each form of a plan
};

} // namespace remat::studio
