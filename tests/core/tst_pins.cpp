// SPDX-License-Identifier: Apache-2.0
#include "core/plan/pin_names.h"
#include "tests/support/graphs.h"

#include <QtTest>

using namespace remat;

namespace {

std::string sentenceOf(const Expected<Pins> &pins)
{
    return pins ? std::string() : pins.error().message;
}

} // namespace

/// Decisions made by hand: what they may be about, and what they do to each other.
class TestPins : public QObject
{
    Q_OBJECT

private:
    test::GraphBuilder m_builder;
    Graph m_graph;
    OpId m_first, m_second, m_loss, m_back;

private Q_SLOTS:
    void initTestCase()
    {
        const StorageId x = m_builder.resident(8, StorageKind::Input, "x");
        m_first = m_builder.op({x}, {{4, StorageKind::Activation, false, "a"}});
        m_second = m_builder.op({m_builder.output(m_first)}, {{4, StorageKind::Activation, false, "b"},
                                                              {2, StorageKind::Activation, false, "mask"}});
        m_loss =
            m_builder.op({m_builder.output(m_second)}, {{1, StorageKind::Activation, true, "loss"}}, 1, Phase::Loss);
        m_back = m_builder.op({m_builder.output(m_second), m_builder.output(m_second, 1)},
                              {{4, StorageKind::Gradient, true, "g"}}, 1, Phase::Backward);
        m_builder.edit(m_first).name = "linear";
        m_builder.edit(m_second).name = "dropout";
        m_builder.edit(m_loss).name = "cross";
        m_builder.edit(m_back).name = "linear_backward";
        m_builder.edit(m_first).module = m_builder.edit(m_second).module = "net.h.1";
        m_builder.edit(m_back).module = "net.h.1";
        m_builder.edit(m_loss).module = "net.h.10";
        m_graph = m_builder.finish();
    }

    void aNewDecisionEndsTheOldOnes()
    {
        Pins pins = decide(m_graph, {}, Decision::Keep, {m_second});
        QCOMPARE(pins.keep, m_graph.op(m_second).outputs);
        pins = decide(m_graph, pins, Decision::Never, {m_second});
        QCOMPARE(pins.keep.size(), std::size_t(2)); // kept and never recomputed do not contradict each other
        QCOMPARE(pins.never, std::vector<OpId>{m_second});
        pins = decide(m_graph, pins, Decision::Recompute, {m_second});
        QVERIFY(pins.keep.empty() && pins.never.empty());
        QCOMPARE(pins.recompute, std::vector<OpId>{m_second});
        pins = decide(m_graph, pins, Decision::Keep, {}, {m_builder.output(m_second, 1)});
        QVERIFY(pins.recompute.empty());
        QCOMPARE(pins.keep, std::vector<StorageId>{m_builder.output(m_second, 1)});
        QVERIFY(decide(m_graph, pins, Decision::Clear, {m_second}).empty());
    }

    void whatCannotBeRecomputedIsPassedOver()
    {
        const Pins pins = decide(m_graph, {}, Decision::Recompute, {m_first, m_second, m_loss, m_back});
        QCOMPARE(pins.recompute, (std::vector<OpId>{m_first, m_second}));
        QVERIFY(whyNotRecompute(m_graph, m_loss).find("held to the end") != std::string::npos);
        QVERIFY(whyNotRecompute(m_graph, m_back).find("backward pass") != std::string::npos);
        QVERIFY(decide(m_graph, {}, Decision::Keep, {}, {StorageId(0)}).empty()); // resident
    }

    void names()
    {
        const auto storage = pinsByName(m_graph, {{"mask"}, {}, {}});
        QVERIFY2(storage, sentenceOf(storage).c_str());
        QCOMPARE(storage->keep, std::vector<StorageId>{m_builder.output(m_second, 1)});
        const auto module = pinsByName(m_graph, {{}, {"net.h.1"}, {}});
        QVERIFY2(module, sentenceOf(module).c_str());
        QCOMPARE(module->recompute, (std::vector<OpId>{m_first, m_second})); // net.h.10 is another module
        const auto kept = pinsByName(m_graph, {{"net.h.1"}, {}, {"net"}});
        QVERIFY2(kept, sentenceOf(kept).c_str());
        QCOMPARE(kept->keep.size(), std::size_t(3));
        QCOMPARE(kept->never.size(), std::size_t(4));
    }

    void sentences_data()
    {
        QTest::addColumn<QString>("keep");
        QTest::addColumn<QString>("recompute");
        QTest::addColumn<QString>("never");
        QTest::addColumn<QString>("says");
        QTest::newRow("nearest") << "linaer"
                                 << ""
                                 << ""
                                 << "Did you mean \"linear\"?";
        QTest::newRow("resident") << "x"
                                  << ""
                                  << ""
                                  << "x is resident";
        QTest::newRow("output") << ""
                                << "cross"
                                << ""
                                << "held to the end";
        QTest::newRow("backward") << ""
                                  << "g"
                                  << ""
                                  << "belongs to the backward pass";
        QTest::newRow("module") << ""
                                << "net.h.10"
                                << ""
                                << "Nothing in net.h.10 can be computed again";
        QTest::newRow("both") << ""
                              << "linear"
                              << "linear"
                              << "Take one of the two decisions back";
        QTest::newRow("keep and recompute") << "a"
                                            << "linear"
                                            << ""
                                            << "a is to be kept";
    }
    void sentences()
    {
        const auto list = [](const QString &name) {
            return name.isEmpty() ? std::vector<std::string>() : std::vector<std::string>{name.toStdString()};
        };
        QFETCH(QString, keep);
        QFETCH(QString, recompute);
        QFETCH(QString, never);
        QFETCH(QString, says);
        const auto pins = pinsByName(m_graph, {list(keep), list(recompute), list(never)});
        QVERIFY(!pins);
        QVERIFY2(sentenceOf(pins).find(says.toStdString()) != std::string::npos, sentenceOf(pins).c_str());
    }
};

QTEST_GUILESS_MAIN(TestPins)
#include "tst_pins.moc"
