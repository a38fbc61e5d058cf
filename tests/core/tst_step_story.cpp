// SPDX-License-Identifier: Apache-2.0
// What is said of each step of a plan, where one can jump to, and the page that plays it.
#include "core/base/file.h"
#include "core/exports/exporter.h"
#include "core/teaching/explain/step_story.h"
#include "tests/support/graphs.h"

#include <QtTest>

using namespace remat;
using namespace remat::test;

namespace {

constexpr std::int64_t kUnit = 1 << 20;

/// f0 → a, f1 → b, loss → l, g1 reads l and b, g0 reads g1 and a. a is computed again before g0, and b waits in host
/// memory before g1 reads it.
struct StoryGraph {
    GraphBuilder builder;
    StorageId x = builder.resident(1);
    OpId f0 = made(builder.op({x}, {{kUnit, StorageKind::Activation, false, "a"}}), "f0");
    OpId f1 = made(builder.op({builder.output(f0)}, {{2 * kUnit, StorageKind::Activation, false, "b"}}), "f1");
    OpId loss =
        made(builder.op({builder.output(f1)}, {{8, StorageKind::Activation, true, "l"}}, 1, Phase::Loss), "loss");
    OpId g1 = made(
        builder.op({builder.output(loss), builder.output(f1)}, {{kUnit, StorageKind::Gradient}}, 1, Phase::Backward),
        "g1");
    OpId g0 = made(builder.op({builder.output(g1), builder.output(f0)}, {{64, StorageKind::ParameterGradient, true}}, 1,
                              Phase::Backward),
                   "g0");
    StorageId a = builder.output(f0), b = builder.output(f1), l = builder.output(loss), d = builder.output(g1);
    Graph graph = builder.finish();
    CostTable costs = graphCosts(graph);
    std::vector<Step> steps = {Step::compute(f0), Step::compute(f1), Step::free(a),     Step::compute(loss),
                               Step::offload(b),  Step::free(b),     Step::prefetch(b), Step::compute(g1),
                               Step::free(b),     Step::compute(f0), Step::compute(g0), Step::free(a),
                               Step::free(d)};

    OpId made(OpId op, const char *name)
    {
        builder.edit(op).name = name;
        return op;
    }
};

StepNames namesOf(const Graph &graph)
{
    return {[&graph](OpId op) { return graph.op(op).name; },
            [&graph](StorageId storage) { return graph.storage(storage).name; }};
}

QString sentence(const StoryGraph &small, std::size_t sample)
{
    const auto line = buildTimeline(small.graph, small.costs, small.steps);
    if (!line) return QString::fromStdString(line.error().message);
    return QString::fromStdString(stepSentence(small.steps, stepReasons(small.graph, small.steps), *line, sample,
                                               StepWords(), namesOf(small.graph)));
}

/// A page of the small plan, whose names are attacks where `hostile`.
std::string page(bool hostile)
{
    StoryGraph small;
    Plan plan;
    plan.steps = small.steps;
    plan.origin.solver = hostile ? "<script>alert(1)</script>" : "hand";
    Model model;
    model.graph = small.graph;
    model.graph.name = hostile ? "</script><img src=x onerror=y>" : "small";
    if (hostile) model.graph.ops[0].name = "</script><script>alert(2)</script>";
    const auto text = (*findExportFormat("html-player"))->write({model, small.costs, plan});
    return text ? *text : text.error().message;
}

QByteArray between(const std::string &text, const char *from, const char *to)
{
    const std::size_t begin = text.find(from), end = text.find(to, begin);
    if (begin == std::string::npos || end == std::string::npos) return {};
    return QByteArray::fromStdString(text.substr(begin + std::strlen(from), end - begin - std::strlen(from)));
}

} // namespace

