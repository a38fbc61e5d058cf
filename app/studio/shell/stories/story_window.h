// SPDX-License-Identifier: Apache-2.0
// Plays a story: what a planner did, frame by frame.
#pragma once

#include "core/teaching/stories/story.h"

#include <QDialog>
#include <QImage>
#include <QTimer>

#include <vector>

class QSlider;
class QTableWidget;

namespace remat::studio {

class StoryChartView;
class StudioButton;
class TokenLabel;

/// Text, table and chart of the frame it is at. Space plays, arrows step, Home and End go to the ends. GUI thread only.
class StoryWindow : public QDialog
{
    Q_OBJECT
public:
    StoryWindow(Story story, QWidget *parent);

    const Story &story() const { return m_story; }
    int frame() const { return m_frame; }
    /// Clamped to the first and last.
    void go(int frame);
    bool playing() const { return m_timer.isActive(); }
    /// What the window shows at each frame, without its buttons; of long stories every so many frames.
    std::vector<QImage> pictures();

Q_SIGNALS:
    void frameShown(int frame);
    void saveWanted();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void step(int by);
    void togglePlaying();
    void showPlaying();
    void showTable(const std::optional<StoryTable> &table);
    StudioButton *button(const char *name, const QString &text, const char *icon);

    Story m_story;
    int m_frame = 0;
    QTimer m_timer;
    TokenLabel *m_text, *m_number;
    QTableWidget *m_table;
    StoryChartView *m_chart;
    QSlider *m_slider;
    StudioButton *m_play;
};

} // namespace remat::studio
