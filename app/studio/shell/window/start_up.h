// SPDX-License-Identifier: Apache-2.0
// What the command line wants done in a window, one thing after the other, and a picture of it at the end.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace remat::studio {

class MainWindow;

/// Waits before every step until the window has nothing to do. GUI thread only; the window must outlive it.
///
/// A step is a command by its id (`solve`, `show.lanes`), or one of
///   `planner=NAME`  chooses the planner of the next solve,
///   `set=KEY=VALUE` sets an option of that planner, as `remat plan --set` does,
///   `budget=TEXT`   such as 4GiB or 60%,
///   `select=NAME`   an op, a storage or a module, as the window, the trace or the palette calls it,
///   `step=N`        puts the time cursor there, counted as the status bar does,
///   `type=TEXT`     types into what has the keyboard,
///   `animation=FILE` writes the story that is played, or else the plan's steps, as a looping animated PNG.
class StartUp : public QObject
{
    Q_OBJECT
public:
    explicit StartUp(MainWindow &window);

    /// Empty when the window knows what these mean, else a sentence about the first that it does not.
    QString refusal(const QStringList &steps) const;
    /// Begins; `picture` is a PNG to write at the end, or empty.
    void start(const QStringList &steps, const QString &picture);

Q_SIGNALS:
    /// A step is not possible, and what was to come after it is not tried.
    void refused(const QString &sentence);
    /// All was done; `sentence` is empty unless the picture cannot be written.
    void ended(const QString &sentence);

private:
    void look();
    /// Empty, or why it is not possible.
    QString run(const QString &step);
    QString setPlanner(const QString &name);
    QString setOption(const QString &keyAndValue);
    QString setBudget(const QString &text);
    QString select(const QString &name);
    QString goToStep(const QString &number);
    QString animate(const QString &file);

    MainWindow &m_window;
    QStringList m_steps;
    QString m_picture;
    QTimer m_timer;
    QElapsedTimer m_quiet;
};

} // namespace remat::studio
