// SPDX-License-Identifier: Apache-2.0
// Traces of other tracers: what their metadata says is used, what it lacks is told from the data flow and said.
#include "archive_fixture.h"

#include "core/graph/model.h"

#include <QtTest>

#include <map>
#include <string>

using namespace remat;
using test::Json;

class TestForeignTraces : public QObject
{
    Q_OBJECT

    /// The small archive without a record of ours, its nodes numbered as autograd does, or their phases named.
    static Json foreign(bool phases, bool numbers)
    {
        const std::map<std::string, int> number = {{"t", 3},      {"mm", 4},  {"mean", 5}, {"ones", 5},
                                                   {"expand", 5}, {"t_1", 4}, {"mm_1", 4}};
        Json model = test::tinyModel(false);
        for (const auto &[name, sequence] : number) {
            Json said = Json::object();
            const bool backward = name == "ones" || name == "expand" || name == "t_1" || name == "mm_1";
            if (phases) said["phase"] = backward ? "backward" : name == "mean" ? "loss" : "forward";
            if (numbers) said["seq_nr"] = sequence;
            if (!said.empty()) test::nodeOf(model, name)["metadata"]["custom"] = said.dump();
        }
        return model;
    }

private Q_SLOTS:
    void backwardOpsFindTheirForwardOp_data()
    {
        QTest::addColumn<bool>("phases");
        QTest::addColumn<bool>("numbers");
        QTest::newRow("phases and numbers") << true << true;
        QTest::newRow("numbers") << false << true;
        QTest::newRow("phases") << true << false;
        QTest::newRow("nothing") << false << false;
    }
    void backwardOpsFindTheirForwardOp()
    {
        QFETCH(bool, phases);
        QFETCH(bool, numbers);
        const test::Folder folder;
        const auto model = readModel(folder.write("t.pt2", test::zipOf(test::tinyEntries(foreign(phases, numbers)))));
        QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
        const Graph &graph = model->graph;
        std::map<std::string, const Op *> ops;
        for (const Op &op : graph.ops)
            ops[op.name] = &op;
        QCOMPARE(ops.at("mm")->phase, Phase::Forward);
        QCOMPARE(ops.at("mean")->phase, Phase::Loss);
        for (const char *name : {"ones", "mm_1"})
            QCOMPARE(ops.at(name)->phase, Phase::Backward);
        QCOMPARE(graph.op(ops.at("ones")->forwardOp).name, std::string("mean"));
        QCOMPARE(graph.op(ops.at("mm_1")->forwardOp).name, std::string("mm"));
        const std::string &lacks = lackedBy(*model);
        QVERIFY2(lacks.find("does not say which forward op each backward op belongs to") != std::string::npos,
                 lacks.c_str());
        QVERIFY2((lacks.find("that autograd gave") != std::string::npos) == numbers, lacks.c_str());
        QVERIFY2((lacks.find("which op reads what") != std::string::npos) != numbers, lacks.c_str());
    }

    void ourOwnTracesLackNothing()
    {
        const test::Folder folder;
        const auto model = readModel(folder.write("t.pt2", test::zipOf(test::tinyEntries())));
        QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
        QVERIFY(lackedBy(*model).empty());
    }
};

QTEST_GUILESS_MAIN(TestForeignTraces)
#include "tst_foreign_traces.moc"
