#include "core/io/plan_text.h"
#include "core/io/session_json.h"
#include "core/plan/plan.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace remat;
using Json = nlohmann::ordered_json;

namespace {

SessionFile someSession()
{
    const Graph graph = test::chainGraph(4, {});
    SessionFile session;
    session.savedMs = 1700000000123;
    session.modelPath = "/models/gpt2 \"small\".pt2";
    session.modelRelativePath = "../gpt2.pt2";
    session.modelTitle = "GPT-2 small é";
    session.fingerprint = graph.fingerprint;
    session.device = "h100";
    session.profileTitle = "Measured";
    session.profileText = R"({"ops": []})";
    session.budgetBytes = (std::int64_t(1) << 53) + 1; // more than a double holds
    const auto text = std::make_shared<const std::string>(planText(keepAllPlan(graph), graph));
    session.plans = {{3, "Keep-all", false, text}, {7, "Search", true, text}};
    session.currentPlan = 7;
    session.compared = {7, 3};
    SessionSolve waiting;
    waiting.planner = "hiremate";
    waiting.options = {{"gap", "1"}, {"levels", "20"}};
    waiting.timeLimitSeconds = 0.1 + 0.2;
    waiting.threads = 2;
    waiting.budgetBytes = (std::int64_t(1) << 53) + 3;
    waiting.keep = {"a2"};
    waiting.never = {"f1"};
    SessionSolve done = waiting;
    done.state = "done";
    done.optimal = true;
    done.seconds = 1.0 / 3;
    done.plan = 7;
    done.timeUs = 12.5;
    done.boundTimeUs = 12;
    done.sentence = "It said \"so\".";
    session.solves = {done, waiting};
    session.keep = {"a1"};
    session.recompute = {"f2"};
    session.never = {"f3", "f1"};
    session.selectedOp = "f1";
    session.selectedStorage = "a1";
    session.cursorUs = 0.1 + 0.2;
    session.axisInSteps = true;
    session.seen = {1.0 / 3, 2.5};
    session.viewsText = R"({"graph":{"expanded":["a"]}})";
    session.windowText = R"({"docks":"AAAA"})";
    return session;
}

class TstSessionJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everythingComesBack()
    {
        const SessionFile session = someSession();
        const auto back = parseSession(sessionText(session), "x.rematsession");
        QVERIFY2(back.has_value(), back ? "" : back.error().message.c_str());
        QCOMPARE(back->savedMs, session.savedMs);
        QCOMPARE(back->modelPath, session.modelPath);
        QCOMPARE(back->modelRelativePath, session.modelRelativePath);
        QCOMPARE(back->modelTitle, session.modelTitle);
        QCOMPARE(back->fingerprint, session.fingerprint);
        QCOMPARE(back->device, session.device);
        QCOMPARE(back->profileTitle, session.profileTitle);
        QCOMPARE(Json::parse(back->profileText), Json::parse(session.profileText));
        QCOMPARE(back->budgetBytes, session.budgetBytes);
        QCOMPARE(back->plans.size(), std::size_t(2));
        QCOMPARE(back->plans[0].id, 3);
        QCOMPARE(back->plans[1].title, std::string("Search"));
        QVERIFY(back->plans[1].quick && !back->plans[0].quick);
        const Graph graph = test::chainGraph(4, {});
        const auto plan = parsePlan(*back->plans[0].text, "plan", graph);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().message.c_str());
        QVERIFY(plan->steps == keepAllPlan(graph).steps);
        QCOMPARE(back->currentPlan, 7);
        QCOMPARE(back->compared, session.compared);
        QVERIFY(back->solves == session.solves);
        QCOMPARE(back->keep, session.keep);
        QCOMPARE(back->recompute, session.recompute);
        QCOMPARE(back->never, session.never);
        QCOMPARE(back->selectedOp, session.selectedOp);
        QCOMPARE(back->selectedStorage, session.selectedStorage);
        QVERIFY(back->cursorUs == session.cursorUs);
        QVERIFY(back->axisInSteps);
        QVERIFY(back->seen == session.seen);
        QVERIFY(!back->range);
        QCOMPARE(Json::parse(back->viewsText), Json::parse(session.viewsText));
        QCOMPARE(Json::parse(back->windowText), Json::parse(session.windowText));
        // Written again it is the same.
        const auto again = parseSession(sessionText(*back), "x.rematsession");
        QVERIFY(again && sessionText(*again) == sessionText(*back));
    }

    void whatIsMissingHasItsDefault()
    {
        const auto session = parseSession(
            R"({"format": "remat-session/1", "model": {"path": "/a", "fingerprint": "f"}, "plans": []})", "x");
        QVERIFY2(session.has_value(), session ? "" : session.error().message.c_str());
        QCOMPARE(session->cursorUs, -1.0);
        QVERIFY(!session->seen && !session->axisInSteps && session->profileText.empty());
        QCOMPARE(session->viewsText, std::string("{}"));
    }

    void everyCutIsASentence()
    {
        const std::string text = sessionText(someSession());
        for (std::size_t length = 0; length + 2 < text.size(); ++length) {
            const auto session = parseSession(std::string_view(text).substr(0, length), "cut.rematsession");
            QVERIFY2(!session, qPrintable(QString::number(length)));
            QVERIFY(session.error().message.starts_with("cut.rematsession"));
        }
    }

    /// Every member in turn replaced by something of each type: read or refused, never a crash.
    void everyWrongTypeIsReadOrRefused()
    {
        const Json good = Json::parse(sessionText(someSession()));
        const std::vector<Json> bad = {nullptr,
                                       true,
                                       -1,
                                       1e300,
                                       "text",
                                       Json::array(),
                                       Json::array({1, 2, 3}),
                                       Json::object(),
                                       Json::array({Json::object()})};
        int refused = 0;
        const auto flat = good.flatten();
        for (const auto &[path, value] : flat.items())
            for (const Json &wrong : bad)
                for (Json::json_pointer place(path); !place.empty(); place = place.parent_pointer()) {
                    Json broken = good;
                    broken[place] = wrong;
                    const auto session = parseSession(broken.dump(), "bad.rematsession");
                    if (session) continue;
                    ++refused;
                    QVERIFY2(session.error().message.starts_with("bad.rematsession"), session.error().message.c_str());
                }
        QVERIFY2(refused > 200, qPrintable(QString::number(refused)));
    }

    void sentencesSayWhere()
    {
        Json text = Json::parse(sessionText(someSession()));
        text["plans"][1]["id"] = 3;
        QCOMPARE(parseSession(text.dump(), "x").error().message,
                 std::string("x: plans[1].id stands twice; each plan has an id of its own."));
        text["format"] = "remat-plan/1";
        QVERIFY(parseSession(text.dump(), "x").error().message.find("remat-session/1") != std::string::npos);
    }
};

} // namespace

QTEST_APPLESS_MAIN(TstSessionJson)
#include "tst_session_json.moc"
