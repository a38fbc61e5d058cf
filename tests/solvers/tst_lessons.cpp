// SPDX-License-Identifier: Apache-2.0
// The lessons that come with the program: every figure in their texts is what the planners say today.
#include "core/base/budget.h"
#include "core/base/resources.h"
#include "core/teaching/lessons/lesson_check.h"
#include "core/teaching/lessons/lesson_json.h"
#include "core/teaching/lessons/lesson_texts.h"
#include "solvers/uses/lesson_plans.h"
#include "solvers/uses/record.h"

#include <QtTest>

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace remat;

class TestLessonFigures : public QObject
{
    Q_OBJECT

    std::vector<Lesson> m_lessons;

    void rows()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < m_lessons.size(); ++i)
            QTest::newRow(m_lessons[i].name.c_str()) << static_cast<int>(i);
    }

private Q_SLOTS:
    void initTestCase()
    {
        for (const auto &entry : std::filesystem::directory_iterator(resourceDir() / "lessons")) {
            if (entry.path().extension() != ".json") continue;
            const auto lesson = readLesson(entry.path());
            QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
        }
        m_lessons = readLessons();
        QVERIFY(!m_lessons.empty());
        for (std::size_t i = 1; i < m_lessons.size(); ++i)
            QVERIFY2(m_lessons[i].number > m_lessons[i - 1].number, m_lessons[i].name.c_str());
    }

    void theyHaveNoMistakes_data() { rows(); }
    void theyHaveNoMistakes()
    {
        QFETCH(int, index);
        const Lesson &lesson = m_lessons[static_cast<std::size_t>(index)];
        LessonStage stage(lesson);
        for (const TextMistake &mistake : lessonMistakes(
                 lesson, [&stage](const std::string &name) { return stage.model(name); }, planOfScene))
            QFAIL(("line " + std::to_string(mistake.line) + ", " + mistake.field + ": " + mistake.sentence).c_str());
    }

    void theyAreTranslated_data() { rows(); }
    void theyAreTranslated()
    {
        QFETCH(int, index);
        const Lesson &lesson = m_lessons[static_cast<std::size_t>(index)];
        std::vector<std::string> languages; // those that the window speaks
        for (const auto &entry : std::filesystem::directory_iterator(REMAT_SAMPLES "/../translations")) {
            const std::string name = entry.path().stem().string();
            if (entry.path().extension() == ".ts" && name.find('_') != std::string::npos)
                languages.push_back(name.substr(name.find('_') + 1));
        }
        QVERIFY(!languages.empty());
        for (const std::string &language : languages) {
            const auto texts = readTexts(textsPath(lesson.path, language));
            QVERIFY2(texts, texts ? "" : texts.error().message.c_str());
            for (const TextMistake &mistake : lessonTextMistakes(lesson, *texts))
                QFAIL((language + ", line " + std::to_string(mistake.line) + ", " + mistake.field + ": " +
                       mistake.sentence)
                          .c_str());
        }
    }

    void figuresAreComputed_data() { rows(); }
    void figuresAreComputed()
    {
        QFETCH(int, index);
        const Lesson &lesson = m_lessons[static_cast<std::size_t>(index)];
        LessonStage stage(lesson);
        for (const LessonFigure &figure : lesson.figures) {
            const auto computed = stage.figure(figure);
            QVERIFY2(computed, computed ? "" : (figure.name + ": " + computed.error().message).c_str());
            QVERIFY2(*computed == figure.shown,
                     (figure.name + " says " + figure.shown + " and is " + *computed).c_str());
        }
    }

    void whatTheTextsSayOfPlansIsSo()
    {
        // intervals, step 7: the plan of Checkmate runs one layer three times.
        const Lesson lesson = *std::find_if(m_lessons.begin(), m_lessons.end(),
                                            [](const Lesson &each) { return each.name == "intervals"; });
        LessonStage stage(lesson);
        LessonScene scene;
        scene.budget = "60%";
        scene.planner = "checkmate";
        const auto plan = planOfScene(*stage.model("two_towers"), scene);
        QVERIFY(plan);
        std::map<OpId, int> runs;
        for (const Step &step : (*plan)->plan->steps)
            if (step.kind == StepKind::Compute) ++runs[step.op];
        int most = 0;
        for (const auto &[op, count] : runs)
            most = std::max(most, count);
        QCOMPARE(most, 3);
        scene.story = "checkmate";
        QVERIFY(planOfScene(*stage.model("two_towers"), scene));
        // addresses, step 6: DTR throws one storage out twice, and no other.
        const auto model = stage.model("two_towers");
        SolveRequest request;
        request.graph = &(*model)->graph();
        request.costs = (*model)->costs.get();
        request.budgetBytes = *parseBudget("60%", (*model)->keepAll->peakBytes);
        const Planner &dtr = **findPlanner("dtr");
        request.options = *makeOptions(dtr.info.options, {});
        const auto told = solveAndRecord(dtr, request, {});
        QVERIFY(told);
        std::map<std::string, int> evicted;
        for (const StoryFrame &frame : told->story.frames)
            for (const std::string &storage : frame.storages)
                ++evicted[storage];
        for (const auto &[storage, count] : evicted)
            QCOMPARE(count, storage == "act_b1" ? 2 : 1);
        scene.story = "chen-sqrt"; // does not tell how it plans
        QVERIFY(!planOfScene(*stage.model("two_towers"), scene));
    }

    void aBoundThatRisesAtOnceIsExplained()
    {
        // checkmate, step 9: the bound of the relaxations is far below the best plan, and one frame closes the gap.
        const Lesson lesson = *std::find_if(m_lessons.begin(), m_lessons.end(),
                                            [](const Lesson &each) { return each.name == "checkmate"; });
        LessonStage stage(lesson);
        const auto model = stage.model("skip9");
        QVERIFY(model);
        SolveRequest request;
        request.graph = &(*model)->graph();
        request.costs = (*model)->costs.get();
        request.budgetBytes = *parseBudget("55%", (*model)->keepAll->peakBytes);
        const Planner &checkmate = **findPlanner("checkmate");
        request.options = *makeOptions(checkmate.info.options, {});
        const auto told = solveAndRecord(checkmate, request, {});
        QVERIFY(told);
        const auto boundIn = [](const StoryFrame &frame) { return frame.chart->series[1].points.back().second; };
        const std::vector<StoryFrame> &frames = told->story.frames;
        QVERIFY(frames.size() > 3);
        const StoryFrame &last = frames.back(), &before = frames[frames.size() - 2];
        QCOMPARE(boundIn(last), boundIn(before));
        QVERIFY2(before.text.starts_with("Branching"), before.text.c_str());
        QVERIFY(boundIn(before) > boundIn(frames[frames.size() - 3]));
    }

    void eachAsksForTwoPredictionsAndAnAct_data() { rows(); }
    void eachAsksForTwoPredictionsAndAnAct()
    {
        QFETCH(int, index);
        int predictions = 0, tasks = 0, questions = 0, recalls = 0;
        for (const LessonStep &step : m_lessons[static_cast<std::size_t>(index)].steps) {
            if (step.kind == LessonStepKind::Task) QVERIFY2(step.task.hints.size() >= 2, step.task.text.c_str());
            recalls += step.recall ? 1 : 0;
            predictions += step.kind == LessonStepKind::Predict ? 1 : 0;
            tasks += step.kind == LessonStepKind::Task ? 1 : 0;
            questions += step.kind == LessonStepKind::Question ? 1 : 0;
        }
        QVERIFY(predictions >= 2);
        QVERIFY(tasks >= 1);
        QVERIFY(questions >= 1);
        QCOMPARE(recalls, 3);
    }

    void noWordIsUsedBeforeItIsExplained()
    {
        struct Place {
            std::size_t lesson;
            int step;
        };
        std::map<QString, Place> explained;
        QStringList patterns;
        for (std::size_t i = 0; i < m_lessons.size(); ++i)
            for (const LessonWord &word : m_lessons[i].words) {
                const QString name = QString::fromStdString(word.word);
                explained.emplace(name.toLower(), Place{i, word.step});
                patterns << QRegularExpression::escape(name);
            }
        std::sort(patterns.begin(), patterns.end(),
                  [](const QString &a, const QString &b) { return a.size() > b.size(); });
        const QRegularExpression any(QStringLiteral("(?<![\\w-])(%1)s?(?![\\w-])").arg(patterns.join(QLatin1Char('|'))),
                                     QRegularExpression::CaseInsensitiveOption);
        QStringList early;
        for (std::size_t i = 0; i < m_lessons.size(); ++i) {
            Lesson lesson = m_lessons[i];
            eachText(lesson, [&](const std::string &field, std::string &text) {
                if (!field.starts_with("steps[")) return;
                const int step = std::atoi(field.c_str() + 6);
                const QString words =
                    QString::fromStdString(text).remove(QRegularExpression(QStringLiteral("\\{[^}]*\\}")));
                for (auto match = any.globalMatch(words); match.hasNext();) {
                    const QString word = match.next().captured(1);
                    const Place place = explained.at(word.toLower());
                    if (word.size() > 1 && std::pair(place.lesson, place.step) > std::pair(i, step))
                        early << QStringLiteral("%1, %2: %3")
                                     .arg(QString::fromStdString(lesson.name), QString::fromStdString(field), word);
                }
            });
        }
        QVERIFY2(early.isEmpty(), qPrintable(early.join(QLatin1Char('\n'))));
    }

    void theRightAnswerStandsAnywhere()
    {
        std::map<int, int> places;
        int all = 0;
        for (const Lesson &lesson : m_lessons)
            for (const LessonStep &step : lesson.steps)
                if (!step.question.choices.empty()) ++places[step.question.answer], ++all;
        for (const auto &[place, count] : places)
            QVERIFY2(count * 2 < all + 1, qPrintable(QString::number(place)));
    }
};

QTEST_MAIN(TestLessonFigures)
#include "tst_lessons.moc"
