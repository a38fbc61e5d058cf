// SPDX-License-Identifier: Apache-2.0
// What a run may cost when the file, LibTorch or remat-run itself misbehaves: a sentence, and nothing else.
#include "core/base/file.h"
#include "core/io/archive_data.h"
#include "gpu/memory_need.h"
#include "gpu/run_process.h"
#include "tests/core/archive_fixture.h"
#include "tests/gpu/program_builder.h"
#include "tests/gpu/run_support.h"
#include "tests/support/torch.h"

#include <QtTest>

#include <csignal>
#include <fstream>
#include <thread>

using namespace remat;
using namespace remat::test;

namespace {

/// A sample of the tree with its program changed.
std::filesystem::path editedSample(const Folder &folder, const std::string &name,
                                   const std::function<void(Json &nodes, Json &graph)> &edit)
{
    auto archive = ArchiveData::open(tracePath(name));
    if (!archive) qFatal("%s", archive.error().message.c_str());
    Entries entries;
    for (const ArchiveData::Entry &entry : archive->entries()) {
        auto bytes = archive->read(entry.name, entry.bytes);
        if (!bytes) qFatal("%s", bytes.error().message.c_str());
        if (entry.name == "models/model.json") {
            Json model = Json::parse(*bytes);
            Json &graph = model["graph_module"]["graph"];
            edit(graph["nodes"], graph);
            *bytes = model.dump();
        }
        entries.emplace_back(name + "/" + entry.name, std::move(*bytes));
    }
    return folder.write(name + ".pt2", zipOf(entries));
}

Expected<ValidationRecord> validateKeepAll(const Model &model, RunContext context = {})
{
    context.threads = 1; // threads of a small model wait for each other on a busy machine
    return validatePlan(model, bareCosts(model.graph), keepAllPlan(model.graph), RunDevice::Cpu, context);
}

QString refusal(const Expected<ValidationRecord> &record)
{
    return record ? "passed: " + QString::fromStdString(record->sentence)
                  : QString::fromStdString(record.error().message);
}

/// A script in the place of remat-run while this lives.
class FakeHelper
{
public:
    FakeHelper(const Folder &folder, const std::string &script)
    {
        const std::filesystem::path path = folder.write("helper", "#!/bin/sh\n" + script + "\n");
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        qputenv("REMAT_RUN", path.c_str());
    }
    ~FakeHelper() { qunsetenv("REMAT_RUN"); }
    FakeHelper(const FakeHelper &) = delete;
    FakeHelper &operator=(const FakeHelper &) = delete;
};

Model twiceModel()
{
    Builder builder;
    const ValueId x = builder.input("x");
    return builder.model(builder.node("twice", "aten::mul", "Tensor", {{"self", x}, {"other", 2.0}}));
}

} // namespace

