// SPDX-License-Identifier: Apache-2.0
#include "archive_fixture.h"

#include "core/graph/python_stack.h"
#include "core/io/archive_data.h"
#include "core/io/pt2_parts.h"
#include "core/io/pt2_reader.h"
#include "core/io/pt2_stacks.h"
#include "core/views/python_calls.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <limits>

using namespace remat;
using test::Json;

namespace {

Expected<Program> readTiny(const test::Folder &folder, const Json &model)
{
    return readPt2(folder.write("t.pt2", test::zipOf(test::tinyEntries(model))));
}

/// The argument as a node of the tiny archive carries it; the failure when it is refused.
Expected<Argument> readAs(const Json &argument)
{
    const test::Folder folder;
    Json model = test::tinyModel();
    test::nodeOf(model, "mean")["inputs"].push_back({{"name", "extra"}, {"arg", argument}, {"kind", 2}});
    const Expected<Program> program = readTiny(folder, model);
    if (!program) return tl::unexpected(program.error());
    const NamedArgument &read = program->nodes[2].arguments.back();
    if (read.name != "extra" || !read.keyword) return fail("the argument got lost");
    return read.value;
}

template <class T>
T valueOf(const Json &argument)
{
    const Expected<Argument> read = readAs(argument);
    if (!read) qWarning("%s", read.error().message.c_str());
    const T *value = read ? std::get_if<T>(&*read) : nullptr;
    if (!value) qWarning("another kind of argument");
    return value ? *value : T();
}

} // namespace

