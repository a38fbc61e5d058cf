// SPDX-License-Identifier: Apache-2.0
// A puzzle being played: its moves, what is said about them, hints from a worker thread, tries that are kept.
#pragma once

#include "app/studio/work/jobs/job_tracker.h"
#include "app/studio/work/puzzles/puzzle_tries.h"
#include "core/base/expected.h"
#include "core/teaching/puzzles/play.h"

#include <QObject>
#include <QString>

namespace remat::studio {

/// What the last sentence is.
enum class PuzzleSaid { Nothing, Refusal, Hint, Done };

/// GUI thread only. A puzzle whose file has no optimum is proven on a worker thread while it is played.
class PuzzleRun : public QObject
{
    Q_OBJECT
public:
    PuzzleRun(QThreadPool &pool, Puzzle puzzle, QObject *parent = nullptr);

    const Puzzle &puzzle() const { return m_puzzle; }
    const PuzzlePlay &play() const { return m_play; }
    const PuzzlePosition &position() const { return m_play.position(); }
    bool finished() const { return m_play.finished(); }
    const PuzzleScore &score() const { return m_score; } ///< score of a finished play
    /// Extra time so far: what was computed again, and what copies were waited for.
    double extraUs() const;

    const QString &sentence() const { return m_sentence; }
    PuzzleSaid said() const { return m_said; }
    /// The move that the last hint proposes, while it can be done.
    const std::optional<PuzzleMove> &proposed() const { return m_proposed; }
    bool thinking() const { return m_tracker.running(); }
    bool proving() const { return m_prover.running(); }
    /// How the proof of a puzzle that came without one stands, or what came of it; empty for the others.
    const QString &proof() const { return m_proof; }

    void move(const PuzzleMove &move);
    void undo();
    void redo();
    void restart();
    /// The bound's cut: where what is held will be too much.
    void hintCut();
    /// The next move of the best way on from here, proven on a worker thread.
    void hintNext();

Q_SIGNALS:
    void changed();
    void finishedNow(); ///< the last result was reached by the last move

private:
    void say(PuzzleSaid said, const QString &sentence);
    void prove();
    void proven(Expected<Puzzle> puzzle);
    void after();
    void finish();
    void sayDone();
    QString moveText(const PuzzleMove &move) const;

    Puzzle m_puzzle;
    PuzzlePlay m_play;
    PuzzleScore m_score;
    QString m_sentence;
    PuzzleSaid m_said = PuzzleSaid::Nothing;
    std::optional<PuzzleMove> m_proposed;
    int m_hints = 0;
    QString m_proof;
    JobTracker m_tracker, m_prover; ///< last: their destructors wait for the workers
};

} // namespace remat::studio
