// SPDX-License-Identifier: Apache-2.0
// What the window shows before a model is open: a place to drop one, samples, recent files, help for newcomers.
#pragma once

#include "app/studio/base/commands/commands.h"
#include "app/studio/work/jobs/samples.h"

#include <QScrollArea>

class QGridLayout;
class QHBoxLayout;
class QVBoxLayout;

namespace remat::studio {

/// A session that a killed program left behind.
struct LeftRow {
    QString path, title, sentence;
};

class DropZone;
class SampleCard;
class StudioButton;
class TokenLabel;

/// A column of 1240 (1040 when the window is narrow), scrolling when the window is low.
class StartPage : public QScrollArea
{
    Q_OBJECT
public:
    StartPage(const std::vector<Sample> &samples, const QString &samplesError, const Commands &commands,
              QWidget *parent = nullptr);

    void setPreview(const QString &name, const SamplePreview &preview);
    /// Reads the list of recent files and the last session again.
    void showRecent();
    /// Offers sessions that killed programs left behind; none hides the part.
    void showLeft(const std::vector<LeftRow> &rows);
    /// Marks the drop zone while a file is dragged over the window.
    void setDropHint(bool dragging);
    void focusFirst();
    /// Offers the way back to the model that is open behind the page; an empty title: none is.
    void setBack(const QString &title);

Q_SIGNALS:
    void backWanted();
    void openWanted(const QString &path, const QString &title);
    void lessonsWanted();
    void puzzlesWanted();
    void leftForgotten();   ///< the person does not want what was left behind
    void firstPlanWanted(); ///< the newcomers' way: the first sample, solved

protected:
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *makeHead();
    QWidget *makeDropZone(const Commands &commands);
    QWidget *makeSamples(const std::vector<Sample> &samples, const QString &error);
    QWidget *makeLeft();
    QWidget *makeRecent();
    QWidget *makeNewcomers(const std::vector<Sample> &samples, const Commands &commands);

    QWidget *m_column = nullptr;
    StudioButton *m_back = nullptr;
    DropZone *m_dropZone = nullptr;
    std::vector<SampleCard *> m_cards;
    QWidget *m_left = nullptr;
    QWidget *m_leftFrame = nullptr;
    QVBoxLayout *m_leftRows = nullptr;
    QWidget *m_recentFrame = nullptr;
    QVBoxLayout *m_recentRows = nullptr;
};

} // namespace remat::studio
