// SPDX-License-Identifier: Apache-2.0
// What is taught with: lessons, their texts in other languages, puzzles.
#include "tests/fuzz/targets/all.h"

#include "core/model/open_model.h"
#include "core/teaching/lessons/lesson_check.h"
#include "core/teaching/lessons/lesson_json.h"
#include "core/teaching/lessons/lesson_texts.h"
#include "core/teaching/puzzles/play.h"
#include "core/teaching/puzzles/puzzle_json.h"
#include "core/teaching/puzzles/tight_place.h"
#include "tests/fuzz/exercise.h"

namespace remat::fuzz {

namespace {

constexpr int kMostPlayed = 60;

const std::shared_ptr<const CostedModel> &lessonModel()
{
    static const std::shared_ptr<const CostedModel> model =
        *costModel(*openModel(knownModel(), "chain", reference()), {reference(), nullptr, {}});
    return model;
}

void sayMistakes(const std::vector<TextMistake> &mistakes)
{
    for (const TextMistake &each : mistakes) {
        require(each.line >= 0, "a mistake in a line before the first");
        refusedWith(each.sentence);
    }
}

/// Plays the first legal move that computes something, else the first there is.
void playForward(const Puzzle &puzzle)
{
    PuzzlePosition position = startPosition(puzzle);
    for (int i = 0; i < kMostPlayed; ++i) {
        if (isFinished(puzzle, position)) return;
        refusedWith(tightSentence(puzzle, tightPlace(puzzle, position)));
        const std::vector<PuzzleMove> moves = legalMoves(puzzle, position);
        if (moves.empty()) return;
        for (const PuzzleMove &move : moves)
            require(whyNot(puzzle, position, move).empty(), "a legal move is refused");
        applyMove(puzzle, position, moves.front());
        require(position.heldBytes >= 0 && position.heldBytes <= position.peakBytes &&
                    position.peakBytes <= puzzle.budgetBytes,
                "a play goes over its budget");
    }
}

} // namespace

bool readPuzzleFile(std::string_view input)
{
    const auto puzzle = parsePuzzle(input, "puzzle.json");
    if (!puzzle) return refusedWith(puzzle.error().message);
    const std::string text = puzzleFileText(*puzzle);
    const auto again = parsePuzzle(text, "again.json");
    require(again.has_value(), "a puzzle does not read back: " + (again ? "" : again.error().message));
    require(puzzleFileText(*again) == text, "a puzzle reads back as another");
    playForward(*puzzle);
    if (puzzle->solution.empty()) return true;
    const PuzzleScore score = scoreOf(*puzzle, puzzle->solution);
    require(score.sound, "a solution of legal moves is no plan: " + score.sentence);
    return true;
}

bool readLessonFile(std::string_view input)
{
    auto lesson = parseLesson(input, "lesson.json");
    if (!lesson) return refusedWith(lesson.error().message);
    require(!lesson->steps.empty() && taughtSteps(*lesson) <= lesson->steps.size(), "a lesson without steps");
    const auto models = [](const std::string &name) -> Expected<std::shared_ptr<const CostedModel>> {
        if (name != "chain") return fail("There is no such model.");
        return lessonModel();
    };
    const auto plans = [](const std::shared_ptr<const CostedModel> &,
                          const LessonScene &) -> Expected<std::shared_ptr<const PlanEntry>> {
        return fail("Nobody plans here.");
    };
    sayMistakes(lessonMistakes(*lesson, models, plans));
    TranslatedTexts texts;
    eachText(*lesson, [&](const std::string &, const std::string &text) {
        withFigures(*lesson, text);
        texts.texts.push_back({text, text});
    });
    lessonTextMistakes(*lesson, texts);
    return true;
}

bool readTextsFile(std::string_view input)
{
    auto texts = parseTexts(input, "de/lesson.json");
    if (!texts) return refusedWith(texts.error().message);
    std::vector<std::string> page = {"Keep-all needs {peak}.", "A **budget** is a limit.\n\nSelect `f1`.", ""};
    const TextWalk walk = [&page](const TextVisitor &visit) {
        for (std::size_t i = 0; i < page.size(); ++i)
            visit("texts[" + std::to_string(i) + "]", page[i]);
    };
    sayMistakes(translationMistakes(walk, *texts));
    translate(walk, *texts);
    return true;
}

} // namespace remat::fuzz
