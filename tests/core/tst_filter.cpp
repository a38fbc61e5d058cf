// SPDX-License-Identifier: Apache-2.0
// The language of filters, and what they find in a model.
#include "core/base/text.h"
#include "core/views/find_ops.h"
#include "tests/support/costed_models.h"

#include <QtTest>

using namespace remat;

class TestFilter : public QObject
{
    Q_OBJECT

    std::shared_ptr<const CostedModel> m_model;

    /// What is found by looking at each op by itself.
    template <class Test>
    std::vector<OpId> opsWith(Test test) const
    {
        std::vector<OpId> ops;
        for (std::size_t i = 0; i < m_model->graph().ops.size(); ++i)
            if (test(m_model->graph().ops[i], OpId(i))) ops.emplace_back(i);
        return ops;
    }

    std::int64_t made(const Op &op) const
    {
        std::int64_t bytes = 0;
        for (const StorageId output : op.outputs)
            bytes += m_model->graph().storage(output).bytes;
        return bytes;
    }

private Q_SLOTS:
    void initTestCase()
    {
        const auto model = test::costedSample("tiny_gpt2");
        QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
        m_model = *model;
    }

    void filtersAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("field");
        QTest::addColumn<QString>("value");
        QTest::addColumn<int>("comparison");
        QTest::addColumn<double>("number");
        QTest::addColumn<bool>("negated");
        const auto row = [](const char *text, FilterField field, const char *value, Comparison comparison,
                            double number, bool negated) {
            QTest::newRow(text) << QString::fromUtf8(text) << int(field) << QString::fromUtf8(value) << int(comparison)
                                << number << negated;
        };
        row("kind:addmm", FilterField::Kind, "addmm", Comparison::Equal, 0, false);
        row("KIND:AddMM", FilterField::Kind, "addmm", Comparison::Equal, 0, false);
        row("-module:h.11", FilterField::Module, "h.11", Comparison::Equal, 0, true);
        row("source:\"a b.py\"", FilterField::Source, "a b.py", Comparison::Equal, 0, false);
        row("size>10MiB", FilterField::Size, "", Comparison::More, 10.0 * 1024 * 1024, false);
        row("size<=512", FilterField::Size, "", Comparison::AtMost, 512, false);
        row("time>=1ms", FilterField::Time, "", Comparison::AtLeast, 1000, false);
        row("time<21µs", FilterField::Time, "", Comparison::Less, 21, false);
        row("times=2", FilterField::Times, "", Comparison::Equal, 2, false);
        row("phase:backward", FilterField::Phase, "backward", Comparison::Equal, 0, false);
        row("-recomputed", FilterField::Recomputed, "", Comparison::Equal, 0, true);
    }

    void filtersAreRead()
    {
        QFETCH(QString, text);
        QFETCH(int, field);
        QFETCH(QString, value);
        QFETCH(int, comparison);
        QFETCH(double, number);
        QFETCH(bool, negated);
        const auto filter = parseFilter((text + QStringLiteral(" word")).toStdString());
        QVERIFY2(filter.has_value(), filter ? "" : filter.error().message.c_str());
        QCOMPARE(filter->words, std::vector<std::string>{"word"});
        QCOMPARE(filter->terms.size(), std::size_t(1));
        const FilterTerm &term = filter->terms.front();
        QCOMPARE(int(term.field), field);
        QCOMPARE(QString::fromStdString(term.text), value);
        QCOMPARE(int(term.comparison), comparison);
        QCOMPARE(term.number, number);
        QCOMPARE(term.negated, negated);
    }

    void wrongFiltersAreExplained_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("named");
        const auto row = [](const char *text, const char *named) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(named);
        };
        row("colour:red", "colour");
        row("size>", "size>10MiB");
        row("size>large", "large");
        row("size>50%", "50%");
        row("size><3", "><");
        row("time>3", "time>1ms");
        row("time>-3ms", "-3ms");
        row("times>many", "many");
        row("kind>addmm", "kind:addmm");
        row("phase:sideways", "sideways");
        row("recomputed:yes", "recomputed");
        row("-addmm", "-kind:addmm");
    }

    void wrongFiltersAreExplained()
    {
        QFETCH(QString, text);
        QFETCH(QString, named);
        const auto filter = parseFilter(text.toStdString());
        QVERIFY(!filter.has_value());
        const QString sentence = QString::fromStdString(filter.error().message);
        QVERIFY2(sentence.contains(named), qPrintable(sentence));
        QVERIFY2(sentence.endsWith(QLatin1Char('.')), qPrintable(sentence));
    }

    void pathsAreComparedByParts()
    {
        const std::string path = "transformer.h.11.attn.c_proj";
        for (const char *inside : {"h.11", "transformer", "h.11.attn", "attn.c_", "transformer.h.11.attn.c_proj", "h"})
            QVERIFY2(pathHolds(path, inside), inside);
        for (const char *outside : {"h.1", "1", "former", "tn", "h.11.c_proj", "11.at.c"})
            QVERIFY2(!pathHolds(path, outside), outside);
    }

    void findsWhatTheFilterSays()
    {
        const Graph &graph = m_model->graph();
        const auto plan = test::recomputingPlan(*m_model, 1, [](const Op &op) { return op.kind == "tanh"; });
        const MemoryTimeline &timeline = *plan->timeline;
        const std::vector<OpFacts> facts = opFacts(graph);
        const OpFates fates = opFates(graph, timeline);
        Pins pins;
        const auto find = [&](const char *text) {
            return findOps(parseFilter(text).value(), {graph, *m_model->costs, facts, &fates, pins});
        };
        std::vector<int> times(graph.ops.size(), 0);
        for (const OpId op : timeline.op)
            ++times[op.index()];

        QCOMPARE(find("kind:tanh"),
                 opsWith([](const Op &op, OpId) { return op.kind.find("tanh") != std::string::npos; }));
        QVERIFY(!find("kind:tanh").empty());
        QCOMPARE(find("phase:loss"), opsWith([](const Op &op, OpId) { return op.phase == Phase::Loss; }));
        QCOMPARE(find("recomputed"), opsWith([&](const Op &, OpId id) { return times[id.index()] > 1; }));
        QVERIFY(!find("recomputed").empty());
        QCOMPARE(find("times=1"), opsWith([&](const Op &, OpId id) { return times[id.index()] == 1; }));
        QCOMPARE(find("size>4KiB -phase:backward"),
                 opsWith([&](const Op &op, OpId) { return made(op) > 4096 && op.phase != Phase::Backward; }));
        QCOMPARE(find("time>4us"), opsWith([&](const Op &, OpId id) { return m_model->costs->time(id) > 4; }));
        QCOMPARE(find("module:h.1"),
                 opsWith([](const Op &op, OpId) { return (op.module + ".").find(".h.1.") != std::string::npos; }));
        QVERIFY(find("kept").size() > find("kept kind:tanh").size());
        QVERIFY(find("dtype:f32").size() > 10);
        QVERIFY(find("no such op").empty());
        QCOMPARE(find("-kind:tanh").size() + find("kind:tanh").size(), graph.ops.size());
        QVERIFY(find("pinned").empty());
        pins.recompute = {OpId(3)};
        QCOMPARE(find("pinned"), std::vector<OpId>{OpId(3)});
    }

    void wordsAreOfTheReader()
    {
        const Words words = [](const char *, const char *text) { return "<" + std::string(text) + ">"; };
        QCOMPARE(filterWords(words).front().meaning, std::string("<what the op does>"));
        QCOMPARE(parseFilter("size>", words).error().message,
                 std::string("<size has no value yet. Write it as in size>10MiB.>"));
        for (const FilterWord &word : filterWords())
            QVERIFY2(parseFilter(word.example).has_value(), std::string(word.example).c_str());
    }

    void lettersOfAnyAlphabetFold()
    {
        QCOMPARE(lowerCase("AbC ÄÖÜ Σ Ж 中 \xff\xc3"), std::string("abc äöü σ ж 中 \xff\xc3"));
        QCOMPARE(parseFilter("Größe\u00a0kind:ÄB")->words, std::vector<std::string>{"größe"});
        QCOMPARE(parseFilter("Größe\u202fkind:ÄB")->terms.front().text, std::string("äb"));
    }
};

QTEST_GUILESS_MAIN(TestFilter)
#include "tst_filter.moc"
