// SPDX-License-Identifier: Apache-2.0
// Files say which version wrote them; those of older versions open, those of newer ones get a sentence.
#include "archive_fixture.h"

#include "core/base/file.h"
#include "core/base/version.h"
#include "core/costs/profile.h"
#include "core/exports/exporter.h"
#include "core/io/plan_text.h"
#include "core/io/session_json.h"
#include "core/plan/plan_verdict.h"
#include "core/teaching/lessons/lesson_json.h"
#include "core/teaching/lessons/lesson_texts.h"
#include "core/teaching/puzzles/play.h"
#include "core/teaching/puzzles/puzzle_json.h"
#include "core/teaching/stories/story.h"
#include "tests/support/graphs.h"

#include <QtTest>

using namespace remat;
using test::Json;

namespace {

/// A file that version 0.1.0 wrote.
std::filesystem::path old(const std::string &name)
{
    return std::filesystem::path(REMAT_TEST_DATA) / "versions" / "0.1.0" / name;
}

std::string textOf(const std::filesystem::path &path)
{
    return readFile(path).value();
}

/// The file as a program to come would write it.
std::string newer(std::string text, const std::string &format)
{
    Json json = Json::parse(text);
    json["format"] = format + "/12";
    json["written_by"] = "remat-studio 9.9.0";
    return json.dump();
}

} // namespace

class TestVersions : public QObject
{
    Q_OBJECT

    Model m_trace, m_graph;

    CostTable costs(const Model &model, const CostSource &source)
    {
        const std::string device = deviceOf(source);
        return rooflineCosts(model, *findDevice(device.empty() ? "reference" : device));
    }

    void saysNewer(const std::string &message, const std::string &format)
    {
        qInfo("%s", message.c_str());
        for (const std::string &part :
             {format + "/12", std::string("remat-studio 9.9.0"), programVersion(), std::string("Update Remat Studio")})
            QVERIFY2(message.find(part) != std::string::npos, message.c_str());
    }

private Q_SLOTS:
    void initTestCase()
    {
        Expected<Model> trace = readModel(old("mlp.pt2")), graph = readModel(old("graph.json"));
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QVERIFY2(graph, graph ? "" : graph.error().message.c_str());
        m_trace = std::move(*trace);
        m_graph = std::move(*graph);
        QCOMPARE(m_trace.graph.ops.size(), std::size_t(30));
        QCOMPARE(m_graph.graph.ops.size(), std::size_t(18));
    }

    void oldPlansOpenAndPass()
    {
        for (const auto &[name, model] :
             {std::pair("mlp.plan.json", &m_trace), {"mlp.over.plan.json", &m_trace}, {"graph.plan.json", &m_graph}}) {
            const Expected<Plan> plan = readPlan(old(name), model->graph);
            QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
            const Verdict verdict = checkPlan(model->graph, costs(*model, plan->costSource), *plan);
            QVERIFY2(verdict.ok, verdict.sentence.c_str());
        }
    }

    void anOldRecordOverTheBudgetIsNotBelieved()
    {
        const Plan good = *readPlan(old("mlp.plan.json"), m_trace.graph);
        const Plan over = *readPlan(old("mlp.over.plan.json"), m_trace.graph);
        QVERIFY(over.validated->passed && over.validated->measuredPeakBytes > over.budgetBytes);
        const auto verdict = [&](const Plan &plan) {
            const Verdict found = checkPlan(m_trace.graph, costs(m_trace, plan.costSource), plan);
            return planVerdict(verdictFacts(plan, found));
        };
        QVERIFY(verdict(good).level == VerdictLevel::Ok && verdict(good).wasRun);
        QVERIFY(verdict(over).level == VerdictLevel::OverBudget);
    }

    void oldProfilesDevicesAndSessionsOpen()
    {
        const Expected<Profile> profile = readProfile(old("mlp.profile.json"), m_trace.graph);
        QVERIFY2(profile, profile ? "" : profile.error().message.c_str());
        QVERIFY(readDevice(old("device.json")).has_value());
        const Expected<SessionFile> session = parseSession(textOf(old("mlp.remat")), "mlp.remat");
        QVERIFY2(session, session ? "" : session.error().message.c_str());
    }

    void oldLessonsPuzzlesAndStoriesOpen()
    {
        const Expected<Lesson> lesson = readLesson(old("lesson.json"), "de");
        QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
        QCOMPARE(lesson->steps.size(), std::size_t(11));
        QCOMPARE(lesson->steps.front().title, "Echte Schichten sind ungleich"); // by the texts beside it
        const Expected<Puzzle> puzzle = readPuzzle(old("puzzle.json"));
        QVERIFY2(puzzle, puzzle ? "" : puzzle.error().message.c_str());
        const PuzzleScore score = scoreOf(*puzzle, puzzle->solution);
        QVERIFY2(score.sound && score.stars == 3, score.sentence.c_str());
        const Expected<Story> story = readStory(old("story.json"));
        QVERIFY2(story, story ? "" : story.error().message.c_str());
        QCOMPARE(story->fingerprint, m_graph.graph.fingerprint);
    }

