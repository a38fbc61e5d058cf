// SPDX-License-Identifier: Apache-2.0
// Replay: moves the time cursor through the computations of the plan.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>

namespace remat::studio {

class Document;

/// The one player of a window. At rest it follows the cursor; while it plays, or is told where to go, the cursor of all
/// views follows it. It stops with the plan, and when another model is opened. GUI thread only.
class Replay : public QObject
{
    Q_OBJECT
public:
    explicit Replay(Document *document, QObject *parent = nullptr);

    /// The computation it is at, −1 before the first.
    std::int64_t sample() const { return m_sample; }
    /// Goes to a computation, clamped to the first and last.
    void go(std::int64_t sample);
    /// One computation on or back; pauses.
    void step(int by);

    bool playing() const { return m_timer.isActive(); }
    /// At its speed, from where it is; from the start when that is the end.
    void play();
    void pause();
    void toggle() { playing() ? pause() : play(); }
    double stepsPerSecond() const { return m_speed; }
    void setStepsPerSecond(double speed) { m_speed = speed; }
    /// Computations that are played round and round, both included; none: to the end, once.
    struct Loop {
        std::int64_t from = 0, to = 0;
        bool operator==(const Loop &) const = default;
    };
    const std::optional<Loop> &loop() const { return m_loop; }
    /// Begins or ends the loop where it stands; the other end stays where it was, or at the end of the plan, and goes
    /// along where it would be on the wrong side. Nothing happens before the first computation.
    void loopFromHere();
    void loopToHere();
    void endLoop();
    /// As if so much time had passed while playing.
    void advance(double seconds);

Q_SIGNALS:
    void playingChanged();
    void sampleChanged();
    void loopChanged();

private:
    std::int64_t count() const;
    void takeCursor();
    void takePlan();
    void setLoop(std::optional<Loop> loop);

    Document *m_document;
    QTimer m_timer;
    QElapsedTimer m_clock;
    std::int64_t m_sample = -1;
    double m_speed = 20;
    double m_owed = 0; ///< parts of a step not gone yet
    std::optional<Loop> m_loop;
    bool m_going = false; ///< the cursor moves because of this
};

} // namespace remat::studio
