// SPDX-License-Identifier: Apache-2.0
// Two small pictures of a puzzle: its memory against the budget, and a person's own tries.
#pragma once

#include "app/studio/work/puzzles/puzzle_run.h"

#include <QWidget>

namespace remat::studio {

/// What is held, one piece a storage, up to the budget; where addresses matter each at its place. GUI thread only.
class PuzzleMemoryBar : public QWidget
{
    Q_OBJECT
public:
    explicit PuzzleMemoryBar(const PuzzleRun &run, QWidget *parent = nullptr);
    void showState();
    QSize sizeHint() const override { return {400, 58}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const PuzzleRun &m_run;
};

/// How often which extra time was reached, with the proven best marked. GUI thread only.
class PuzzleHistogram : public QWidget
{
    Q_OBJECT
public:
    explicit PuzzleHistogram(const Puzzle &puzzle, QWidget *parent = nullptr);
    void showState();
    QSize sizeHint() const override { return {200, 92}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Puzzle &m_puzzle;
    std::vector<PuzzleTry> m_tries;
};

} // namespace remat::studio
