// SPDX-License-Identifier: Apache-2.0
// A card with a sentence for each of some words, and a way to the lesson's step that shows it.
#pragma once

#include "app/studio/work/lessons/glossary_words.h"

#include <QWidget>

namespace remat::studio {

/// A window of its own: as a tooltip it goes when the mouse leaves it and what it speaks of; opened by the keyboard it
/// has the keyboard until Escape. Deletes itself. GUI thread only.
class WordCard : public QWidget
{
    Q_OBJECT
public:
    enum class By { Mouse, Keys };

    /// `before`: what the tooltip there says by itself, above the words; may be empty.
    WordCard(const std::vector<GlossaryWord> &words, const QString &before, By by, QWidget *window);
    /// Shows it near a point, inside of the screen. `around`, in the same coordinates, is what it speaks of.
    void showAt(const QPoint &point, const QRect &around);

Q_SIGNALS:
    void wanted(const QString &lesson, int step); ///< a lesson's file, and a step from 1

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    By m_by;
    QRect m_around;
};

} // namespace remat::studio
