// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/stories/story_list.h"

#include "app/studio/shell/start_page/start_rows.h"

#include <QVBoxLayout>

namespace remat::studio {

StoryList::StoryList(const std::vector<StoryRow> &stories, QWidget *parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("storyListWindow"));
    setWindowTitle(tr("How planners think"));
    resize(560, 0);
    QVBoxLayout *column = beginListWindow(this, tr("How planners think"),
                                          tr("Each opens a small graph with a tight budget, plans it, and plays what "
                                             "the planner did, frame by frame. With "
                                             "a small graph of your own open, the Plan panel offers the same."));
    auto *frame = new CardFrame(this);
    auto *rows = new QVBoxLayout(frame);
    rows->setContentsMargins(1, 1, 1, 1);
    rows->setSpacing(0);
    for (const StoryRow &story : stories) {
        auto *row = new HelpRow(QStringLiteral("lightbulb"), story.title, story.text, rows->isEmpty(), frame);
        row->setObjectName(QStringLiteral("tell.") + story.planner);
        connect(row, &QAbstractButton::clicked, this, [this, planner = story.planner] {
            Q_EMIT wanted(planner);
            close();
        });
        rows->addWidget(row);
    }
    column->addWidget(frame);
    column->addStretch(1);
}

} // namespace remat::studio
