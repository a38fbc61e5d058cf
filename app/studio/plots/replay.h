// Replay: moves the time cursor through the computations of the plan.
#pragma once

#include "app/studio/document/document.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace remat::studio {

/// Begins where the cursor is, or at the start; ends with the plan. GUI thread only.
class Replay : public QObject
{
    Q_OBJECT
public:
    explicit Replay(Document *document, QObject *parent = nullptr);

    bool playing() const { return m_timer.isActive(); }
    void play();
    void pause();
    void toggle() { playing() ? pause() : play(); }
    /// One computation on or back; pauses.
    void step(int by);
    double stepsPerSecond() const { return m_speed; }
    void setStepsPerSecond(double speed) { m_speed = speed; }
    /// As if so much time had passed while playing.
    void advance(double seconds);

Q_SIGNALS:
    void playingChanged();

private:
    std::size_t sample() const;
    void go(std::size_t sample);

    Document *m_document;
    QTimer m_timer;
    QElapsedTimer m_clock;
    double m_speed = 20;
    double m_owed = 0; ///< parts of a step not gone yet
};

} // namespace remat::studio
