// SPDX-License-Identifier: Apache-2.0
// A lesson: steps that show a state of the program, say something about it, and ask for one act. Plain data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace remat {

/// What an explanation names, brought into sight with it. Empty members show nothing.
struct LessonLights {
    std::string select; ///< an op or a storage, which is then selected
    std::string cursor; ///< an op, or `peak`
    std::string view;   ///< id of a view, which comes to the front with a frame around it
};

/// A question with choices. What is asked before it is revealed is a prediction; what is asked afterwards may be tried
/// again until it is right.
struct LessonQuestion {
    std::string text;
    std::vector<std::string> choices; ///< two to six
    int answer = 0;                   ///< index of the right one
    std::string because;              ///< shown once it is answered
    LessonLights lights;              ///< what `because` names
};

/// What must hold in the program; members that are empty or negative ask for nothing. Names are those of the graph.
struct LessonCondition {
    std::string budgetAtMost, budgetAtLeast; ///< as people write budgets: `400MiB`, `50%`
    std::string peakAtMost;                  ///< limit for the current plan, which the checker has accepted
    std::string peakAtLeast;
    double overheadAtMost = -1;  ///< limit for the current plan, as a share: 0.125
    std::string planner;         ///< that made the current plan, as `--solver` takes it
    std::string selected;        ///< an op or a storage
    bool selectedAtPeak = false; ///< a storage, or an op that makes one, of the largest size held at the peak
    std::string cursorAt;        ///< an op at whose computation the time cursor stands, or `peak`
    std::vector<std::string> keep, recompute, never; ///< pinned: storages, ops, ops
    std::string view;                                ///< id of a view that is in front
    bool operator==(const LessonCondition &) const = default;
};

/// An act that the program checks in its live state.
struct LessonTask {
    std::string text;
    LessonCondition done;
    std::vector<std::string> hints;    ///< each more concrete than the one before
    std::vector<std::string> solution; ///< what does it, as `remat-studio --do` takes it; never shown
};

/// How the program is arranged for a step. Empty members leave things as they are.
struct LessonScene {
    std::string model;   ///< a sample, a graph of the lessons, or a file beside the lesson
    std::string budget;  ///< as people write budgets
    std::string planner; ///< solves with it, at once
    std::vector<std::pair<std::string, std::string>> options; ///< options of that planner
    std::vector<std::string> views; ///< ids: one in the centre, one below, one at the right; places without one close
    std::string select;             ///< an op or a storage
    std::string cursor;             ///< an op, or `peak`
    bool clearPins = false;
    bool player = false; ///< the strip that plays the plan step by step
    bool cut = false;    ///< the cut of the bound for the budget is drawn over the memory view
    std::string story;   ///< the planner whose solve of this model and budget is recorded and played
};

enum class LessonStepKind { Read, Predict, Task, Question };

struct LessonStep {
    std::string title;
    std::string text; ///< paragraphs, with an empty line between; `{name}` stands for a figure, **word** is a new word
    LessonScene scene;
    LessonStepKind kind = LessonStepKind::Read;
    LessonQuestion question; ///< set for Predict and Question
    LessonTask task;         ///< set for Task
    bool recall = false;     ///< a question at the end of the lesson, without title and text
};

/// A number in the texts, with how it is computed: nobody makes one up.
struct LessonFigure {
    std::string name;
    std::string shown;   ///< what the texts say: `600 MiB`
    std::string of;      ///< what it is: `kLessonFigures` has all
    std::string model;   ///< that of the first step when empty
    std::string budget;  ///< budget for the planner, or for the bound
    std::string planner; ///< for figures of plans
    std::vector<std::pair<std::string, std::string>> options;
};

/// A word that the lesson explains, for the glossary. `step` is where, from 0.
struct LessonWord {
    std::string word, means;
    int step = 0;
    bool everyday = false; ///< too plain to be found outside of lessons
};

struct Lesson {
    std::filesystem::path path;
    std::string name; ///< name of the file, without `.json`
    std::string title;
    std::string goal;     ///< what one can do afterwards
    std::string remember; ///< the sentence that stays
    int number = 0;       ///< place in the list; 0 for lessons of others
    int minutes = 5;
    std::vector<LessonStep> steps; ///< those of `recall` last
    std::vector<LessonFigure> figures;
    std::vector<LessonWord> words;
    std::string source; ///< the file's text, by which mistakes find their line
};

/// What a figure may be of. Peaks, times and overheads without a planner are those of the keep-all plan.
inline constexpr const char *kLessonFigures[] = {
    "peak",           ///< the plan's
    "time",           ///< the plan's
    "extra time",     ///< over keep-all
    "overhead",       ///< the same as a share of keep-all
    "recomputations", ///< how many computations after an op's first
    "floor",          ///< the largest working set
    "bound",          ///< the proven least overhead at the budget
    "bound time",     ///< the same as extra time
    "ops",            ///< how many
    "parameters",     ///< their bytes
    "peak share",     ///< the plan's, in percent of the keep-all peak
};

/// Steps before those of `recall`.
std::size_t taughtSteps(const Lesson &lesson);

/// Where a step stands in the file: `steps[2]`, `recall[0]`.
std::string fieldOfStep(const Lesson &lesson, std::size_t step);

/// A scene with everything that the steps before it have set, so that a step can be opened by itself.
LessonScene sceneAt(const Lesson &lesson, std::size_t step);

/// The text with figures in place of their names. A name that there is no figure for stays.
std::string withFigures(const Lesson &lesson, const std::string &text);

/// Where the model of a scene is: a sample or a graph in `resourceDir()`, else a file beside the lesson.
std::filesystem::path lessonModelPath(const Lesson &lesson, const std::string &model);

} // namespace remat
