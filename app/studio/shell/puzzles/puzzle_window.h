// SPDX-License-Identifier: Apache-2.0
// The window of one puzzle: its graph, its memory, what a play comes to beside the proven best, hints.
#pragma once

#include "app/studio/shell/puzzles/puzzle_board.h"
#include "app/studio/shell/puzzles/puzzle_meter.h"

#include <QDialog>

class QLabel;
class QVBoxLayout;

namespace remat::studio {

class StudioButton;
class TokenLabel;

/// GUI thread only. Arrows go from op to op, Enter does what is next to do; C, T, F, O and B are the moves by name.
class PuzzleWindow : public QDialog
{
    Q_OBJECT
public:
    PuzzleWindow(QThreadPool &pool, Puzzle puzzle, QWidget *parent = nullptr);

    PuzzleRun &run() { return m_run; }
    PuzzleBoard *board() const { return m_board; }

Q_SIGNALS:
    void listWanted();
    void nextWanted(int number); ///< the puzzle after this one
    void saveWanted();           ///< asked for by a puzzle that has no file, or whose file has no optimum
    void kept();                 ///< a try more

private:
    QWidget *makeSide();
    QWidget *makeFoot();
    StudioButton *addButton(QLayout *row, const char *name, const QString &text, const char *icon,
                            const QKeySequence &key, const QString &tip);
    void addScores(QVBoxLayout *column);
    void addKeys(QVBoxLayout *column);
    void showState();
    void showScores();

    PuzzleRun m_run;
    PuzzleBoard *m_board;
    PuzzleMemoryBar *m_memory;
    PuzzleHistogram *m_tries = nullptr;
    QLabel *m_sentence = nullptr;
    QWidget *m_strip = nullptr;
    TokenLabel *m_stars = nullptr;
    std::vector<TokenLabel *> m_yours, m_best; ///< peak, extra time, copies
    TokenLabel *m_note = nullptr, *m_proof = nullptr;
    StudioButton *m_undo = nullptr, *m_redo = nullptr, *m_restart = nullptr, *m_cut = nullptr, *m_hint = nullptr;
    StudioButton *m_next = nullptr;
};

/// `★★☆`
QString starsText(int stars);

} // namespace remat::studio
