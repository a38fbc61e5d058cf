// SPDX-License-Identifier: Apache-2.0
// Stories of planners as files: written and read back, and what is said of mistakes.
#include "core/base/file.h"
#include "core/io/file_kind.h"
#include "core/teaching/stories/story.h"

#include <QtTest>

using namespace remat;

namespace {

const char *const kStory = R"({"format": "remat-story/1",
 "title": "How Rotor planned five", "planner": "rotor",
 "graph": {"name": "five", "fingerprint": "0123", "ops": 11},
 "budget_bytes": 400,
 "frames": [
  {"text": "The first cell.", "ops": ["f0"], "storages": ["x"],
   "table": {"columns": ["from", "1"],
    "rows": [["1", "0"]],
    "marked": [[0, 1]]},
   "chart": {"title": "Opt", "x": "memory", "y": "time", "x_unit": "bytes", "y_unit": "us",
    "series": [{"name": "least", "points": [[0, 2.5], [1, 2.5]]}]}},
  {"text": "The end."}]})";

QString refused(const char *from, const char *to)
{
    QString text = QString::fromUtf8(kStory);
    if (!text.contains(QLatin1String(from))) return QStringLiteral("the story has no ") + QLatin1String(from);
    text.replace(QLatin1String(from), QLatin1String(to));
    const auto story = parseStory(text.toStdString(), "rotor.json");
    return story ? QStringLiteral("it is read") : QString::fromStdString(story.error().message);
}

} // namespace

class TestStories : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aStoryReadsBackAsItself()
    {
        const auto story = parseStory(kStory, "rotor.json");
        QVERIFY2(story, story ? "" : story.error().message.c_str());
        QCOMPARE(story->planner, std::string("rotor"));
        QCOMPARE(story->frames.size(), std::size_t(2));
        QCOMPARE(story->frames[0].table->rows[0][1], std::string("0"));
        QCOMPARE(story->frames[0].table->marked, (std::vector<std::pair<int, int>>{{0, 1}}));
        QCOMPARE(story->frames[0].chart->xUnit, StoryUnit::Bytes);
        QCOMPARE(story->frames[0].chart->series[0].points[1], (std::pair{1.0, 2.5}));
        QVERIFY(!story->frames[1].table && !story->frames[1].chart);
        const auto again = parseStory(storyText(*story), "again");
        QVERIFY(again && again->frames == story->frames);
        QCOMPARE(storyText(*again), storyText(*story));
        const QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("story.json")).toStdString();
        QVERIFY(writeFileAtomically(file, storyText(*story)));
        QVERIFY(fileKind(file) == FileKind::Story && readStory(file));
    }

    void mistakesAreSaidWithLineAndField_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("said");
        const auto row = [](const char *name, const char *from, const char *to, const char *said) {
            QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(said);
        };
        row("version", "remat-story/1", "remat-story/9", "remat-story/9");
        row("no text", "\"The end.\"", "\"\"", "line 12: frames[1].text is empty.");
        row("text is a number", "\"The end.\"", "3", "line 12: frames[1].text");
        row("row too short", "[[\"1\", \"0\"]]", "[[\"1\"]]",
            "line 8: frames[0].table.rows[0] has 1 cells; the table has 2 columns.");
        row("mark outside", "[[0, 1]]", "[[0, 2]]", "line 9: frames[0].table.marked[0][1] is 2");
        row("mark is no pair", "[[0, 1]]", "[[0]]", "must be a row and a column");
        row("unit", "\"us\"", "\"s\"", "frames[0].chart.y_unit is \"s\"; it must be none, bytes or us.");
        row("point is no pair", "[0, 2.5]", "[0]", "frames[0].chart.series[0].points[0] must be two numbers");
        row("x falls", "[1, 2.5]", "[-1, 2.5]", "line 11: frames[0].chart.series[0].points[1][0]");
        row("no frames", "\"frames\": [", "\"frames\": [], \"other\": [", "frames is empty.");
        row("budget", "\"budget_bytes\": 400", "\"budget_bytes\": -1", "line 4: budget_bytes");
    }
    void mistakesAreSaidWithLineAndField()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, said);
        const QString sentence = refused(qPrintable(from), qPrintable(to));
        QVERIFY2(sentence.contains(said) && sentence.startsWith(QStringLiteral("rotor.json")), qPrintable(sentence));
    }

    void tooManyFramesAreLeftOut()
    {
        Story story;
        for (std::size_t i = 0; i < kMostStoryFrames + 5; ++i)
            tell(story, {"again", {}, {}, {}, {}});
        QCOMPARE(story.frames.size(), kMostStoryFrames);
    }
};

QTEST_GUILESS_MAIN(TestStories)
#include "tst_stories.moc"
