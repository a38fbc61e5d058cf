// SPDX-License-Identifier: Apache-2.0
// Lessons: what their reader refuses and with which words, what their tasks see in the program, where a step begins.
#include "core/base/file.h"
#include "core/io/graph_json.h"
#include "core/io/json_lines.h"
#include "core/teaching/lessons/lesson_check.h"
#include "core/teaching/lessons/lesson_json.h"
#include "core/teaching/lessons/lesson_task.h"
#include "core/teaching/lessons/lesson_texts.h"

#include <QtTest>

using namespace remat;

namespace {

const char *const kGraph = R"({"format": "remat-graph/1", "name": "pair",
 "inputs": [{"name": "x", "bytes": 100}],
 "ops": [
  {"name": "one", "time_us": 10, "inputs": ["x"], "outputs": [{"name": "a", "bytes": 100}]},
  {"name": "two", "time_us": 10, "inputs": ["a"], "outputs": [{"name": "b", "bytes": 300}]},
  {"name": "back", "time_us": 20, "phase": "backward", "inputs": ["a", "b"], "outputs": [{"name": "g", "bytes": 50}]}],
 "outputs": ["g"]})";

const char *const kLesson = R"({
 "format": "remat-lesson/1",
 "title": "A pair",
 "goal": "Knows a pair.",
 "remember": "Two are a pair.",
 "words": [{"word": "pair", "means": "Two.", "step": 1}],
 "figures": {"top": {"shown": "450 B", "of": "peak"}},
 "steps": [
  {"title": "Look", "text": "A **pair** needs {top}.", "scene": {"model": "pair", "budget": "500", "views": ["graph"]}},
  {"title": "Guess", "text": "And now?", "predict": {"text": "How many?", "choices": ["1", "2"], "answer": 1, "because": "It is."}},
  {"title": "Act", "text": "Select it.",
   "task": {"text": "Select two.", "done": {"selected": "two"}, "hints": ["It is the second."], "solution": ["select=two"]}}
 ],
 "recall": [
  {"text": "Why?", "choices": ["No", "2"], "answer": 1, "because": "So it is."}
 ]
})";

Expected<std::shared_ptr<const CostedModel>> openPair()
{
    auto graph = parseGraphJson(kGraph, "pair");
    if (!graph) return tl::unexpected(graph.error());
    Device device;
    device.flopsPerSecond["default"] = 1e12;
    device.bytesPerSecond = 1e12;
    device.linkBytesPerSecond = 1e9;
    Model model;
    model.graph = std::move(*graph);
    auto open = openModel(std::move(model), "pair", device);
    if (!open) return tl::unexpected(open.error());
    return costModel(std::move(*open), CostChoice{device, nullptr, {}});
}

Expected<std::shared_ptr<const PlanEntry>> keepAllEntry(const std::shared_ptr<const CostedModel> &model,
                                                        const LessonScene & /*scene*/)
{
    return makePlanEntry(*model, std::make_shared<const Plan>(keepAllPlan(model->graph())), 1, "keep-all", false);
}

QString changed(const char *from, const char *to)
{
    return QString::fromUtf8(kLesson).replace(QString::fromUtf8(from), QString::fromUtf8(to));
}

const char *const kTexts = R"({"format": "remat-texts/1", "texts": [
 {"source": "A pair", "text": "Ein Paar"},
 {"source": "Knows a pair.", "text": "Kennt ein Paar."},
 {"source": "Two are a pair.", "text": "Zwei sind ein Paar."},
 {"source": "pair", "text": "Paar"},
 {"source": "Two.", "text": "Zwei."},
 {"source": "Look", "text": "Sieh"},
 {"source": "A **pair** needs {top}.", "text": "Ein **Paar** braucht {top}."},
 {"source": "Guess", "text": "Rate"},
 {"source": "And now?", "text": "Und nun?"},
 {"source": "How many?", "text": "Wie viele?"},
 {"source": "It is.", "text": "Ist so."},
 {"source": "Act", "text": "Tu"},
 {"source": "Select it.", "text": "Wähle es."},
 {"source": "Select two.", "text": "Wähle zwei."},
 {"source": "It is the second.", "text": "Das zweite."},
 {"source": "Why?", "text": "Warum?"},
 {"source": "No", "text": "Nein"},
 {"source": "So it is.", "text": "So ist es."}]})";

