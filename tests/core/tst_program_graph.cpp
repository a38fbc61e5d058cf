// SPDX-License-Identifier: Apache-2.0
#include "archive_fixture.h"

#include "core/graph/program_graph.h"
#include "core/io/pt2_reader.h"
#include "tests/support/graphs.h"
#include "tests/support/text_rows.h"

#include <set>

using namespace remat;
using test::Json;

namespace {

Model modelOf(const Json &json)
{
    const test::Folder folder;
    Expected<Model> model = readModel(folder.write("t.pt2", test::zipOf(test::tinyEntries(json))));
    if (!model) qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

const Op &opNamed(const Graph &graph, const std::string &name)
{
    for (const Op &op : graph.ops) {
        if (op.name == name) return op;
    }
    qFatal("no op %s", name.c_str());
}

const Storage *find(const Graph &graph, const std::string &name)
{
    for (const Storage &storage : graph.storages) {
        if (storage.name == name) return &storage;
    }
    return nullptr;
}

std::set<std::string> names(const Graph &graph, const std::vector<StorageId> &ids)
{
    std::set<std::string> result;
    for (const StorageId id : ids)
        result.insert(graph.storage(id).name);
    return result;
}

} // namespace

class TstProgramGraph : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void viewsAreNoOps()
    {
        const Model model = modelOf(test::tinyModel());
        const Graph &graph = model.graph;
        std::vector<std::string> ops;
        for (const Op &op : graph.ops)
            ops.push_back(op.name);
        QCOMPARE(ops, (std::vector<std::string>{"mm", "mean", "ones", "mm_1"}));
        QCOMPARE(names(graph, opNamed(graph, "mm").inputs), (std::set<std::string>{"x", "p_w"}));
        QCOMPARE(names(graph, opNamed(graph, "mm_1").inputs), (std::set<std::string>{"ones", "x"}));
        QVERIFY(!find(graph, "t") && !find(graph, "expand") && !find(graph, "t_1"));
        for (const Node &node : model.program->nodes) {
            QCOMPARE(bool(node.op), node.name.substr(0, 1) != "t" && node.name != "expand");
            if (node.op) QCOMPARE(graph.op(node.op).name, node.name);
        }
        for (const Value &value : model.program->values)
            QVERIFY(value.storage);
    }

    void storagesHaveKindsAndSizes()
    {
        const Model model = modelOf(test::tinyModel());
        const Graph &graph = model.graph;
        QCOMPARE(find(graph, "p_w")->kind, StorageKind::Parameter);
        QCOMPARE(find(graph, "p_w")->bytes, std::int64_t(240128)); // 300 * 200 * 4, rounded up to 512
        QCOMPARE(find(graph, "x")->kind, StorageKind::Input);
        QCOMPARE(find(graph, "mm")->kind, StorageKind::Activation);
        QCOMPARE(find(graph, "mm")->bytes, std::int64_t(5120));
        QCOMPARE(find(graph, "mm")->type, std::string("f32[4,300]"));
        QCOMPARE(find(graph, "mean")->bytes, std::int64_t(512));
        QVERIFY(find(graph, "mean")->isOutput);
        QCOMPARE(find(graph, "ones")->kind, StorageKind::Gradient);
        QCOMPARE(find(graph, "mm_1")->kind, StorageKind::ParameterGradient);
        QVERIFY(find(graph, "mm_1")->isOutput);
        QCOMPARE(opNamed(graph, "mm").kind, std::string("mm"));
        QCOMPARE(opNamed(graph, "mm").module, std::string("fc"));
    }

