// SPDX-License-Identifier: Apache-2.0
#include "core/io/plan_text.h"
#include "core/io/session_json.h"
#include "core/plan/plan.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace remat;
using OrderedJson = nlohmann::ordered_json;

namespace {

SessionModel someModel()
{
    const Graph graph = test::chainGraph(4, {});
    SessionModel session;
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
    return session;
}

SessionFile someSession()
{
    SessionFile session;
    session.savedMs = 1700000000123;
    session.windowText = R"({"docks":"AAAA"})";
    SessionModel second = someModel();
    second.modelPath = "/models/vit.pt2";
    second.plans.clear();
    session.models = {someModel(), second};
    session.shown = 1;
    session.closed = {someModel()};
    return session;
}

class TstSessionJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everythingComesBack()
    {
        const SessionFile file = someSession();
        const auto read = parseSession(sessionText(file), "x.remat");
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(read->savedMs, file.savedMs);
        QCOMPARE(read->models.size(), std::size_t(2));
        QCOMPARE(read->models[1].modelPath, std::string("/models/vit.pt2"));
        QCOMPARE(read->shown, std::size_t(1));
        QCOMPARE(read->closed.size(), std::size_t(1));
        QCOMPARE(OrderedJson::parse(read->windowText), OrderedJson::parse(file.windowText));
        const SessionModel session = someModel();
        const SessionModel *back = &read->models.front();
        QCOMPARE(back->modelPath, session.modelPath);
        QCOMPARE(back->modelRelativePath, session.modelRelativePath);
        QCOMPARE(back->modelTitle, session.modelTitle);
        QCOMPARE(back->fingerprint, session.fingerprint);
        QCOMPARE(back->device, session.device);
        QCOMPARE(back->profileTitle, session.profileTitle);
        QCOMPARE(OrderedJson::parse(back->profileText), OrderedJson::parse(session.profileText));
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
        QCOMPARE(OrderedJson::parse(back->viewsText), OrderedJson::parse(session.viewsText));
        // Written again it is the same.
        const auto again = parseSession(sessionText(*read), "x.remat");
        QVERIFY(again && sessionText(*again) == sessionText(*read));
    }

    void whatIsMissingHasItsDefault()
    {
        const auto session = parseSession(
            R"({"format": "remat-session/1", "model": {"path": "/a", "fingerprint": "f"}, "plans": []})", "x");
        QVERIFY2(session.has_value(), session ? "" : session.error().message.c_str());
        QCOMPARE(session->models.size(), std::size_t(1)); // one model stood at the top of the first version
        const SessionModel &model = session->models.front();
        QCOMPARE(model.cursorUs, -1.0);
        QVERIFY(!model.seen && !model.axisInSteps && model.profileText.empty());
        QCOMPARE(model.viewsText, std::string("{}"));
        const auto none = parseSession(R"({"format": "remat-session/2", "models": []})", "x");
        QVERIFY2(none && none->models.empty(), none ? "" : none.error().message.c_str());
    }

    void everyCutIsASentence()
    {
        const std::string text = sessionText(someSession());
        for (std::size_t length = 0; length + 2 < text.size(); ++length) {
            const auto session = parseSession(std::string_view(text).substr(0, length), "cut.remat");
            QVERIFY2(!session, qPrintable(QString::number(length)));
            QVERIFY(session.error().message.starts_with("cut.remat"));
        }
    }

    /// Every member in turn replaced by something of each type: read or refused, never a crash.
    void everyWrongTypeIsReadOrRefused()
    {
        SessionFile one = someSession();
        one.models.resize(1);
        one.closed.clear();
        one.shown = 0;
        const OrderedJson good = OrderedJson::parse(sessionText(one));
        const std::vector<OrderedJson> bad = {nullptr,
                                              true,
                                              -1,
                                              1e300,
                                              "text",
                                              OrderedJson::array(),
                                              OrderedJson::array({1, 2, 3}),
                                              OrderedJson::object(),
                                              OrderedJson::array({OrderedJson::object()})};
        int refused = 0;
        const auto flat = good.flatten();
        for (const auto &[path, value] : flat.items())
            for (const OrderedJson &wrong : bad)
                for (OrderedJson::json_pointer place(path); !place.empty(); place = place.parent_pointer()) {
                    OrderedJson broken = good;
                    broken[place] = wrong;
                    const auto session = parseSession(broken.dump(), "bad.remat");
                    if (session) continue;
                    ++refused;
                    QVERIFY2(session.error().message.starts_with("bad.remat"), session.error().message.c_str());
                }
        QVERIFY2(refused > 200, qPrintable(QString::number(refused)));
    }

    void sentencesSayWhere()
    {
        OrderedJson text = OrderedJson::parse(sessionText(someSession()));
        text["models"][0]["plans"][1]["id"] = 3;
        QCOMPARE(parseSession(text.dump(), "x").error().message,
                 std::string("x: models[0].plans[1].id stands twice; each plan has an id of its own."));
        text["models"][0]["plans"][1]["id"] = 4;
        text["shown"] = 2;
        QVERIFY(parseSession(text.dump(), "x").error().message.starts_with("x: shown"));
        text["format"] = "remat-session/3";
        QVERIFY(parseSession(text.dump(), "x").error().message.find("A newer one wrote it") != std::string::npos);
        text["format"] = "remat-plan/1";
        QVERIFY(parseSession(text.dump(), "x").error().message.find("remat-session/2") != std::string::npos);
    }
};

} // namespace

QTEST_APPLESS_MAIN(TstSessionJson)
#include "tst_session_json.moc"