class TstPt2Reader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsNodes()
    {
        const test::Folder folder;
        const auto program = readTiny(folder, test::tinyModel());
        QVERIFY2(program.has_value(), program ? "" : program.error().message.c_str());
        QCOMPARE(program->name, std::string("Tiny"));
        QCOMPARE(program->torchVersion, std::string("2.11.0"));
        QCOMPARE(program->traceDevice, std::string("cpu"));
        QCOMPARE(program->nodes.size(), std::size_t(7));
        const Node &mm = program->nodes[1];
        QCOMPARE(mm.name, std::string("mm"));
        QCOMPARE(mm.opName, std::string("aten::mm"));
        QVERIFY(mm.overload.empty());
        QCOMPARE(mm.phase, Phase::Forward);
        QCOMPARE(mm.module, std::string("fc"));
        QCOMPARE(mm.moduleClass, std::string("Linear"));
        QCOMPARE(mm.sequence, std::int64_t(7));
        QCOMPARE(mm.source, std::string("model.py:41  x = self.fc(x)"));
        QCOMPARE(program->value(std::get<ValueId>(mm.arguments[1].value)).name, std::string("t"));
        QCOMPARE(program->nodes[2].phase, Phase::Loss);
        QCOMPARE(program->nodes[6].phase, Phase::Backward);
        QCOMPARE(program->nodes[6].forwardNode, std::string("t"));
        const Value &t = program->value(program->nodes[0].outputs[0]);
        QCOMPARE(program->value(t.aliasOf).name, std::string("p_w"));
        QCOMPARE(t.sizes, (std::vector<std::int64_t>{200, 300}));
    }

    void readsInputsAndOutputs()
    {
        const test::Folder folder;
        const auto program = readTiny(folder, test::tinyModel());
        QVERIFY(program.has_value());
        QCOMPARE(program->inputs.size(), std::size_t(3));
        const ProgramInput &weight = program->inputs[0];
        QCOMPARE(weight.kind, StorageKind::Parameter);
        QCOMPARE(weight.fqn, std::string("fc.weight"));
        QCOMPARE(weight.archivePath, std::string("data/weights/weight_0"));
        QCOMPARE(weight.recipe.mean, 0.5);
        QCOMPARE(weight.recipe.std, 0.25);
        QCOMPARE(weight.recipe.min.value(), -1.0);
        QCOMPARE(weight.recipe.max.value(), 2.0);
        QCOMPARE(program->inputs[1].fqn, std::string("image"));
        QVERIFY(!program->inputs[1].recipe.integerRange);
        QVERIFY((program->inputs[2].recipe.integerRange.value() == std::pair<std::int64_t, std::int64_t>(0, 10)));
        QCOMPARE(program->outputs.size(), std::size_t(2));
        QCOMPARE(program->outputs[0].kind, OutputKind::Loss);
        QCOMPARE(program->outputs[1].kind, OutputKind::ParameterGradient);
        QCOMPARE(program->outputs[1].target, std::string("fc.weight"));
    }

    void dataThatDoesNotFitIsNotOffered()
    {
        const test::Folder folder;
        test::Entries entries = test::tinyEntries();
        entries[0].second.clear();
        auto program = readPt2(folder.write("t.pt2", test::zipOf(entries)));
        QVERIFY(program.has_value());
        QVERIFY(program->inputs[0].archivePath.empty());
        entries[0].second = "half";
        program = readPt2(folder.write("t.pt2", test::zipOf(entries)));
        QVERIFY(!program);
        qInfo("%s", program.error().message.c_str());
    }

    void readsEveryKindOfArgument()
    {
        QVERIFY(std::holds_alternative<NoneArg>(readAs({{"as_none", true}}).value()));
        QCOMPARE(valueOf<std::int64_t>({{"as_int", -3}}), std::int64_t(-3));
        QCOMPARE(valueOf<std::int64_t>({{"as_int", 9223372036854775807}}), std::numeric_limits<std::int64_t>::max());
        QCOMPARE(valueOf<std::vector<std::int64_t>>({{"as_ints", {1, 2}}}), (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(valueOf<double>({{"as_float", 0.1}}), 0.1);
        QCOMPARE(valueOf<double>({{"as_float", "-Infinity"}}), -std::numeric_limits<double>::infinity());
        QVERIFY(std::isnan(valueOf<double>({{"as_float", "NaN"}})));
        QCOMPARE(valueOf<std::vector<double>>({{"as_floats", {1.0, "Infinity"}}}),
                 (std::vector<double>{1.0, std::numeric_limits<double>::infinity()}));
        QCOMPARE(valueOf<bool>({{"as_bool", true}}), true);
        QCOMPARE(valueOf<std::vector<bool>>({{"as_bools", {true, false}}}), (std::vector<bool>{true, false}));
        QCOMPARE(valueOf<std::string>({{"as_string", "none"}}), std::string("none"));
        QCOMPARE(valueOf<std::vector<std::string>>({{"as_strings", {"a", "b"}}}), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(valueOf<DType>({{"as_scalar_type", 13}}), DType::BFloat16);
        QCOMPARE(valueOf<LayoutArg>({{"as_layout", 7}}).name, std::string("Strided"));
        QCOMPARE(valueOf<MemoryFormatArg>({{"as_memory_format", 4}}).name, std::string("PreserveFormat"));
        QCOMPARE(valueOf<DeviceArg>({{"as_device", {{"type", "cuda"}, {"index", 1}}}}).name, std::string("cuda:1"));
        QCOMPARE(valueOf<DeviceArg>({{"as_device", {{"type", "cpu"}, {"index", nullptr}}}}).name, std::string("cpu"));
        QCOMPARE(valueOf<std::int64_t>({{"as_sym_int", {{"as_int", 4}}}}), std::int64_t(4));
        QCOMPARE(valueOf<std::vector<std::int64_t>>({{"as_sym_ints", {{{"as_int", 4}}}}}),
                 (std::vector<std::int64_t>{4}));
        QVERIFY(valueOf<ValueId>(test::tensorArgument("x")));
        QCOMPARE(valueOf<std::vector<ValueId>>({{"as_tensors", {{{"name", "x"}}, {{"name", "t"}}}}}).size(),
                 std::size_t(2));
        QVERIFY(valueOf<ValueId>({{"as_optional_tensor", test::tensorArgument("x")}}));
        QVERIFY(std::holds_alternative<NoneArg>(readAs({{"as_optional_tensor", {{"as_none", true}}}}).value()));
        const auto list =
            valueOf<std::vector<ValueId>>({{"as_optional_tensors", {test::tensorArgument("x"), {{"as_none", true}}}}});
        QVERIFY(list.size() == 2 && list[0] && !list[1]);
    }

    void refusesWhatNoPlanCanHold()
    {
        const auto refused = [](const Json &argument, const char *part) {
            const auto read = readAs(argument);
            if (read) return false;
            qInfo("%s", read.error().message.c_str());
            return read.error().message.find(part) != std::string::npos;
        };
        QVERIFY(refused({{"as_graph", Json::object()}}, "as_graph"));
        QVERIFY(refused({{"as_custom_obj", Json::object()}}, "as_custom_obj"));
        QVERIFY(refused({{"as_sym_int", {{"as_name", "s0"}}}}, "dynamic_shapes"));
        QVERIFY(refused({{"as_sym_ints", {{{"as_name", "s0"}}}}}, "dynamic_shapes"));
        QVERIFY(refused(test::tensorArgument("mm_1"), "nothing before it makes"));
        QVERIFY(refused(test::tensorArgument("nobody"), "nothing before it makes"));
        QVERIFY(refused({{"as_scalar_type", 99}}, "99"));
        QVERIFY(refused({{"as_layout", 8}}, "as_layout"));
        QVERIFY(refused({{"as_int", 1}, {"as_float", 1}}, "one member"));
        QVERIFY(refused({{"as_int", "1"}}, "whole number"));
    }

    void refusesWhatIsNoTrainingStep()
    {
        const test::Folder folder;
        const auto refused = [&](const Json &model, const char *part) {
            const auto program = readTiny(folder, model);
            if (program) return false;
            qInfo("%s", program.error().message.c_str());
            return program.error().message.find(part) != std::string::npos;
        };
        Json model = test::tinyModel();
        Json &outputs = model["graph_module"]["signature"]["output_specs"];
        outputs[0] = {{"user_output", {{"arg", test::tensorArgument("mean")}}}};
        QVERIFY(refused(model, "remat_studio.trace"));
        model = test::tinyModel();
        model["graph_module"]["signature"]["output_specs"].erase(1);
        QVERIFY(refused(model, "no gradients"));
        model = test::tinyModel();
        model["graph_module"]["graph"]["tensor_values"]["mm"]["sizes"][0] = {
            {"as_expr", {{"expr_str", "s0"}, {"hint", {{"as_int", 4}}}}}};
        QVERIFY(refused(model, "symbolic (s0)"));
        model = test::tinyModel();
        model["graph_module"]["graph"]["tensor_values"]["mm"]["layout"] = 2;
        QVERIFY(refused(model, "sparse"));
        model = test::tinyModel();
        model["graph_module"]["graph"]["tensor_values"]["mm"]["sizes"][0] = {{"as_int", std::int64_t(1) << 60}};
        QVERIFY(refused(model, "too large"));
        model = test::tinyModel();
        model["schema_version"]["major"] = 9;
        QVERIFY(refused(model, "schema"));
        for (const char *target : {"torch.ops.higher_order.cond", "_operator.getitem", "torch.ops.aten.mm"}) {
            model = test::tinyModel();
            test::nodeOf(model, "mm")["target"] = target;
            QVERIFY(refused(model, "plain operator"));
        }
        QVERIFY(!readPt2(folder.write("a.pt2", test::zipOf({{"a/b", "c"}}))));
        QVERIFY(!readPt2(folder.write("a.pt2", test::zipOf({}))));
    }

    void withoutRecordsTheGraphIsUnderstoodAllTheSame()
    {
        const test::Folder folder;
        Json model = test::tinyModel(false);
        test::nodeOf(model, "mm")["metadata"]["nn_module_stack"] =
            "L__self__,,tiny.Net;L__self___fc,layers.0.fc,torch.nn.modules.linear.Linear";
        const auto program = readTiny(folder, model);
        QVERIFY2(program.has_value(), program ? "" : program.error().message.c_str());
        QCOMPARE(program->nodes[1].module, std::string("layers.0.fc"));
        QCOMPARE(program->nodes[1].moduleClass, std::string("Linear"));
        QCOMPARE(program->nodes[1].phase, Phase::Forward);
        QCOMPARE(program->nodes[2].phase, Phase::Loss);
        QCOMPARE(program->nodes[3].phase, Phase::Backward);
        QVERIFY(program->value(program->nodes[0].outputs[0]).aliasOf); // t
        QVERIFY(program->value(program->nodes[4].outputs[0]).aliasOf); // expand
        QVERIFY(!program->value(program->nodes[1].outputs[0]).aliasOf);
        QCOMPARE(program->name, std::string("t"));
        QVERIFY((program->inputs[2].recipe.integerRange.value() == std::pair<std::int64_t, std::int64_t>(0, 1)));
    }

    void nodesWithoutValueAreDropped()
    {
        const test::Folder folder;
        Json model = test::tinyModel();
        Json check = test::tensorNode("_assert_async.default", {"x"}, "check", Json());
        check["outputs"] = Json::array();
        auto &nodes = model["graph_module"]["graph"]["nodes"];
        nodes.insert(nodes.begin(), check);
        QCOMPARE(readTiny(folder, model).value().nodes.size(), std::size_t(7));
    }

    void listsAndLeftOutOutputs()
    {
        const test::Folder folder;
        Json model = test::tinyModel();
        Json split = test::tensorNode("split.Tensor", {"x"}, "split", Json());
        split["outputs"] = {{{"as_tensors", {{{"name", "s0"}}, {{"name", "s1"}}}}}};
        Json norm = test::tensorNode("f.default", {"x"}, "f", Json());
        norm["outputs"] = {{{"as_none", true}}, test::tensorArgument("f1")};
        auto &graph = model["graph_module"]["graph"];
        for (const char *name : {"s0", "s1", "f1"})
            graph["tensor_values"][name] = test::tensorMeta({2, 200});
        graph["nodes"].insert(graph["nodes"].begin(), {split, norm});
        const auto program = readTiny(folder, model);
        QVERIFY2(program.has_value(), program ? "" : program.error().message.c_str());
        QVERIFY(program->nodes[0].listOutput);
        QCOMPARE(program->nodes[0].overload, std::string("Tensor"));
        QCOMPARE(program->nodes[0].outputs.size(), std::size_t(2));
        QVERIFY(!program->nodes[1].listOutput);
        QVERIFY(!program->nodes[1].outputs[0]);
        QVERIFY(program->nodes[1].outputs[1]);
    }

    void frames()
    {
        QCOMPARE(innermostFrame(""), std::string());
        QCOMPARE(innermostFrame("nothing"), std::string());
        QCOMPARE(innermostFrame("File \"a"), std::string());
        QCOMPARE(innermostFrame("  File \"/x/y.py\", line 12, in f"), std::string("y.py:12"));
        QCOMPARE(innermostFrame("File \"y.py\", line 1, in f\n  a\n  File \"z.py\", line 2, in g\n\t b = 1 \n"),
                 std::string("z.py:2  b = 1"));
        const auto frames =
            stackFrames("  File \"a/y.py\", line 1, in f\n    g(1)\n  File \"z.py\", line 2, in <module>\n"
                        "  File \"end\nFile \"w.py\"");
        QCOMPARE(frames.size(), std::size_t(3));
        QCOMPARE(frames[0].file, std::string("a/y.py"));
        QCOMPARE(frames[0].line, 1);
        QCOMPARE(frames[0].function, std::string("f"));
        QCOMPARE(frames[0].code, std::string("g(1)"));
        QCOMPARE(frames[1].function, std::string("<module>"));
        QVERIFY(frames[1].code.empty()); // the next line is a frame
        QCOMPARE(frames[2].file, std::string("w.py"));
        std::string deep;
        for (std::size_t i = 0; i < 2 * kMostFrames; ++i)
            deep += "File \"" + std::to_string(i) + ".py\", line 3, in f\n";
        QCOMPARE(stackFrames(deep).size(), kMostFrames);
        QCOMPARE(stackFrames(deep).back().file, std::to_string(2 * kMostFrames - 1) + ".py");
    }

    void stacksAreKeptOnceEach()
    {
        const test::Folder folder;
        Json model = test::tinyModel();
        Json &nodes = model["graph_module"]["graph"]["nodes"];
        const std::string trace = "File \"y.py\", line 1, in f\n  a";
        for (Json &node : nodes)
            node["metadata"]["stack_trace"] = trace;
        nodes[0]["metadata"]["stack_trace"] = "nothing";
        const auto stacks = readPythonStacks(folder.write("t.pt2", test::zipOf(test::tinyEntries(model))));
        QVERIFY2(stacks.has_value(), stacks ? "" : stacks.error().message.c_str());
        QCOMPARE(stacks->traces.size(), std::size_t(2));
        const std::string last = nodes.back()["name"];
        QVERIFY(stacks->find(last) && *stacks->find(last) == trace);
        QVERIFY(stacks->find(last + "#3") == stacks->find(last)); // a piece of it
        QVERIFY(!stacks->find("another"));
        QVERIFY(!readPythonStacks(folder.write("t.json", "{}")));
    }

    void opsShareTheirOutermostCalls()
    {
        Graph graph;
        PythonStacks stacks;
        const std::string outer = "File \"a.py\", line 1, in f\n  g()\nFile \"b.py\", line 2, in g\n  h()\n";
        for (const char *inner : {"File \"c.py\", line 3, in h\n  x", "File \"c.py\", line 4, in h\n  y", ""}) {
            const std::string name = "op" + std::to_string(graph.ops.size());
            graph.ops.emplace_back().name = name;
            stacks.of[name] = stacks.traces.size();
            stacks.traces.push_back(outer + inner);
        }
        graph.ops.emplace_back().name = "unknown";
        graph.ops.emplace_back().name = "line";
        graph.ops.back().source = "b.py:7  z = 1";
        QCOMPARE(callsOf(graph, stacks, OpId(0)).size(), std::size_t(3));
        QVERIFY(callsOf(graph, stacks, OpId(3)).empty());
        const auto line = callsOf(graph, stacks, OpId(4));
        QVERIFY(line.size() == 1 && line[0].file == "b.py" && line[0].line == 7 && line[0].code == "z = 1");
        const auto shared = sharedCalls(graph, stacks, {OpId(0), OpId(1), OpId(3)});
        QCOMPARE(shared.size(), std::size_t(2));
        QCOMPARE(shared[1].function, std::string("g"));
        QCOMPARE(sharedCalls(graph, stacks, {OpId(2), OpId(0)}).size(), std::size_t(2));
        QVERIFY(sharedCalls(graph, stacks, {OpId(0), OpId(4)}).empty());
        QVERIFY(sharedCalls(graph, stacks, {OpId(3)}).empty());
    }

    void entriesAndData()
    {
        const test::Folder folder;
        auto archive = ArchiveData::open(folder.write("t.pt2", test::zipOf(test::tinyEntries())));
        QVERIFY(archive.has_value());
        const auto entries = archive->entries();
        QCOMPARE(entries.size(), std::size_t(3));
        QCOMPARE(entries[0].name, std::string("data/weights/weight_0"));
        QCOMPARE(entries[0].bytes, std::int64_t(240000));
        QCOMPARE(archive->read("data/weights/weight_0", 240000).value().size(), std::size_t(240000));
        QVERIFY(!archive->read("data/weights/weight_0", 239999));
        QVERIFY(!archive->read("data/weights/weight_1", 1));
        QCOMPARE(archive->readStart("data/weights/weight_0", 100).value().size(), std::size_t(100));
        QCOMPARE(archive->readStart("data/weights/weight_0", 1 << 30).value().size(), std::size_t(240000));
    }

    void aFlippedBitIsSeen_data()
    {
        QTest::addColumn<bool>("deflated");
        QTest::newRow("stored") << false;
        QTest::newRow("deflated") << true;
    }
    /// The checksum is compared even where only the start of an entry is wanted.
    void aFlippedBitIsSeen()
    {
        QFETCH(bool, deflated);
        const test::Folder folder;
        const std::string content(300000, 'w');
        const std::string zip = test::zipWith({{.name = "archive/data/w",
                                                .content = content,
                                                .deflated = deflated,
                                                .saidCrc = test::crcOf(content) ^ 1U}});
        auto archive = ArchiveData::open(folder.write("t.pt2", zip));
        QVERIFY(archive.has_value());
        for (const auto &read : {archive->read("data/w", 300000), archive->readStart("data/w", 7)}) {
            QVERIFY(!read);
            QVERIFY2(read.error().message.find("checksum is wrong") != std::string::npos, read.error().message.c_str());
        }
    }

    void sizesThatLie()
    {
        const test::Folder folder;
        for (const std::uint32_t said : {10U, 300001U, 4000000000U}) {
            auto archive = ArchiveData::open(folder.write("t.pt2", test::zipWith({{.name = "archive/data/w",
                                                                                   .content = std::string(300000, 'w'),
                                                                                   .deflated = true,
                                                                                   .saidBytes = said}})));
            if (!archive) continue; // libzip saw it
            const auto read = archive->read("data/w", std::int64_t(1) << 40);
            QVERIFY(!read);
            QVERIFY2(read.error().message.find("damaged") != std::string::npos, read.error().message.c_str());
        }
    }

    void aStorageReachesFromItsStart()
    {
        const test::Folder folder;
        Json model = test::tinyModel();
        model["graph_module"]["graph"]["tensor_values"]["x"]["storage_offset"] = {{"as_int", 1000}};
        const auto opened =
            readModel(folder.write("t.pt2", test::zipOf(test::Entries{{"archive/models/model.json", model.dump()}})));
        QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
        for (const Storage &storage : opened->graph.storages)
            if (storage.name == "x") QCOMPARE(storage.bytes, std::int64_t((1000 + 800) * 4 + 511) / 512 * 512);
    }

    void samplesOpen_data()
    {
        QTest::addColumn<int>("parameters");
        for (const auto &[name, parameters] : {std::pair("gpt2", 148),
                                               {"resnet50", 161},
                                               {"unet", 64},
                                               {"transformer", 254},
                                               {"tiny_gpt2", 28},
                                               {"tiny_unet", 50}})
            QTest::newRow(name) << parameters;
    }
    void samplesOpen()
    {
        QFETCH(int, parameters);
        const auto model = test::loadSample(QTest::currentDataTag());
        if (!model) QFAIL(model.error().message.c_str());
        QVERIFY(model->program.has_value());
        const auto count =
            std::count_if(model->graph.storages.begin(), model->graph.storages.end(),
                          [](const Storage &s) { return s.kind == StorageKind::ParameterGradient && s.isOutput; });
        QCOMPARE(count, parameters);
        for (const Op &op : model->graph.ops)
            QVERIFY(op.phase != Phase::Backward || op.forwardOp);
    }
};

QTEST_GUILESS_MAIN(TstPt2Reader)
#include "tst_pt2_reader.moc"
