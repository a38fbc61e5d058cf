// SPDX-License-Identifier: Apache-2.0
// A lesson on its way: which step, what was answered, and whether what it asks for is done in the document.
#pragma once

#include "core/teaching/lessons/lesson.h"
#include "core/teaching/lessons/lesson_task.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace remat::studio {

struct Session;

/// What the window does for a lesson.
struct LessonWindow {
    std::function<void(const QString &path, const QString &title)> open; ///< a model; its tab where it is open already
    std::function<QStringList()> views;                                  ///< ids of those in front
    std::function<void(const LessonScene &scene)> arrange;               ///< views, player, planner, what is selected
    std::function<void(const QString &view)> light;                      ///< brings a view into sight and frames it
};

/// How a step stands. What was done once stays done.
struct LessonStepState {
    int chosen = -1; ///< the last choice; -1 before the first
    int tries = 0;
    int hints = 0; ///< shown
    bool done = false;
    bool operator==(const LessonStepState &) const = default;
};

/// GUI thread only. What was answered wrong among the questions at a lesson's end is asked once more at the end of the
/// next one, until the first answer is right. Progress is kept in the person's settings, under the lesson's name.
class LessonRun : public QObject
{
    Q_OBJECT
public:
    LessonRun(Session &session, LessonWindow window, QObject *parent = nullptr);

    /// Opens the lesson, and appends what comes back from others, at a step, from 0; −1 goes where it was left, or to
    /// the start of one that was ended.
    void start(Lesson lesson, int step = -1);
    void end();
    bool running() const { return m_lesson.has_value(); }
    const Lesson &lesson() const { return *m_lesson; }
    int step() const { return m_step; }
    const LessonStep &current() const { return m_lesson->steps[static_cast<std::size_t>(m_step)]; }
    const LessonStepState &state() const { return m_states[static_cast<std::size_t>(m_step)]; }
    const std::vector<LessonStepState> &states() const { return m_states; }
    /// The lesson that the current question comes back from; empty for one of this lesson.
    QString comesFrom() const;
    bool isLast() const { return m_step + 1 == static_cast<int>(m_lesson->steps.size()); }

    /// The next step; after the last the lesson ends.
    void next();
    void back();
    void go(int step);
    /// Answers a question or prediction. A prediction is answered once, a question until it is right.
    void choose(int choice);
    /// Shows one hint more.
    void hint();
    /// Looks at the document again: a view came to the front.
    void look();

    /// How far a lesson was walked: 0 to 1.
    static double walked(const Lesson &lesson);
    /// What is kept of a lesson, a state for each step.
    static std::vector<LessonStepState> kept(const Lesson &lesson);

Q_SIGNALS:
    void changed(); ///< step or its state
    void ended(bool finished);

private:
    void show(const LessonScene &scene);
    void light(const LessonLights &lights);
    bool select(const std::string &name); ///< false where the graph has no such op or storage
    void apply();
    void keep() const;
    void appendReturning();
    void noteAnswer(const LessonStepState &state);

    Session &m_session;
    LessonWindow m_window;
    std::optional<Lesson> m_lesson;
    std::vector<LessonStepState> m_states; ///< states of all steps, the returning ones too, which are not kept
    struct Returning {
        QString key, lesson; ///< as it is kept, and the title it comes from
    };
    std::vector<Returning> m_returning; ///< the last steps of the lesson
    int m_step = 0;
    std::optional<LessonScene> m_pending; ///< waits for its model
};

} // namespace remat::studio