    void aTwinThatIsAViewIsStoodForByAnOp()
    {
        // mm_1 belongs to t, a view of a parameter: the op that reads the view stands for it.
        const Graph graph = modelOf(test::tinyModel()).graph;
        QCOMPARE(graph.op(opNamed(graph, "mm_1").forwardOp).name, std::string("mm"));
        QCOMPARE(graph.op(opNamed(graph, "ones").forwardOp).name, std::string("mean"));

        // A view of an activation: the op that made the activation does.
        Json json = test::tinyModel();
        auto &nodes = json["graph_module"]["graph"]["nodes"];
        json["graph_module"]["graph"]["tensor_values"]["v"] = test::tensorMeta({4, 300});
        nodes.insert(nodes.begin() + 2,
                     test::tensorNode("view.default", {"mm"}, "v", {{"phase", "forward"}, {"alias", {{"v", "mm"}}}}));
        test::nodeOf(json, "mm_1")["metadata"]["custom"] = R"({"remat": {"phase": "backward", "forward_op": "v"}})";
        const Graph other = modelOf(json).graph;
        QCOMPARE(other.op(opNamed(other, "mm_1").forwardOp).name, std::string("mm"));
    }

    void anUnknownTwinIsRefused()
    {
        const test::Folder folder;
        Json json = test::tinyModel();
        test::nodeOf(json, "mm_1")["metadata"]["custom"] = R"({"remat": {"phase": "backward", "forward_op": "zzz"}})";
        const auto model = readModel(folder.write("t.pt2", test::zipOf(test::tinyEntries(json))));
        QVERIFY(!model);
        QVERIFY(model.error().message.find("zzz") != std::string::npos);
    }

    void outputsMayBeViewsAndInputs()
    {
        Json json = test::tinyModel();
        Json &outputs = json["graph_module"]["signature"]["output_specs"];
        outputs[1]["gradient_to_parameter"]["arg"]["name"] = "expand";
        outputs.push_back({{"user_output", {{"arg", test::tensorArgument("t")}}}});
        outputs.push_back({{"user_output", {{"arg", test::tensorArgument("mm_1")}}}});
        outputs.push_back({{"buffer_mutation", {{"arg", {{"name", "mm"}}}, {"buffer_name", "b"}}}});
        const Graph graph = modelOf(json).graph;
        QVERIFY(find(graph, "ones")->isOutput);
        QCOMPARE(find(graph, "ones")->kind, StorageKind::ParameterGradient);
        QVERIFY(find(graph, "p_w")->isOutput);
        QCOMPARE(find(graph, "p_w")->kind, StorageKind::Parameter);
        QVERIFY(find(graph, "mm_1")->isOutput);
        QCOMPARE(find(graph, "mm_1")->kind, StorageKind::Gradient);
        QVERIFY(find(graph, "mm")->isOutput);
        QCOMPARE(find(graph, "mm")->kind, StorageKind::Activation);
    }

    void flagsOfOps()
    {
        Json json = test::tinyModel();
        test::nodeOf(json, "mm")["metadata"]["custom"] = R"({"remat": {"phase": "forward", "random": true}})";
        auto &graph = json["graph_module"]["graph"];
        graph["tensor_values"]["w2"] = test::tensorMeta({4, 300});
        graph["tensor_values"]["r"] = test::tensorMeta({4, 300});
        Json write = test::tensorNode("relu_.default", {"mm"}, "w2", {{"phase", "forward"}, {"mutates", {"mm"}}});
        Json reduce = test::tensorNode("x.default", {"w2"}, "r", {{"phase", "forward"}});
        reduce["target"] = "torch.ops._c10d_functional.all_reduce.default";
        graph["nodes"].insert(graph["nodes"].begin() + 2, {write, reduce});
        const Model model = modelOf(json);
        QVERIFY(opNamed(model.graph, "mm").random);
        QVERIFY(!opNamed(model.graph, "mm").computeOnce);
        const Op &mutating = opNamed(model.graph, "w2");
        QVERIFY(mutating.computeOnce);
        QVERIFY(mutating.outputs.empty()); // it returns what it wrote to
        QVERIFY(opNamed(model.graph, "r").computeOnce);
        QCOMPARE(opNamed(model.graph, "r").kind, std::string("_c10d_functional::all_reduce"));
        QCOMPARE(names(model.graph, opNamed(model.graph, "r").inputs), (std::set<std::string>{"mm"}));
    }