std::vector<TextMistake> mistakesOf(const QString &text)
{
    const auto lesson = parseLesson(text.toStdString(), "a.json");
    if (!lesson) qFatal("%s", lesson.error().message.c_str());
    return lessonMistakes(
        *lesson, [](const std::string &) { return openPair(); }, keepAllEntry);
}

} // namespace

class TestLessons : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linesOfPaths()
    {
        const char *text = "{\n \"a\": [1,\n  {\"b\\\"c\": \"x\\\\\", \"d\": [\n   true]}],\n \"e\": -1.5e3}";
        QCOMPARE(lineOfPath(text, ""), 1);
        QCOMPARE(lineOfPath(text, "a"), 2);
        QCOMPARE(lineOfPath(text, "a[1]"), 3);
        QCOMPARE(lineOfPath(text, "a[1].d[0]"), 4);
        QCOMPARE(lineOfPath(text, "e"), 5);
        QCOMPARE(lineOfPath(text, "a[2]"), 0);
        for (const char *broken : {"", "{", "[", "{\"a\"", "{\"a\":", "[1 2", "nonsense", "{\"a\": }", "[[[[", "\"abc"})
            QCOMPARE(lineOfPath(broken, "a.b"), 0);
    }

    void aLessonIsRead()
    {
        const auto lesson = parseLesson(kLesson, "folder/a.json");
        QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
        QCOMPARE(lesson->name, std::string("a"));
        QCOMPARE(lesson->steps.size(), std::size_t(4));
        QCOMPARE(taughtSteps(*lesson), std::size_t(3));
        QVERIFY(lesson->steps[3].recall);
        QCOMPARE(fieldOfStep(*lesson, 3), std::string("recall[0]"));
        QVERIFY(lesson->steps[1].kind == LessonStepKind::Predict);
        QCOMPARE(lesson->steps[1].question.answer, 1);
        QCOMPARE(lesson->steps[2].task.done.selected, std::string("two"));
        QCOMPARE(withFigures(*lesson, lesson->steps[0].text), std::string("A **pair** needs 450 B."));
        QCOMPARE(withFigures(*lesson, "{top} {other} {"), std::string("450 B {other} {"));
        QCOMPARE(lessonModelPath(*lesson, "mine.json"), std::filesystem::path("folder/mine.json"));
        QVERIFY(mistakesOf(QString::fromUtf8(kLesson)).empty());
    }

    void whatIsWrongIsSaidWithLineAndField_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char *name, const char *from, const char *to, const char *sentence) {
            QTest::newRow(name) << changed(from, to) << QString::fromUtf8(sentence);
        };
        row("no answer", ", \"answer\": 1", "", "a.json, line 10: steps[1].predict has no \"answer\"");
        row("no such choice", "\"answer\": 1", "\"answer\": 2", "a.json, line 10: steps[1].predict.answer is 2 and");
        row("one choice", "[\"1\", \"2\"]", "[\"1\"]",
            "a.json, line 10: steps[1].predict.choices must be a list of two");
        row("misspelt member", "\"selected\"", "\"selcted\"",
            "a.json, line 12: steps[2].task.done.selcted is not known");
        row("nothing asked", "{\"selected\": \"two\"}", "{}", "a.json, line 12: steps[2].task.done asks for nothing");
        row("no hints", "[\"It is the second.\"]", "[]", "a.json, line 12: steps[2].task has no hints");
        row("wrong type", "\"text\": \"And now?\"", "\"text\": 7",
            "a.json, line 10: steps[1].text is 7 and must be a text");
        row("no steps", "\"steps\": [", "\"steps\": [], \"steps2\": [", "a.json, line 20");
        row("no model", "\"model\": \"pair\", ", "", "a.json, line 9: steps[0] has no scene with a \"model\"");
        row("figure", "\"of\": \"peak\"", "\"of\": \"luck\"", "a.json, line 7: figures.top.of is \"luck\"");
        row("recall without an answer", "\"2\"], \"answer\": 1, \"because\": \"So", "\"2\"], \"because\": \"So",
            "a.json, line 15: recall[0] has no \"answer\"");
        row("no JSON", "\"steps\": [", "\"steps\": ", "a.json is not valid JSON");
        row("newer", "remat-lesson/1", "remat-lesson/2", "a.json, line 2: format");
    }

    void whatIsWrongIsSaidWithLineAndField()
    {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        const auto lesson = parseLesson(text.toStdString(), "a.json");
        QVERIFY(!lesson);
        const QString said = QString::fromStdString(lesson.error().message);
        if (QByteArray(QTest::currentDataTag()) == "no steps")
            QVERIFY2(said.contains(QStringLiteral("steps2 is not known here")), qPrintable(said));
        else
            QVERIFY2(said.startsWith(sentence), qPrintable(said));
    }

    void theCheckFindsWhatAReaderCannot_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *name, const char *from, const char *to, int line, const char *field,
                            const char *part) { QTest::newRow(name) << changed(from, to) << line << field << part; };
        row("op", "{\"selected\": \"two\"}", "{\"selected\": \"tow\"}", 12, "steps[2].task.done.selected",
            "Did you mean \"two\"?");
        row("pinned op", "{\"selected\": \"two\"}", "{\"recompute\": [\"one\", \"onee\"]}", 12,
            "steps[2].task.done.recompute[1]", "has no op \"onee\"");
        row("kept storage", "{\"selected\": \"two\"}", "{\"keep\": [\"one\"]}", 12, "steps[2].task.done.keep[0]",
            "has no storage \"one\"");
        row("view", "[\"graph\"]", "[\"grph\"]", 9, "steps[0].scene.views[0]", "Did you mean \"graph\"?");
        row("lit op", "\"It is.\"", "\"It is.\", \"lights\": {\"select\": \"tow\"}", 10,
            "steps[1].predict.lights.select", "Did you mean \"two\"?");
        row("lit view", "\"So it is.\"", "\"So it is.\", \"lights\": {\"view\": \"grph\"}", 15, "recall[0].lights.view",
            "Did you mean \"graph\"?");
        row("two views in one place", "[\"graph\"]", "[\"graph\", \"matrix\"]", 9, "steps[0].scene.views",
            "where \"matrix\" does");
        row("done already", "{\"selected\": \"two\"}", "{\"budget_at_most\": \"500\"}", 12, "steps[2].task.done",
            "is done already");
        row("plan done already", "{\"selected\": \"two\"}", "{\"peak_at_most\": \"460\"}", 12, "steps[2].task.done",
            "is done already");
        row("view done already", "{\"selected\": \"two\"}", "{\"view\": \"graph\"}", 12, "steps[2].task.done",
            "is done already");
        row("no such budget", "{\"selected\": \"two\"}", "{\"budget_at_most\": \"much\"}", 12,
            "steps[2].task.done.budget_at_most", "much");
        row("no plan keeps it", "\"budget\": \"500\"", "\"budget\": \"50\"", 9, "steps[0].scene.budget",
            "alone needs 450 B");
        row("no figure", "needs {top}", "needs {top} and {bottom}", 9, "steps[0].text", "no figure \"bottom\"");
        row("unused figure", "needs {top}", "needs little", 7, "figures.top", "No text uses");
        row("figure in a recall", "So it is.", "So is {it}.", 15, "recall[0].because", "no figure \"it\"");
        row("word", "A **pair**", "A pair", 6, "words[0].word", "does not explain **pair**");
        row("word's step", "\"Two.\", \"step\": 1", "\"Two.\", \"step\": 9", 6, "words[0].step", "has 3 steps");
    }

    void theCheckFindsWhatAReaderCannot()
    {
        QFETCH(QString, text);
        QFETCH(int, line);
        QFETCH(QString, field);
        QFETCH(QString, part);
        const std::vector<TextMistake> mistakes = mistakesOf(text);
        QCOMPARE(mistakes.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(mistakes[0].field), field);
        QCOMPARE(mistakes[0].line, line);
        QVERIFY2(mistakes[0].sentence.find(part.toStdString()) != std::string::npos, mistakes[0].sentence.c_str());
    }

    void aLessonIsTranslated()
    {
        auto lesson = parseLesson(kLesson, "a.json");
        const auto texts = parseTexts(kTexts, "de/a.json");
        QVERIFY2(texts, texts ? "" : texts.error().message.c_str());
        QVERIFY(lessonTextMistakes(*lesson, *texts).empty());
        lesson->steps[1].text += "\n\nSelect it.\n\nNew.";
        translate([&lesson](const TextVisitor &visit) { eachText(*lesson, visit); }, *texts);
        QCOMPARE(lesson->title, std::string("Ein Paar"));
        QCOMPARE(lesson->words[0].word, std::string("Paar"));
        QCOMPARE(withFigures(*lesson, lesson->steps[0].text), std::string("Ein **Paar** braucht 450 B."));
        QCOMPARE(lesson->steps[1].text, std::string("Und nun?\n\nWähle es.\n\nNew.")); // what is left out stays
        QCOMPARE(lesson->steps[1].question.choices[1], std::string("2"));
        QCOMPARE(lesson->steps[2].task.hints[0], std::string("Das zweite."));
        QCOMPARE(lesson->steps[3].question.because, std::string("So ist es."));
        QCOMPARE(textsPath("folder/a.json", "de"), std::filesystem::path("folder/de/a.json"));
    }

    void mistakesOfTranslationsAreSaid_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *name, const char *from, const char *to, int line, const char *field,
                            const char *part) {
            QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << line << field << part;
        };
        row("missing", " {\"source\": \"Act\", \"text\": \"Tu\"},\n", "", 1, "texts",
            "steps[2].title has no translation: \"Act\"");
        row("stale", "\"texts\": [", "\"texts\": [{\"source\": \"Old\", \"text\": \"Alt\"},", 1, "texts[0].source",
            "not there any more");
        row("twice", "\"texts\": [", "\"texts\": [{\"source\": \"Act\", \"text\": \"Tu\"},", 13, "texts[12].source",
            "translated twice");
        row("lost figure", "braucht {top}", "braucht {tpo}", 8, "texts[6].text", "same figures");
        row("lost code", "Zwei.", "`Zwei`.", 6, "texts[4].text", "between ` and `");
        row("empty", "\"Zwei.\"", "\"\"", 6, "texts[4].text", "is empty");
        row("word", "\"Paar\"", "\"Gespann\"", 6, "words[0].word", "does not explain **Gespann**");
    }

    void mistakesOfTranslationsAreSaid()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(int, line);
        QFETCH(QString, field);
        QFETCH(QString, part);
        const auto lesson = parseLesson(kLesson, "a.json");
        const auto texts = parseTexts(QString::fromUtf8(kTexts).replace(from, to).toStdString(), "de/a.json");
        QVERIFY2(texts, texts ? "" : texts.error().message.c_str());
        const std::vector<TextMistake> mistakes = lessonTextMistakes(*lesson, *texts);
        QCOMPARE(mistakes.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(mistakes[0].field), field);
        QCOMPARE(mistakes[0].line, line);
        QVERIFY2(mistakes[0].sentence.find(part.toStdString()) != std::string::npos, mistakes[0].sentence.c_str());
        const auto broken = parseTexts("{\"format\": \"remat-texts/1\",\n\"texts\": [{\"source\": 7}]}", "de/a.json");
        QVERIFY(!broken);
        QVERIFY2(broken.error().message.starts_with("de/a.json, line 2: texts[0].source is 7"),
                 broken.error().message.c_str());
    }

    void aStepOpenedByItselfHasWhatCameBefore()
    {
        Lesson lesson;
        lesson.steps.resize(4);
        lesson.steps[0].scene.model = "a";
        lesson.steps[0].scene.budget = "50%";
        lesson.steps[0].scene.planner = "rotor";
        lesson.steps[0].scene.views = {"graph"};
        lesson.steps[1].scene.select = "op";
        lesson.steps[2].scene.budget = "60%";
        lesson.steps[3].scene.model = "b";
        QCOMPARE(sceneAt(lesson, 1).planner, std::string("rotor"));
        QCOMPARE(sceneAt(lesson, 1).select, std::string("op"));
        QCOMPARE(sceneAt(lesson, 2).budget, std::string("60%"));
        QVERIFY(sceneAt(lesson, 2).planner.empty()); // that plan was for another budget
        QVERIFY(sceneAt(lesson, 2).select.empty());
        QCOMPARE(sceneAt(lesson, 2).views, std::vector<std::string>{"graph"});
        QVERIFY(sceneAt(lesson, 3).budget.empty()); // it belongs to another model
    }

    void tasksSeeTheProgram()
    {
        const auto model = openPair();
        QVERIFY(model);
        const auto entry = keepAllEntry(*model, {});
        QVERIFY(entry);
        const Graph &graph = (*model)->graph();
        LessonSituation now;
        const auto holds = [&now](auto set) {
            LessonCondition wanted;
            set(wanted);
            return isDone(wanted, now);
        };
        QVERIFY(!isDone({}, now)); // no model
        now.model = model->get();
        QVERIFY(isDone({}, now));
        now.budgetBytes = 225;
        QVERIFY(holds([](LessonCondition &c) { c.budgetAtMost = "50%"; }));
        QVERIFY(!holds([](LessonCondition &c) { c.budgetAtMost = "49%"; }));
        QVERIFY(!holds([](LessonCondition &c) { c.budgetAtLeast = "226"; }));
        QVERIFY(!holds([](LessonCondition &c) { c.peakAtMost = "450"; })); // no plan yet
        now.plan = entry->get();
        QVERIFY(holds([](LessonCondition &c) { c.peakAtMost = "450"; }));
        QVERIFY(!holds([](LessonCondition &c) { c.peakAtMost = "449"; }));
        QVERIFY(holds([](LessonCondition &c) { c.overheadAtMost = 0; }));
        QVERIFY(!holds([](LessonCondition &c) { c.planner = "rotor"; }));
        now.selection.op = opNamed(graph, "two");
        QVERIFY(holds([](LessonCondition &c) { c.selected = "two"; }));
        QVERIFY(!holds([](LessonCondition &c) { c.selected = "one"; }));
        QVERIFY(holds([](LessonCondition &c) { c.selectedAtPeak = true; }));
        now.selection = {{}, storageNamed(graph, "a")};
        QVERIFY(holds([](LessonCondition &c) { c.selected = "a"; }));
        QVERIFY(holds([](LessonCondition &c) { c.selected = "one"; })); // whose output it is
        QVERIFY(!holds([](LessonCondition &c) { c.selectedAtPeak = true; }));
        now.cursorUs = 15;
        QVERIFY(holds([](LessonCondition &c) { c.cursorAt = "two"; }));
        QVERIFY(!holds([](LessonCondition &c) { c.cursorAt = "peak"; }));
        now.cursorUs = 25;
        QVERIFY(holds([](LessonCondition &c) { c.cursorAt = "peak"; }));
        now.pins.recompute = {opNamed(graph, "one")};
        QVERIFY(holds([](LessonCondition &c) { c.recompute = {"one"}; }));
        QVERIFY(!holds([](LessonCondition &c) { c.recompute = {"one", "two"}; }));
        QVERIFY(!holds([](LessonCondition &c) { c.never = {"one"}; }));
        now.views = {"graph", "explain"};
        QVERIFY(holds([](LessonCondition &c) { c.view = "explain"; }));
        QVERIFY(!holds([](LessonCondition &c) { c.view = "curve"; }));
    }
};

QTEST_MAIN(TestLessons)
#include "tst_lessons.moc"