    void whatIsWrittenSaysByWhom()
    {
        const Json plan = Json::parse(planText(keepAllPlan(m_graph.graph), m_graph.graph));
        QCOMPARE(plan["written_by"], Json(writtenBy()));
        QCOMPARE(writtenBy(), "remat-studio " + programVersion());
        Profile profile;
        profile.ops.resize(m_graph.graph.ops.size());
        QCOMPARE(Json::parse(profileText(profile, m_graph.graph))["written_by"], Json(writtenBy()));
        QCOMPARE(Json::parse(sessionText(SessionFile{}))["written_by"], Json(writtenBy()));
        const CostTable table = costs(m_graph, {});
        const Plan kept = keepAllPlan(m_graph.graph);
        const auto trace = (*findExportFormat("chrome-trace"))->write({m_graph, table, kept});
        QCOMPARE(Json::parse(*trace)["otherData"]["written_by"], Json(writtenBy()));
    }

    void newerFilesGetASentence()
    {
        const auto plan = parsePlan(newer(textOf(old("graph.plan.json")), "remat-plan"), "p.json", m_graph.graph);
        QVERIFY(!plan);
        saysNewer(plan.error().message, "remat-plan");
        const auto profile =
            parseProfile(newer(textOf(old("mlp.profile.json")), "remat-profile"), "q.json", m_trace.graph);
        QVERIFY(!profile);
        saysNewer(profile.error().message, "remat-profile");
        const test::Folder folder;
        const auto graph = readModel(folder.write("g.json", newer(textOf(old("graph.json")), "remat-graph")));
        QVERIFY(!graph);
        saysNewer(graph.error().message, "remat-graph");
        const auto device = readDevice(folder.write("d.json", newer(textOf(old("device.json")), "remat-device")));
        QVERIFY(!device);
        saysNewer(device.error().message, "remat-device");
        const auto lesson = parseLesson(newer(textOf(old("lesson.json")), "remat-lesson"), "l.json");
        QVERIFY(!lesson);
        saysNewer(lesson.error().message, "remat-lesson");
        const auto texts = parseTexts(newer(textOf(old("de/lesson.json")), "remat-texts"), "de/l.json");
        QVERIFY(!texts);
        saysNewer(texts.error().message, "remat-texts");
        const auto puzzle = parsePuzzle(newer(textOf(old("puzzle.json")), "remat-puzzle"), "p.json");
        QVERIFY(!puzzle);
        saysNewer(puzzle.error().message, "remat-puzzle");
        const auto story = parseStory(newer(textOf(old("story.json")), "remat-story"), "s.json");
        QVERIFY(!story);
        saysNewer(story.error().message, "remat-story");
    }

    void aNewerTraceGetsASentence()
    {
        Json json = test::tinyModel();
        Json record = {{"phase", "of a newer tracer"},
                       {"graph", {{"format", "remat-trace/12"}, {"written_by", "remat-studio 9.9.0"}}}};
        json["graph_module"]["graph"]["nodes"][0]["metadata"]["custom"] = Json{{"remat", record}}.dump();
        const test::Folder folder;
        const auto read = readModel(folder.write("tiny.pt2", test::zipOf(test::tinyEntries(json))));
        QVERIFY(!read);
        saysNewer(read.error().message, "remat-trace");
    }

    void otherFormatsAreNotCalledNewer()
    {
        Json json = Json::parse(textOf(old("graph.plan.json")));
        for (const char *format :
             {"remat-plan/0", "remat-plan/", "remat-plan/1x", "remat-profile/2", "", "remat-plan/-2"}) {
            json["format"] = format;
            const auto plan = parsePlan(json.dump(), "p.json", m_graph.graph);
            QVERIFY(!plan);
            QVERIFY2(plan.error().message.find("newer") == std::string::npos, plan.error().message.c_str());
        }
        json["format"] = "remat-plan/2";
        json["written_by"] = Json::array({1});
        QVERIFY(parsePlan(json.dump(), "p.json", m_graph.graph).error().message.find("newer") != std::string::npos);
    }

    void unknownMembersArePassedOver()
    {
        Json json = Json::parse(textOf(old("graph.plan.json")));
        json["of a version to come"] = {{"a", 1}};
        QVERIFY(parsePlan(json.dump(), "p.json", m_graph.graph).has_value());
    }
};

QTEST_GUILESS_MAIN(TestVersions)
#include "tst_versions.moc"