    void extents()
    {
        Value value;
        value.sizes = {3, 5};
        value.strides = {5, 1};
        QCOMPARE(elementCount(value), std::int64_t(15));
        QCOMPARE(extentBytes(value), std::int64_t(60));
        value.strides = {0, 1}; // expanded
        QCOMPARE(elementCount(value), std::int64_t(15));
        QCOMPARE(extentBytes(value), std::int64_t(20));
        value.strides = {1, 7}; // with holes
        QCOMPARE(extentBytes(value), std::int64_t(4 * (2 + 28 + 1)));
        value.sizes = {3, 0};
        QCOMPARE(elementCount(value), std::int64_t(0));
        QCOMPARE(extentBytes(value), std::int64_t(0));
        value.sizes = {};
        value.strides = {};
        value.dtype = DType::BFloat16;
        QCOMPARE(elementCount(value), std::int64_t(1));
        QCOMPARE(extentBytes(value), std::int64_t(2));
        value.sizes = {std::int64_t(1) << 40, std::int64_t(1) << 40};
        value.strides = {std::int64_t(1) << 40, 1};
        QCOMPARE(elementCount(value), std::numeric_limits<std::int64_t>::max());
        QCOMPARE(extentBytes(value), std::numeric_limits<std::int64_t>::max());
    }

    void typeNames()
    {
        QCOMPARE(std::string(shortName(DType::BFloat16)), std::string("bf16"));
        QCOMPARE(std::string(longName(DType::Float8e5m2fnuz)), std::string("float8_e5m2fnuz"));
        QCOMPARE(itemSize(DType::ComplexDouble), std::int64_t(16));
        QCOMPARE(itemSize(DType::UInt16), std::int64_t(2));
    }

    void viewOperators()
    {
        for (const char *view :
             {"aten::view", "aten::t", "aten::transpose", "aten::permute", "aten::expand", "aten::_unsafe_view",
              "aten::detach", "aten::split", "aten::split_with_sizes", "aten::unbind", "aten::select", "aten::slice",
              "aten::squeeze", "aten::unsqueeze", "aten::alias", "aten::as_strided", "aten::diagonal", "aten::unfold"})
            QVERIFY2(isViewOperator(view), view);
        for (const char *other : {"aten::clone", "aten::add", "aten::_to_copy", "aten::view_copy", "view",
                                  "aten::", "mine::view", "aten::slice_backward", "aten::reshape", ""})
            QVERIFY2(!isViewOperator(other), other);
    }

    void randomOperators()
    {
        QVERIFY(isRandomOperator("aten::native_dropout"));
        QVERIFY(isRandomOperator("aten::rand_like"));
        QVERIFY(isRandomOperator("aten::uniform_"));
        QVERIFY(!isRandomOperator("aten::native_dropout_backward"));
        QVERIFY(!isRandomOperator("native_dropout"));
    }

    void samplesAgreeWithThemselves_data() { test::textRows("name", test::kTinySamples); }
    /// What the tracer says about views and random numbers is what the tables say.
    void samplesAgreeWithThemselves()
    {
        const auto model = test::loadSample(QTest::currentDataTag());
        if (!model) QFAIL(model.error().message.c_str());
        for (const Node &node : model->program->nodes) {
            for (const ValueId output : node.outputs) {
                if (!output) continue;
                QVERIFY2(bool(model->program->value(output).aliasOf) == isViewOperator(node.opName), node.name.c_str());
            }
            QVERIFY2(node.random == isRandomOperator(node.opName), node.name.c_str());
        }
        QCOMPARE(model->graph.fingerprint, graphFingerprint(model->graph));
    }
};

QTEST_GUILESS_MAIN(TstProgramGraph)
#include "tst_program_graph.moc"