class TestRunProcess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
        // Sanitizers would answer crashes and too large requests themselves, in the runs as well.
        for (const char *options : {"ASAN_OPTIONS", "TSAN_OPTIONS"})
            qputenv(options, qgetenv(options) + ":handle_segv=0:allocator_may_return_null=1");
    }

    void archivesCannotNameFiles()
    {
        // What is in the archive: a tensor over a file, shared with it, and a fill.
        const Folder folder;
        const std::string target = folder.write("victim", std::string(4096, 'v')).string();
        const auto path = editedSample(folder, "tiny_resnet", [&](Json &nodes, Json &graph) {
            graph["tensor_values"]["mapped"] = graph["tensor_values"]["filled"] = tensorMeta({1024});
            const auto argument = [](const char *name, const char *kind, const Json &value) {
                return Json{{"name", name}, {"arg", {{kind, value}}}, {"kind", 1}};
            };
            const Json record = {{"custom", Json({{"remat", {{"phase", "forward"}}}}).dump()}};
            const Json file = {{"target", "torch.ops.aten.from_file.default"},
                               {"name", "mapped"},
                               {"inputs",
                                {argument("filename", "as_string", target), argument("shared", "as_bool", true),
                                 argument("size", "as_int", 1024)}},
                               {"outputs", Json::array({tensorArgument("mapped")})},
                               {"metadata", record}};
            const Json fill = {
                {"target", "torch.ops.aten.fill_.Scalar"},
                {"name", "filled"},
                {"inputs", {argument("self", "as_tensor", {{"name", "mapped"}}), argument("value", "as_float", 1.0)}},
                {"outputs", Json::array({tensorArgument("filled")})},
                {"metadata", record}};
            nodes.insert(nodes.begin(), fill);
            nodes.insert(nodes.begin(), file);
        });
        const Expected<Model> model = readModel(path);
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        const QString sentence = refusal(validateKeepAll(*model));
        QVERIFY2(sentence.startsWith("Op mapped calls aten::from_file, which is not on the list"),
                 qPrintable(sentence));
        const auto profile = profileModel(*model, RunDevice::Cpu, {1}, {});
        QVERIFY(!profile);
        QCOMPARE(QString::fromStdString(profile.error().message), sentence);
        std::ifstream victim(target);
        const std::string after((std::istreambuf_iterator<char>(victim)), {});
        QCOMPARE(after, std::string(4096, 'v'));
    }

    void crashInLibTorch()
    {
        // The kernel writes where the indices say, which lie far outside.
        Builder builder;
        const ValueId x = builder.input("x"), gradient = builder.input("gradient");
        builder.shape(x, {1, 4, 16, 16});
        builder.shape(gradient, {1, 4, 8, 8});
        const std::vector<std::int64_t> two{2, 2}, zero{0, 0}, one{1, 1}, sizes{1, 4, 8, 8};
        const ValueId indices =
            builder.node("indices", "aten::full", "",
                         {{"size", sizes}, {"fill_value", std::int64_t(1) << 50}, {"dtype", DType::Int64}});
        builder.shape(indices, sizes, DType::Int64);
        const ValueId back = builder.node("scattered", "aten::max_pool2d_with_indices_backward", "",
                                          {{"grad_output", gradient},
                                           {"self", x},
                                           {"kernel_size", two},
                                           {"stride", two},
                                           {"padding", zero},
                                           {"dilation", one},
                                           {"ceil_mode", false},
                                           {"indices", indices}});
        builder.shape(back, {1, 4, 16, 16});
        const QString sentence = refusal(validateKeepAll(builder.model(back)));
        QVERIFY2(sentence.contains("crashed in op scattered (aten::max_pool2d_with_indices_backward)") &&
                     sentence.contains("Nothing else was harmed"),
                 qPrintable(sentence));
        // This process lives, and the next run is as good as any.
        const auto next = validateKeepAll(twiceModel());
        QVERIFY2(next && next->passed, qPrintable(refusal(next)));
    }

    void gradientsThatAreTurnedOff()
    {
        // Every output_mask of every convolution's backward is changed, in all ways that leave a gradient out.
        for (const Json &mask :
             {Json{false, true, false}, Json{true, false, false}, Json{false, false, true}, Json{true, true, true}}) {
            const Folder folder;
            int changed = 0;
            const auto path = editedSample(folder, "tiny_resnet", [&](Json &nodes, Json &) {
                for (Json &node : nodes) {
                    if (node["target"] != "torch.ops.aten.convolution_backward.default") continue;
                    for (Json &input : node["inputs"])
                        if (input["name"] == "output_mask") input["arg"]["as_bools"] = mask;
                    ++changed;
                }
            });
            QVERIFY(changed > 3);
            const Expected<Model> model = readModel(path);
            if (!model) continue; // refused by the reader is as good
            const QString sentence = refusal(validateKeepAll(*model));
            qInfo("%s", qPrintable(sentence));
            QVERIFY2(mask == Json({true, true, true}) || !sentence.startsWith("passed"), qPrintable(sentence));
        }
    }

    void killedHelper()
    {
        const Folder folder;
        for (const auto &[script, part] :
             {std::pair("kill -SEGV $$", "crashed"), std::pair("kill -KILL $$", "memory runs out"),
              std::pair("exit 0", "without an answer"), std::pair("exit 3", "without an answer")}) {
            const FakeHelper fake(folder, script);
            const QString sentence = refusal(validateKeepAll(twiceModel()));
            QVERIFY2(sentence.contains(part), qPrintable(sentence));
        }
    }

    void hangingHelperIsStopped()
    {
        const Folder folder;
        const std::string mark = folder.path("child").string();
        // It hangs with a child of its own, which must go with it.
        const FakeHelper fake(folder, "sleep 1000 & echo $! > " + mark + "; sleep 1000");
        StopToken stop;
        RunContext context;
        context.stop = &stop;
        std::thread stopper([&] {
            while (!std::filesystem::exists(mark) || std::filesystem::file_size(mark) == 0)
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            stop.requestStop();
        });
        const auto record = validateKeepAll(twiceModel(), context);
        stopper.join();
        QCOMPARE(refusal(record), QString("Stopped."));
        pid_t child = 0;
        std::ifstream(mark) >> child;
        QVERIFY(child > 0);
        const auto gone = [&] {
            std::ifstream status("/proc/" + std::to_string(child) + "/stat");
            std::string id, name, state;
            return !(status >> id >> name >> state) || state == "Z";
        };
        QTRY_VERIFY(gone());
    }

    void hangingHelperHasATimeLimit()
    {
        const Folder folder;
        const FakeHelper fake(folder, "sleep 1000");
        RunContext context;
        context.timeLimitSeconds = 0.5;
        const QString sentence = refusal(validateKeepAll(twiceModel(), context));
        QVERIFY2(sentence.startsWith("The run took longer than its limit") && sentence.contains("--time-limit"),
                 qPrintable(sentence));
    }

    void babblingHelper()
    {
        const Folder folder;
        {
            const FakeHelper fake(folder, "cat /dev/zero");
            const QString sentence = refusal(validateKeepAll(twiceModel()));
            QVERIFY2(sentence.contains("another build") || sentence.contains("said more"), qPrintable(sentence));
        }
        const FakeHelper fake(folder, "yes nonsense");
        const QString sentence = refusal(validateKeepAll(twiceModel()));
        QVERIFY2(sentence.contains("said more"), qPrintable(sentence));
    }

    void terabytes()
    {
        // Recorded as 4 KiB.
        Builder builder;
        builder.input("x");
        const ValueId huge =
            builder.node("huge", "aten::zeros", "", {{"size", std::vector<std::int64_t>{std::int64_t(1) << 38}}});
        const QString sentence = refusal(validateKeepAll(builder.model(huge)));
        QVERIFY2(sentence.startsWith("Op huge (aten::zeros) ") && sentence.contains("memory"), qPrintable(sentence));
    }

    void outputsLargerThanRecorded()
    {
        // 64 MiB where 4 KiB are recorded: far below every limit, and refused all the same. Views that are none as
        // well.
        Builder builder;
        const ValueId x = builder.input("x");
        const ValueId wide =
            builder.node("wide", "aten::repeat", "", {{"self", x}, {"repeats", std::vector<std::int64_t>{16384}}});
        const QString sentence = refusal(validateKeepAll(builder.model(wide)));
        QVERIFY2(sentence.startsWith("Op wide (aten::repeat) made 64.0 MiB for wide where the trace says 4.00 KiB"),
                 qPrintable(sentence));

        Builder views;
        const ValueId input = views.input("x");
        const ValueId view =
            views.node("view", "aten::repeat", "", {{"self", input}, {"repeats", std::vector<std::int64_t>{16384}}});
        views.lastIsViewOf(view, input);
        const ValueId loss = views.node("loss", "aten::sum", "", {{"self", view}}, true);
        const QString hidden = refusal(validateKeepAll(views.model(loss)));
        QVERIFY2(hidden.startsWith("Op view (aten::repeat) made 64.0 MiB"), qPrintable(hidden));
    }

    void viewsStayInTheirStorage()
    {
        Builder builder;
        const ValueId x = builder.input("x");
        const ValueId beyond = builder.node("beyond", "aten::as_strided", "",
                                            {{"self", x},
                                             {"size", std::vector<std::int64_t>{1024}},
                                             {"stride", std::vector<std::int64_t>{1}},
                                             {"storage_offset", std::int64_t(1) << 20}});
        builder.lastIsViewOf(beyond, x);
        const ValueId loss = builder.node("loss", "aten::sum", "", {{"self", beyond}}, true);
        const QString sentence = refusal(validateKeepAll(builder.model(loss)));
        QVERIFY2(sentence.startsWith("Op beyond (aten::as_strided) failed") && sentence.contains("storage"),
                 qPrintable(sentence));
    }

    void offsetsCount()
    {
        // A tensor of 4 KiB a terabyte into its storage takes a terabyte.
        Builder builder;
        const ValueId x = builder.input("x");
        Model model = builder.model(builder.node("twice", "aten::mul", "Tensor", {{"self", x}, {"other", 2.0}}));
        model.program->values[x.index()].storageOffset = std::int64_t(1) << 38;
        QString sentence = refusal(validateKeepAll(model));
        QVERIFY2(sentence.contains("1.00 TiB of weights and inputs") && sentence.contains("are free on cpu"),
                 qPrintable(sentence));
        // And one that overflows is no negative number.
        model.program->values[x.index()].storageOffset = std::numeric_limits<std::int64_t>::max() - 5;
        sentence = refusal(validateKeepAll(model));
        QVERIFY2(sentence.contains("are free on cpu"), qPrintable(sentence));
    }

    void payloadsCount()
    {
        // 8 MiB of data for a weight of 240 KB are counted as what they take while they are read.
        const Folder folder;
        Entries entries = tinyEntries();
        const auto plain = readModel(folder.write("plain.pt2", zipOf(entries)));
        entries.front().second.resize(8 << 20);
        const auto padded = readModel(folder.write("padded.pt2", zipOf(entries)));
        QVERIFY(plain);
        if (!padded) return; // refused by the reader is as good
        const auto need = [](const Model &model) {
            const std::vector<Step> steps = keepAllPlan(model.graph).steps;
            const auto bytes = memoryNeed(model, model.graph, bareCosts(model.graph), {&steps});
            return bytes ? bytes->total() : -1;
        };
        QVERIFY(need(*plain) > 0 && need(*plain) < 2 << 20);
        QVERIFY(need(*padded) >= 8 << 20);
    }

    void memoryComesInLargePages_data()
    {
        QTest::addColumn<QByteArray>("set");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("nothing set") << QByteArray() << QByteArray("glibc.malloc.hugetlb=1");
        QTest::newRow("others stay") << QByteArray("glibc.malloc.check=0")
                                     << QByteArray("glibc.malloc.check=0:glibc.malloc.hugetlb=1");
        QTest::newRow("the user's own choice stays")
            << QByteArray("glibc.malloc.hugetlb=0") << QByteArray("glibc.malloc.hugetlb=0");
    }

    void memoryComesInLargePages()
    {
        QFETCH(QByteArray, set);
        QFETCH(QByteArray, expected);
        const Folder folder;
        const std::filesystem::path seen = folder.path("seen");
        const FakeHelper fake(folder, "printf %s \"$GLIBC_TUNABLES\" > " + seen.string());
        const QByteArray before = qgetenv("GLIBC_TUNABLES");
        set.isEmpty() ? qunsetenv("GLIBC_TUNABLES") : qputenv("GLIBC_TUNABLES", set);
        QVERIFY(!validateKeepAll(twiceModel()));
        before.isEmpty() ? qunsetenv("GLIBC_TUNABLES") : qputenv("GLIBC_TUNABLES", before);
        QCOMPARE(QByteArray::fromStdString(readFile(seen).value()), expected);
    }
};

QTEST_GUILESS_MAIN(TestRunProcess)
#include "tst_run_process.moc"