class TestStepStory : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyStepSaysWhatAndWhy()
    {
        const StoryGraph small;
        QCOMPARE(sentence(small, 0), QStringLiteral("Computes f0 because f1 reads it next, at step 1."));
        QCOMPARE(
            sentence(small, 1),
            QStringLiteral("Computes f1 because loss reads it next, at step 3. Frees a, 1.00 MiB, to make room; it "
                           "is computed again at step 9, before g0 reads it."));
        QCOMPARE(
            sentence(small, 2),
            QStringLiteral("Computes loss because g1 reads it next, at step 7. Copies b, 2.00 MiB, to host memory: "
                           "it is not read before it comes back at step 6. Frees b, 2.00 MiB: a copy in host "
                           "memory comes back at step 6. Brings b, 2.00 MiB, back from host memory because g1 "
                           "reads it at step 7."));
        QVERIFY(sentence(small, 3).endsWith(QStringLiteral(" This is the peak.")));
        QCOMPARE(sentence(small, 4),
                 QStringLiteral("Computed again because g0 reads f0 next; kept, it would have cost 1.00 MiB over 7 "
                                "steps."));
        QCOMPARE(sentence(small, 5), QStringLiteral("Computes g0: it makes an output of the step, which is held to the "
                                                    "end. Frees a and 1 more, 2.00 MiB: nothing reads them any more."));
    }

    void namesArePutInAsTheyAre()
    {
        const StoryGraph small;
        const auto line = buildTimeline(small.graph, small.costs, small.steps);
        StepNames names = namesOf(small.graph);
        names.op = [](OpId) { return std::string("%2%3"); };
        const std::string text =
            stepSentence(small.steps, stepReasons(small.graph, small.steps), *line, 0, StepWords(), names);
        QCOMPARE(text, std::string("Computes %2%3 because %2%3 reads it next, at step 1."));
    }

    void jumpsFindTheNearest()
    {
        const StoryGraph small;
        const auto line = buildTimeline(small.graph, small.costs, small.steps);
        const auto from = [&](StepGoal goal, std::int64_t at, int by) {
            return nextGoal(*line, small.steps, goal, at, by);
        };
        QCOMPARE(from(StepGoal::Recomputation, -1, 1), 4);
        QCOMPARE(from(StepGoal::Recomputation, 4, 1), -1);
        QCOMPARE(from(StepGoal::Recomputation, 5, -1), 4);
        QCOMPARE(from(StepGoal::Free, -1, 1), 1);
        QCOMPARE(from(StepGoal::Free, 1, 1), 2);
        QCOMPARE(from(StepGoal::Free, 3, 1), 5);
        QCOMPARE(from(StepGoal::Free, 1, -1), -1);
        QCOMPARE(from(StepGoal::Peak, -1, 1), std::int64_t(line->peakSample));
    }

    void thePageIsWellFormedAndFetchesNothing()
    {
        for (const bool hostile : {false, true}) {
            const std::string text = page(hostile);
            QVERIFY2(text.find("<html") != std::string::npos, text.c_str());
            QVERIFY(text.find("default-src 'none'") != std::string::npos);
            const QString whole = QString::fromStdString(text);
            for (const char *outside : {"https:", "@import", "url(", "href="})
                QVERIFY2(!whole.contains(QLatin1String(outside)), outside);
            QCOMPARE(whole.count(QStringLiteral("http:")), 1); // the name of SVG, which is no address
            QXmlStreamReader reader("<body>" + between(text, "<body>\n", "<script type") + "</body>");
            QStringList elements;
            while (!reader.atEnd())
                if (reader.readNext() == QXmlStreamReader::StartElement) elements << reader.name().toString();
            QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
            QVERIFY(!elements.contains(QStringLiteral("script")) && !elements.contains(QStringLiteral("img")));
            QCOMPARE(whole.count(QStringLiteral("<script")), 2); // data and player
            QCOMPARE(whole.count(QStringLiteral("</script")), 2);
        }
    }

    void thePageHoldsThePlan()
    {
        const StoryGraph small;
        const auto line = buildTimeline(small.graph, small.costs, small.steps);
        const auto data = QJsonDocument::fromJson(between(page(false), "id=\"data\">", "</script>")).object();
        QCOMPARE(data["op"].toArray().size(), qsizetype(line->op.size()));
        for (std::size_t i = 0; i < line->op.size(); ++i) {
            const auto at = static_cast<int>(i);
            QCOMPARE(data["total"].toArray()[at].toInteger(), line->totalBytes[i]);
            QCOMPARE(data["again"].toArray()[at].toInt(), int(line->recompute[i]));
            std::int64_t held = 0;
            for (const QJsonValue &range : data["ranges"].toArray())
                if (range[1].toInt() <= at && at <= range[2].toInt())
                    held += data["storages"][range[0].toInt()][1].toInteger();
            QCOMPARE(held, line->totalBytes[i]); // no op of this graph has workspace
        }
    }

    /// The functions that the page plays with, in a JavaScript engine, on the page's own data.
    void thePageScriptPlays()
    {
        const QTemporaryDir folder;
        const std::string text = page(false);
        const std::string script = between(text, "<script>\n", "</script>").toStdString() +
                                   "var data = " + between(text, "id=\"data\">", "</script>").toStdString() + ";\n" +
                                   R"js(
function same(what, is, should) {
  if (JSON.stringify(is) !== JSON.stringify(should)) throw new Error(what + ': ' + JSON.stringify(is));
}
same('next again', player.goalFrom(data, 'again', 0, 1), 4);
same('no other again', player.goalFrom(data, 'again', 4, 1), 4);
same('again before', player.goalFrom(data, 'again', 5, -1), 4);
same('next free', player.goalFrom(data, 'free', 1, 1), 2);
same('to the end', [player.following(data, 4, null), player.following(data, 5, null)], [5, -1]);
same('round and round', [player.following(data, 1, [1, 2]), player.following(data, 2, [1, 2])], [2, 1]);
same('into the range', player.following(data, 5, [1, 2]), 1);
same('a range from here', player.rangeWith(data, null, 0, 2), [2, 5]);
same('an end before the start', player.rangeWith(data, [3, 4], 1, 1), [1, 1]);
same('clamped', [player.clamped(data, -1), player.clamped(data, 99)], [0, 5]);
same('held at first', player.held(data, 0).length, 1);
same('largest first', data.storages[player.held(data, 1)[0][0]][1], 2097152);
same('now, held, gone', player.states(data, 1), [1, 3, 0, 0, 0]);
same('again', player.states(data, 5)[0], 2);
same('bytes', [player.bytesText(8), player.bytesText(1048576), player.bytesText(1073741824)], ['8 B', '1.00 MiB', '1.00 GiB']);
same('under the mouse', [0, 16, 29, 31].map(function (x) { return player.sampleAt({x: [10, 20, 40]}, x); }), [0, 1, 1, 2]);
print('played');
)js";
        const QString file = folder.filePath(QStringLiteral("player.js"));
        QVERIFY(writeFileAtomically(file.toStdString(), script));
        QProcess engine;
        engine.start(QStringLiteral("duk"), {file});
        QVERIFY2(engine.waitForFinished(60000), "duk is not there: apt-get install duktape");
        QCOMPARE(QString::fromUtf8(engine.readAllStandardOutput() + engine.readAllStandardError()).trimmed(),
                 QStringLiteral("played"));
    }
};

QTEST_GUILESS_MAIN(TestStepStory)
#include "tst_step_story.moc"
