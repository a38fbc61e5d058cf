// Replay: moves the time cursor through the computations of the plan.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

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
    /// From where it is; from the start when that is the end.
    void play(double stepsPerSecond);
    void pause();
    double stepsPerSecond() const { return m_speed; }
    void setStepsPerSecond(double speed) { m_speed = speed; }
    /// As if so much time had passed while playing.
    void advance(double seconds);

Q_SIGNALS:
    void playingChanged();
    void sampleChanged();

private:
    std::int64_t count() const;
    void takeCursor();
    void takePlan();

    Document *m_document;
    QTimer m_timer;
    QElapsedTimer m_clock;
    std::int64_t m_sample = -1;
    double m_speed = 20;
    double m_owed = 0;    ///< parts of a step not gone yet
    bool m_going = false; ///< the cursor moves because of this
};

} // namespace remat::studio
