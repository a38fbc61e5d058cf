// SPDX-License-Identifier: Apache-2.0
#include "core/io/graph_json.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <functional>
#include <set>

using namespace remat;

class TstFingerprint : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesDoNotCount()
    {
        Graph graph = test::chainGraph(5);
        const std::string before = graph.fingerprint;
        QCOMPARE(before.size(), std::size_t(32));
        graph.name += "another";
        for (Op &op : graph.ops) {
            op.name += "x";
            op.module += "m";
            op.source += "s";
            op.timeUs += 1;
        }
        for (Storage &storage : graph.storages)
            storage.name += "y";
        QCOMPARE(graphFingerprint(graph), before);
        QCOMPARE(finishGraph(graph).value().fingerprint, before);
    }

    void everythingElseCounts()
    {
        const Graph graph = test::chainGraph(5);
        std::set<std::string> seen{graph.fingerprint};
        const auto differs = [&](const std::function<void(Graph &)> &change) {
            Graph changed = graph;
            change(changed);
            return seen.insert(graphFingerprint(changed)).second;
        };
        QVERIFY(differs([](Graph &g) { g.storages.back().bytes += 1; }));
        QVERIFY(differs([](Graph &g) { g.storages.back().isOutput = !g.storages.back().isOutput; }));
        QVERIFY(differs([](Graph &g) { g.storages.back().kind = StorageKind::Buffer; }));
        QVERIFY(differs([](Graph &g) { g.ops[2].kind += "other"; }));
        QVERIFY(differs([](Graph &g) { g.ops[2].random = true; }));
        QVERIFY(differs([](Graph &g) { g.ops[2].computeOnce = true; }));
        QVERIFY(differs([](Graph &g) { g.ops[2].inputs.pop_back(); }));
        QVERIFY(differs([](Graph &g) { g.ops.pop_back(); }));
        QVERIFY(differs([](Graph &g) { std::swap(g.ops[1], g.ops[2]); }));
    }

    void isTheSameOnEveryMachine()
    {
        const auto graph = parseGraphJson(R"({"format": "remat-graph/1", "inputs": [{"name": "x", "bytes": 512}],
            "ops": [{"name": "f", "kind": "relu", "inputs": ["x"], "outputs": [{"name": "y", "bytes": 1024}]}], "outputs": ["y"]})",
                                          "t.json");
        QCOMPARE(graph.value().fingerprint, std::string("2941e66de0a47631174f470fc665e156"));
    }

    void randomGraphsDiffer()
    {
        std::set<std::string> seen;
        for (std::uint64_t seed = 0; seed < 500; ++seed)
            seen.insert(test::randomGraph(seed).fingerprint);
        QCOMPARE(seen.size(), std::size_t(500));
    }

    void brokenGraphsAreRefused()
    {
        const Graph graph = test::chainGraph(3);
        const auto refused = [&](const std::function<void(Graph &)> &change, const char *part) {
            Graph changed = graph;
            change(changed);
            const Expected<Graph> result = finishGraph(std::move(changed));
            if (result) return false;
            qInfo("%s", result.error().message.c_str());
            return result.error().message.find(part) != std::string::npos;
        };
        QVERIFY(refused([](Graph &g) { g.ops[1].name = g.ops[0].name; }, "Two ops"));
        QVERIFY(refused([](Graph &g) { g.storages[1].name = g.storages[0].name; }, "Two storages"));
        QVERIFY(refused([](Graph &g) { g.storages[1].bytes = -1; }, "negative"));
        QVERIFY(refused([](Graph &g) { g.storages[1].bytes = std::int64_t(1) << 62; }, "2^62"));
        QVERIFY(refused([](Graph &g) { std::swap(g.ops[0], g.ops[2]); }, "before any op"));
        QVERIFY(refused([](Graph &g) { g.ops[0].inputs = g.ops[0].outputs; }, "before any op"));
        QVERIFY(refused([](Graph &g) { g.ops[1].outputs = g.ops[0].outputs; }, "already makes"));
        QVERIFY(refused([](Graph &g) { g.ops[1].inputs.emplace_back(99); }, "not in the graph"));
        QVERIFY(refused([](Graph &g) { g.ops[1].outputs.emplace_back(-1); }, "not in the graph"));
        QVERIFY(refused([](Graph &g) { g.ops[1].inputs.push_back(g.ops[1].inputs[0]); }, "twice"));
        QVERIFY(refused([](Graph &g) { g.ops.back().outputs.clear(); }, "No op makes"));
        QVERIFY(refused([](Graph &g) { g.ops[0].forwardOp = OpId(1); }, "earlier op"));
        QVERIFY(refused([](Graph &g) { g.ops[0].workspaceBytes = -5; }, "workspace"));
        QVERIFY(refused([](Graph &g) { g.ops[0].timeUs = std::numeric_limits<double>::infinity(); }, "time"));
    }

    void readersAreListedInOrder()
    {
        const Graph graph = test::randomGraph(3);
        const auto readers = readersOf(graph);
        std::size_t reads = 0;
        for (std::size_t i = 0; i < graph.storages.size(); ++i) {
            QVERIFY(std::is_sorted(readers[i].begin(), readers[i].end()));
            reads += readers[i].size();
            for (const OpId op : readers[i]) {
                const auto &inputs = graph.op(op).inputs;
                QVERIFY(std::find(inputs.begin(), inputs.end(), StorageId(i)) != inputs.end());
            }
        }
        for (const Op &op : graph.ops)
            reads -= op.inputs.size();
        QCOMPARE(reads, std::size_t(0));
    }
};

QTEST_GUILESS_MAIN(TstFingerprint)
#include "tst_fingerprint.moc"
