// SPDX-License-Identifier: Apache-2.0
// Which plans are compared: a chip with the letter of each, to choose another by click or by dropping a plan on it.
#pragma once

#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/work/document/document.h"

#include <QAbstractButton>

class QMenu;
class QHBoxLayout;

namespace remat::studio {

class StudioButton;

/// Letter in its box, name of the plan, and what it holds at the cursor.
class LetterChip : public QAbstractButton
{
    Q_OBJECT
public:
    LetterChip(int place, QWidget *parent = nullptr);
    int place() const { return m_place; }
    /// `note` stands behind the name, quieter.
    void showPlan(const QString &title, const QString &note);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {60, 28}; }
    /// In pixels; of what is too long, as much as is ever shown.
    int nameWidth() const;

Q_SIGNALS:
    void planDropped(int planId);

protected:
    void paintEvent(QPaintEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dragLeaveEvent(QDragLeaveEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    int m_place;
    QString m_note;
    bool m_dropping = false;
};

/// Chips, a button that adds C and D, and the axis at the right. GUI thread only.
class CompareHeader : public QWidget
{
    Q_OBJECT
public:
    explicit CompareHeader(Document *document, QWidget *parent = nullptr);

    SegmentedControl *axisChoice() const { return m_axis; }
    LetterChip *chip(int place) const { return m_chips[static_cast<std::size_t>(place)]; }
    /// What each plan holds at the cursor; empty without a cursor.
    void setReadout(const QStringList &bytes);
    /// The menu of a letter: every plan of the list, and taking C and D away.
    QMenu *menuOf(int place);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void take();
    /// Names of plans come before words for the axes, which get icons where there is no room for both.
    void share();

    Document *m_document;
    std::vector<LetterChip *> m_chips;
    StudioButton *m_more;
    SegmentedControl *m_axis;
    int m_axisWidth; ///< with words
    QMenu *m_menu;
    QStringList m_readout;
};

} // namespace remat::studio
