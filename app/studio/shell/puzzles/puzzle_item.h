// SPDX-License-Identifier: Apache-2.0
// An op or a storage of a puzzle on its board: what it is, how it stands, and the move that a click makes.
#pragma once

#include "app/studio/work/puzzles/puzzle_run.h"

#include <QAbstractButton>

namespace remat::studio {

/// GUI thread only. A click, Space or Enter does what is next to do: an op is computed, a storage freed or brought
/// back.
class PuzzleItem : public QAbstractButton
{
    Q_OBJECT
public:
    PuzzleItem(const PuzzleRun &run, OpId op, QWidget *parent);
    PuzzleItem(const PuzzleRun &run, StorageId storage, QWidget *parent);

    OpId op() const { return m_op; }
    StorageId storage() const { return m_storage; }
    bool isOp() const { return static_cast<bool>(m_op); }
    /// Takes texts and colours from the position.
    void showState();
    /// What a click does.
    PuzzleMove usualMove() const;

Q_SIGNALS:
    void wanted(const remat::PuzzleMove &move);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void begin(const std::string &name, const char *kind);
    void paintOp(QPainter &painter, const QRectF &frame) const;
    void paintStorage(QPainter &painter, const QRectF &frame) const;
    QString stateText() const;
    bool proposed() const;
    const Graph &graph() const { return m_run.puzzle().graph; }
    const PuzzleStorage &where() const { return m_run.position().storages[m_storage.index()]; }
    void want(const PuzzleMove &move);

    const PuzzleRun &m_run;
    OpId m_op;
    StorageId m_storage;
    bool m_legal = false; ///< whether an op can be computed now
};

} // namespace remat::studio
