// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/puzzles/puzzle_run.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/document/words.h"
#include "core/teaching/puzzles/tight_place.h"
#include "solvers/puzzles/optimum.h"

#include <algorithm>
#include <memory>

namespace remat::studio {

namespace {

constexpr std::int64_t kSayEvery = 20'000; ///< positions looked at

} // namespace

PuzzleRun::PuzzleRun(QThreadPool &pool, Puzzle puzzle, QObject *parent)
    : QObject(parent), m_puzzle(std::move(puzzle)), m_play(m_puzzle), m_tracker(pool), m_prover(pool)
{
    connect(&m_tracker, &JobTracker::runningChanged, this, &PuzzleRun::changed);
    if (!m_puzzle.optimum) prove();
}

void PuzzleRun::prove()
{
    m_proof = tr("Proving the best play…");
    m_prover.start(
        [this, puzzle = m_puzzle](const Job &job) mutable -> Expected<Puzzle> {
            std::int64_t looked = 0;
            PuzzleEffort effort;
            effort.stop = [&] { // asked once for each position
                if (++looked % kSayEvery == 0)
                    job.post([this, looked] {
                        m_proof = tr("Proving the best play: %1 positions looked at…").arg(countText(looked));
                        Q_EMIT changed();
                    });
                return job.stop().stopRequested();
            };
            if (const auto positions = proveOptimum(puzzle, effort); !positions)
                return tl::unexpected(positions.error());
            return std::move(puzzle);
        },
        [this](Expected<Puzzle> puzzle) { proven(std::move(puzzle)); });
}

void PuzzleRun::proven(Expected<Puzzle> puzzle)
{
    if (puzzle) {
        m_puzzle.optimum = puzzle->optimum;
        m_puzzle.solution = puzzle->solution;
        m_puzzle.parUs = puzzle->parUs;
        m_proof = tr("The file had no proven best; it was proven just now.");
        if (finished()) {
            m_score = m_play.score();
            if (m_score.sound) sayDone();
        }
    } else {
        m_proof = toQString(puzzle.error().message);
    }
    Q_EMIT changed();
}

double PuzzleRun::extraUs() const
{
    const PuzzlePosition &now = position();
    double onceUs = 0;
    for (std::size_t op = 0; op < now.computed.size(); ++op)
        if (now.computed[op] > 0) onceUs += m_puzzle.costs.timeUs[op];
    return std::max(now.nowUs - onceUs, 0.0);
}

void PuzzleRun::say(PuzzleSaid said, const QString &sentence)
{
    m_said = said;
    m_sentence = sentence;
}

void PuzzleRun::after()
{
    m_tracker.cancel(); // a hint for where the play no longer is
    m_proposed.reset();
    m_score = {};
    say(PuzzleSaid::Nothing, {});
}

void PuzzleRun::move(const PuzzleMove &move)
{
    if (finished()) {
        say(PuzzleSaid::Refusal, tr("Every result is there. Undo to change something, or start again."));
    } else if (const std::string why = m_play.move(move, windowWords()); !why.empty()) {
        say(PuzzleSaid::Refusal, toQString(why));
    } else {
        after();
        if (finished()) finish();
    }
    Q_EMIT changed();
    if (finished() && m_said == PuzzleSaid::Done) Q_EMIT finishedNow();
}

void PuzzleRun::finish()
{
    m_score = m_play.score();
    if (!m_score.sound) {
        say(PuzzleSaid::Refusal, toQString(m_score.sentence));
        return;
    }
    keepTry(m_puzzle, {m_score.figures, m_score.stars, m_hints});
    m_hints = 0;
    sayDone();
}

void PuzzleRun::sayDone()
{
    const QString extra = timeText(m_score.figures.extraUs);
    if (m_score.stars == 3)
        say(PuzzleSaid::Done,
            tr("Done, and proven: no schedule within this budget takes less than %1 extra.").arg(extra));
    else if (m_puzzle.optimum && m_puzzle.optimum->copiedBytes < m_score.figures.copiedBytes &&
             m_score.figures.extraUs <= m_puzzle.optimum->extraUs)
        say(PuzzleSaid::Done,
            tr("Done in the least time. Copying %1 is enough for that.").arg(bytesText(m_puzzle.optimum->copiedBytes)));
    else if (m_puzzle.optimum)
        say(PuzzleSaid::Done,
            tr("Done, with %1 more. The proven best is %2.").arg(extra, timeText(m_puzzle.optimum->extraUs)));
    else
        say(PuzzleSaid::Done, tr("Done, with %1 more.").arg(extra));
}

void PuzzleRun::undo()
{
    if (!m_play.undo()) return;
    after();
    Q_EMIT changed();
}

void PuzzleRun::redo()
{
    if (!m_play.redo()) return;
    after();
    if (finished()) m_score = m_play.score();
    Q_EMIT changed();
}

void PuzzleRun::restart()
{
    m_play.restart();
    m_hints = 0;
    after();
    Q_EMIT changed();
}

void PuzzleRun::hintCut()
{
    if (finished()) return;
    ++m_hints;
    say(PuzzleSaid::Hint, toQString(tightSentence(m_puzzle, tightPlace(m_puzzle, position()), windowWords())));
    Q_EMIT changed();
}

QString PuzzleRun::moveText(const PuzzleMove &move) const
{
    if (move.step.kind == StepKind::Compute) {
        const QString op = toQString(m_puzzle.graph.op(move.step.op).name);
        if (move.top) return tr("compute %1 at the top").arg(op);
        return position().computed[move.step.op.index()] > 0 ? tr("compute %1 again").arg(op)
                                                             : tr("compute %1").arg(op);
    }
    const QString storage = toQString(m_puzzle.graph.storage(move.step.storage).name);
    return move.step.kind == StepKind::Free      ? tr("free %1").arg(storage)
           : move.step.kind == StepKind::Offload ? tr("copy %1 out").arg(storage)
                                                 : tr("bring %1 back").arg(storage);
}

void PuzzleRun::hintNext()
{
    if (finished()) return;
    ++m_hints;
    struct Answer {
        PuzzleWay way;
        double extraUs = 0; ///< extra time of the play, when it goes on so
    };
    // The worker has copies of its own: the play goes on meanwhile.
    const auto puzzle = std::make_shared<const Puzzle>(m_puzzle);
    m_tracker.start(
        [puzzle, from = position()](const Job &job) {
            PuzzleEffort effort = hintEffort();
            effort.stop = [&job] { return job.stop().stopRequested(); };
            Answer answer{bestWay(*puzzle, from, puzzle->budgetBytes, effort), 0};
            PuzzlePosition end = from;
            for (const PuzzleMove &each : answer.way.moves)
                applyMove(*puzzle, end, each);
            answer.extraUs = std::max({end.nowUs, end.toHostFreeUs, end.toDeviceFreeUs}) - puzzleBaseUs(*puzzle);
            return answer;
        },
        [this](const Answer &answer) {
            const PuzzleWay &way = answer.way;
            if (way.end == PuzzleEnd::NoWay) {
                say(PuzzleSaid::Hint, tr("From here no way leads to every result: something that cannot come back is "
                                         "gone. Undo."));
            } else if (way.moves.empty()) {
                say(PuzzleSaid::Hint,
                    tr("No way on was found within the work that a hint may take. Undo a few moves."));
            } else {
                m_proposed = way.moves.front();
                const QString text = moveText(*m_proposed), extra = timeText(std::max(answer.extraUs, 0.0));
                say(PuzzleSaid::Hint,
                    way.end == PuzzleEnd::Proven
                        ? tr("Next: %1. From here the best play ends with %2 more, and that is proven.")
                              .arg(text, extra)
                        : tr("Next: %1. It leads to an end with %2 more; whether that is best is not proven.")
                              .arg(text, extra));
            }
            Q_EMIT changed();
        });
    Q_EMIT changed();
}

} // namespace remat::studio
