// SPDX-License-Identifier: Apache-2.0
// Backward ops find their forward op without a tracer's record: by autograd's numbers, else by data flow.
#include "core/graph/model.h"
#include "core/graph/pairing.h"

#include <QtTest>

#include <map>

using namespace remat;

class TestPairing : public QObject
{
    Q_OBJECT

    /// Share of the backward ops that are told as the tracer's record tells them.
    static double share(const Graph &told, const Graph &known)
    {
        double same = 0, all = 0;
        for (std::size_t i = 0; i < known.ops.size(); ++i) {
            if (!known.ops[i].forwardOp) continue;
            ++all;
            same += told.ops[i].forwardOp == known.ops[i].forwardOp ? 1 : 0;
        }
        return same / all;
    }

    /// Share of the backward ops that are told to be of the right module.
    static double moduleShare(const Graph &told, const Graph &known)
    {
        double same = 0, all = 0;
        for (std::size_t i = 0; i < known.ops.size(); ++i) {
            if (known.ops[i].phase != Phase::Backward || !known.ops[i].forwardOp) continue;
            ++all;
            same += told.ops[i].module == known.op(known.ops[i].forwardOp).module ? 1 : 0;
        }
        return same / all;
    }

    /// The graph as another tracer would have it.
    static Graph without(Graph graph, bool sequences)
    {
        for (Op &op : graph.ops) {
            op.forwardOp = OpId();
            if (sequences) op.sequence = -1;
            if (op.phase == Phase::Backward) op.module = op.moduleClass = "";
        }
        return graph;
    }

    static std::vector<GradientOf> gradientsOf(const Program &program)
    {
        std::map<std::string, StorageId> parameters;
        for (const ProgramInput &input : program.inputs)
            parameters[input.fqn] = program.value(input.value).storage;
        std::vector<GradientOf> found;
        for (const ProgramOutput &output : program.outputs)
            if (output.kind == OutputKind::ParameterGradient)
                found.emplace_back(program.value(output.value).storage, parameters.at(output.target));
        return found;
    }

private Q_SLOTS:
    void samples_data()
    {
        QTest::addColumn<double>("byFlow");
        QTest::addColumn<double>("modulesByFlow");
        QTest::addColumn<double>("byNumber");
        QTest::newRow("tiny_gpt2") << 0.74 << 0.89 << 0.90;
        QTest::newRow("tiny_resnet") << 0.98 << 0.98 << 0.91;
        QTest::newRow("tiny_transformer") << 0.73 << 0.76 << 0.80;
        QTest::newRow("tiny_unet") << 0.99 << 0.99 << 0.99;
        QTest::newRow("gpt2") << 0.73 << 0.90 << 0.90;
        QTest::newRow("resnet50") << 0.99 << 0.99 << 0.91;
        QTest::newRow("transformer") << 0.74 << 0.76 << 0.79;
        QTest::newRow("unet") << 0.99 << 0.99 << 0.99;
    }
    void samples()
    {
        QFETCH(double, byFlow);
        QFETCH(double, modulesByFlow);
        QFETCH(double, byNumber);
        const auto model = readModel(std::string(REMAT_SAMPLES "/") + QTest::currentDataTag() + ".pt2");
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        const Graph &known = model->graph;
        const std::vector<GradientOf> gradients = gradientsOf(*model->program);
        Graph told = without(known, true);
        pairByFlow(told, gradients);
        const double flow = share(told, known), modules = moduleShare(told, known);
        Graph numbered = without(known, false);
        pairByFlow(numbered, gradients);
        const double bySequence = share(numbered, known);
        qInfo("by flow %.3f, modules %.3f, by number %.3f", flow, modules, bySequence);
        QVERIFY(flow >= byFlow && modules >= modulesByFlow && bySequence >= byNumber);
        for (const Op &op : told.ops)
            QVERIFY(op.phase != Phase::Backward || (op.forwardOp && !told.op(op.forwardOp).module.empty()) ||
                    told.op(op.forwardOp).phase != Phase::Backward);
    }

    void namesAndParametersDecide()
    {
        // f and g read x and their own weight; which backward op is whose is said by weight, kind and gradient.
        Graph graph;
        const auto storage = [&](const char *name, StorageKind kind) {
            Storage made;
            made.name = name;
            made.bytes = 4;
            made.kind = kind;
            graph.storages.push_back(made);
            return StorageId(graph.storages.size() - 1);
        };
        const StorageId x = storage("x", StorageKind::Input), w = storage("w", StorageKind::Parameter),
                        v = storage("v", StorageKind::Parameter), a = storage("a", StorageKind::Activation),
                        b = storage("b", StorageKind::Activation), l = storage("l", StorageKind::Activation),
                        gb = storage("gb", StorageKind::Gradient), ga = storage("ga", StorageKind::Gradient),
                        gw = storage("gw", StorageKind::ParameterGradient),
                        gv = storage("gv", StorageKind::ParameterGradient), sum = storage("sum", StorageKind::Gradient);
        const auto op = [&](const char *name, const char *kind, std::vector<StorageId> in, StorageId out, Phase phase) {
            Op made;
            made.name = name;
            made.kind = kind;
            made.inputs = std::move(in);
            made.outputs = {out};
            made.phase = phase;
            graph.ops.push_back(made);
        };
        op("f", "mm", {x, w}, a, Phase::Forward);
        op("g", "mm", {x, v}, b, Phase::Forward);
        op("loss", "mse_loss", {a, b}, l, Phase::Loss);
        op("dl", "mse_loss_backward", {a, b}, gb, Phase::Backward);
        op("da", "mm", {gb, v}, ga, Phase::Backward);
        op("dw", "mm", {x, gb}, gw, Phase::Backward);
        op("dv", "mm", {x, gb}, gv, Phase::Backward);
        op("accumulate", "add", {ga, gb}, sum, Phase::Backward);
        auto finished = finishGraph(std::move(graph));
        QVERIFY2(finished, finished ? "" : finished.error().message.c_str());
        pairByFlow(*finished, {{gw, w}, {gv, v}});
        const auto twin = [&](int i) { return finished->op(finished->ops[std::size_t(i)].forwardOp).name; };
        QCOMPARE(twin(3), std::string("loss"));
        QCOMPARE(twin(4), std::string("g"));
        QCOMPARE(twin(5), std::string("f"));
        QCOMPARE(twin(6), std::string("g"));
        QCOMPARE(twin(7), std::string("g"));
    }
};

QTEST_APPLESS_MAIN(TestPairing)
#include "tst_pairing.moc"
