// SPDX-License-Identifier: Apache-2.0
// The planners that tell how they plan, each with a small graph to tell it on.
#pragma once

#include <QDialog>
#include <QString>

#include <vector>

namespace remat::studio {

/// A story to watch.
struct StoryRow {
    QString planner; ///< as `--solver` takes it
    QString title;   ///< title of the planner
    QString text;    ///< what there is to see
};

/// GUI thread only.
class StoryList : public QDialog
{
    Q_OBJECT
public:
    explicit StoryList(const std::vector<StoryRow> &stories, QWidget *parent = nullptr);

Q_SIGNALS:
    void wanted(const QString &planner);
};

} // namespace remat::studio
