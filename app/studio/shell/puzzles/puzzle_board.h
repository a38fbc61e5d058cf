// SPDX-License-Identifier: Apache-2.0
// The graph of a puzzle, large: forward down on the left, backward up on the right, each op with what it makes.
#pragma once

#include "app/studio/shell/puzzles/puzzle_item.h"

#include <QScrollArea>

#include <vector>

namespace remat::studio {

/// What scrolls. GUI thread only.
class PuzzleBoard : public QWidget
{
    Q_OBJECT
public:
    PuzzleBoard(PuzzleRun &run, QWidget *parent = nullptr);

    const std::vector<PuzzleItem *> &items() const { return m_items; }
    PuzzleItem *itemOf(OpId op) const { return m_ops[op.index()]; }
    PuzzleItem *itemOf(StorageId storage) const { return m_storages[storage.index()]; }
    void showState();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeRows();
    void place();
    bool moveFocus(PuzzleItem *from, int key);
    QPainterPath edge(const PuzzleItem &from, const PuzzleItem &to) const;

    PuzzleRun &m_run;
    std::vector<PuzzleItem *> m_items;    ///< in the order of Tab
    std::vector<PuzzleItem *> m_ops;      ///< per op
    std::vector<PuzzleItem *> m_storages; ///< per storage; none for inputs
    std::vector<int> m_row;               ///< per op
    std::vector<bool> m_right;            ///< per op: in the column of the backward pass
    int m_rows = 0;
    int m_lines = 1; ///< most storages that one op makes
};

} // namespace remat::studio
