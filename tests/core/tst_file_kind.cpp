// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"
#include "core/graph/model.h"
#include "core/io/file_kind.h"
#include "tests/support/text_rows.h"
#include "tests/support/written.h"

using namespace remat;

namespace {

/// A file of gzip in one stored block, as any program may write it; the checksum is not looked at.
QByteArray gzipped(const QByteArray &text)
{
    QByteArray packed = QByteArray::fromHex("1f8b08000000000000ff01");
    const auto size = static_cast<quint16>(text.size());
    for (const quint16 part : {size, static_cast<quint16>(~size)}) {
        packed += static_cast<char>(part & 0xff);
        packed += static_cast<char>(part >> 8);
    }
    return packed + text + QByteArray(8, '\0');
}

QByteArray ours(const char *format)
{
    return QByteArray("{\"format\": \"") + format + "\", \"x\": 1}";
}

} // namespace

/// What a file is, whatever its name says.
class TstFileKind : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::filesystem::path written(const QString &name, const QByteArray &bytes) const
    {
        return test::written(m_folder.filePath(name), bytes).toStdString();
    }

private Q_SLOTS:
    void kinds_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("kind");
        const auto row = [](const char *name, const QByteArray &bytes, FileKind kind) {
            QTest::newRow(name) << bytes << static_cast<int>(kind);
        };
        row("graph", ours("remat-graph/1"), FileKind::Graph);
        row("graph of later", ours("remat-graph/7"), FileKind::Graph);
        row("plan", ours("remat-plan/2"), FileKind::Plan);
        row("profile", ours("remat-profile/1"), FileKind::Profile);
        row("costs", "{\n  \"bytes\": {\"a\": 1}}", FileKind::Profile);
        row("session", ours("remat-session/2"), FileKind::Session);
        row("lesson", ours("remat-lesson/1"), FileKind::Lesson);
        row("puzzle", ours("remat-puzzle/1"), FileKind::Puzzle);
        row("story", ours("remat-story/1"), FileKind::Story);
        row("certificate", ours("remat-certificate/1"), FileKind::Certificate);
        row("report", ours("remat-report/1"), FileKind::Report);
        row("device", ours("remat-device/1"), FileKind::Device);
        row("texts", ours("remat-texts/1"), FileKind::OtherOurs);
        row("with a mark", "\xef\xbb\xbf" + ours("remat-plan/1"), FileKind::Plan);
        row("format as a word", "{\"a\": \"format\", \"b\": \"remat-plan/1\"}", FileKind::Json);
        row("json", "{\"a\": 1}", FileKind::Json);
        row("snapshot",
            QByteArray::fromHex("80047d94288c087365676d656e7473945d947d94288c0761646472657373") +
                "segment_type total_size",
            FileKind::MemorySnapshot);
        row("snapshot as JSON", "{\"segments\": [{\"address\": 1, \"total_size\": 2}]}", FileKind::MemorySnapshot);
        row("pickle", QByteArray::fromHex("80047d942e"), FileKind::Pickle);
        row("old checkpoint", QByteArray::fromHex("80028a0a6cfc9c46f9206aa850192e"), FileKind::Checkpoint);
        row("profiler", "\n {\n \"schemaVersion\": 1,\n \"traceEvents\": [", FileKind::ProfilerTrace);
        row("profiler, a list", "[{\"ph\": \"X\", \"ts\": 1.5}]", FileKind::ProfilerTrace);
        row("profiler, packed", gzipped("{\"traceEvents\": []}"), FileKind::ProfilerTrace);
        row("timeline", "[[-1, 1, 65536, 0], [1795636691415048449, 2, 13", FileKind::MemoryTimeline);
        row("timeline, packed", gzipped("[[-1, 1, 65536, 0]]"), FileKind::MemoryTimeline);
        row("node-link", "{\"directed\": true, \"multigraph\": false, \"nodes\": []}", FileKind::NodeLink);
        row("node-link, short", "{\"nodes\": [{\"id\": 0}], \"edges\": []}", FileKind::NodeLink);
        row("dot", "// made\ndigraph g { a -> b }", FileKind::Dot);
        row("strict dot", "strict graph {\n a -- b }", FileKind::Dot);
        row("onnx", QByteArray::fromHex("08081207") + "pytorch" + QByteArray::fromHex("1a05322e312e30"),
            FileKind::Onnx);
        row("torchtitan", "# settings\n[job]\ndump_folder = \"./out\"\n", FileKind::TorchtitanSettings);
        row("torchtitan, one section", "[activation_checkpoint]\nmode = \"selective\"\n", FileKind::TorchtitanSettings);
        row("toml", "[tool.ruff]\nline-length = 120\n", FileKind::Settings);
        row("safetensors", QByteArray::fromHex("4000000000000000") + "{\"w\":{\"dtype\":\"F32\",\"shape\":[1]}}",
            FileKind::Safetensors);
        row("png", QByteArray::fromHex("89504e470d0a1a0a"), FileKind::Picture);
        row("svg", "<svg xmlns=\"x\"/>", FileKind::Picture);
        row("html", "<!DOCTYPE html><html>", FileKind::Page);
        row("numpy", QByteArray::fromHex("934e554d5059"), FileKind::Arrays);
        row("nsight", "SQLite format 3", FileKind::NsightReport);
        row("script", "import torch\n\ndef make():\n    return 1\n", FileKind::PythonScript);
        row("text", "A letter to somebody.", FileKind::Text);
        row("list in a text", "[1, 2, \"three\"]", FileKind::Json);
        row("nothing", "", FileKind::Empty);
        row("spaces", " \n\t", FileKind::Empty);
        row("noise", QByteArray::fromHex("00010203fffe"), FileKind::Unknown);
        row("broken gzip", QByteArray::fromHex("1f8b08ff"), FileKind::Packed);
        row("trace, packed", gzipped(QByteArray::fromHex("504b0304")), FileKind::Packed);
        row("graph, packed", gzipped(ours("remat-graph/1")), FileKind::Packed);
        row("packed twice", gzipped(gzipped("x")), FileKind::Packed);
        row("zstd", QByteArray::fromHex("28b52ffd0458"), FileKind::Packed);
        row("xz", QByteArray::fromHex("fd377a585a00"), FileKind::Packed);
        row("tar", QByteArray("train.toml") + QByteArray(247, '\0') + "ustar", FileKind::Packed);
        row("torn archive", QByteArray::fromHex("504b0304140000") + "model/data.pkl", FileKind::BrokenArchive);
        row("a text that begins like one", "PKG is a package.", FileKind::Text);
        row("pickle of Python 2", "(dp0\nVsegments\np1\n(lp2\nVsegment_type", FileKind::MemorySnapshot);
        row("snapshot without segments", QByteArray::fromHex("80047d94288c08") + "segments]device_traces",
            FileKind::MemorySnapshot);
        row("torn profiler trace", "{\"schemaVersion\": 1, \"displayTimeUnit\": \"ms\", \"traceEv",
            FileKind::ProfilerTrace);
        row("tensorboard",
            QByteArray::fromHex("180000000000000001020304") + QByteArray::fromHex("09000000809a2cda411a0d") +
                "brain.Event:2",
            FileKind::TensorBoard);
        row("transformers", "{\n  \"architectures\": [\"GPT2LMHeadModel\"],\n  \"model_type\": \"gpt2\"}",
            FileKind::ModelConfig);
        row("adapter", "{\"base_model_name_or_path\": \"x\", \"peft_type\": \"LORA\"}", FileKind::ModelConfig);
        row("index of weights", "{\"metadata\": {\"total_size\": 1}, \"weight_map\": {}}", FileKind::WeightsIndex);
        row("deepspeed", "{\"train_batch_size\": 8, \"zero_optimization\": {\"stage\": 2}}", FileKind::Settings);
        row("yaml", "model:\n  name: gpt2\ntrain:\n  lr: 1e-3\n", FileKind::Settings);
        row("notebook", "{\"cells\": [], \"nbformat\": 4}", FileKind::Notebook);
        row("gguf", "GGUF\3", FileKind::Weights);
        row("tflite", QByteArray::fromHex("1c000000") + "TFL3\1", FileKind::InferenceModel);
        row("executorch", QByteArray::fromHex("1c000000") + "ET12\1", FileKind::InferenceModel);
        row("csv", "step,loss\n1,2.5\n2,2.4\n", FileKind::Table);
        row("tsv", "step\tloss\n1\t2.5\n", FileKind::Table);
        row("parquet", "PAR1\1", FileKind::Table);
        row("library", QByteArray::fromHex("7f454c460201"), FileKind::Program);
        row("letter", "Dear sir,\nthe model, which you sent, is here.\n", FileKind::Text);
    }
    void kinds()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, kind);
        // The name lies.
        const FileKind found = fileKind(written(QStringLiteral("model.pt2"), bytes));
        QVERIFY2(found == FileKind(kind), std::string(nameOfKind(found)).c_str());
        const std::string said = sentenceOnKind(found, "a.bin", "a plan");
        QVERIFY2(said.starts_with("a.bin is ") && said.ends_with('.'), said.c_str());
    }

    void noFileIsSaidToo()
    {
        QCOMPARE(fileKind(m_folder.filePath(QStringLiteral("none")).toStdString()), FileKind::Missing);
        QCOMPARE(fileKind(m_folder.path().toStdString()), FileKind::Folder);
        QCOMPARE(fileKind("/dev/null"), FileKind::Stream);
    }

    /// A folder that `save_pretrained` or PyTorch's distributed checkpoints made is named, too.
    void foldersAreToldByWhatTheyHold_data()
    {
        test::textRows("file", {"model.safetensors", "pytorch_model.bin", "__0_0.distcp", ".metadata"});
    }
    void foldersAreToldByWhatTheyHold()
    {
        QFETCH(QString, file);
        QTemporaryDir folder(m_folder.filePath(QStringLiteral("checkpoint-XXXXXX")));
        QCOMPARE(fileKind(folder.path().toStdString()), FileKind::Folder);
        const std::string unknown = readModel(folder.path().toStdString()).error().message;
        QVERIFY2(unknown.ends_with("is a folder, not a file. Name a file in it."), unknown.c_str());
        QFile inside(folder.filePath(file));
        QVERIFY(inside.open(QIODevice::WriteOnly));
        QCOMPARE(fileKind(folder.path().toStdString()), FileKind::CheckpointFolder);
        const std::string said = readModel(folder.path().toStdString()).error().message;
        QVERIFY2(said.find("is a folder with a checkpoint: weights without a graph") != std::string::npos,
                 said.c_str());
    }

    void archivesAreToldByWhatTheyHold_data()
    {
        QTest::addColumn<QStringList>("entries");
        QTest::addColumn<int>("kind");
        const auto row = [](const char *name, const QStringList &entries, FileKind kind) {
            QTest::newRow(name) << entries << static_cast<int>(kind);
        };
        row("trace", {"m/archive_format", "m/models/model.json"}, FileKind::Trace);
        row("checkpoint", {"w/data.pkl", "w/data/0"}, FileKind::Checkpoint);
        row("torchscript", {"m/data.pkl", "m/constants.pkl", "m/code/a.py"}, FileKind::TorchScript);
        row("aotinductor", {"m/data/aotinductor/model/a.so"}, FileKind::CompiledModel);
        row("npz", {"arr_0.npy"}, FileKind::Arrays);
        row("other", {"word/document.xml"}, FileKind::Archive);
    }
    void archivesAreToldByWhatTheyHold()
    {
        QFETCH(QStringList, entries);
        QFETCH(int, kind);
        const QString path = m_folder.filePath(QStringLiteral("archive"));
        const QString script = QStringLiteral("import sys, zipfile\n"
                                              "with zipfile.ZipFile(sys.argv[1], 'w') as z:\n"
                                              "    for name in sys.argv[2:]: z.writestr(name, 'x')\n");
        QCOMPARE(QProcess::execute(QStringLiteral("python3"), QStringList{"-c", script, path} + entries), 0);
        const FileKind found = fileKind(path.toStdString());
        QVERIFY2(found == FileKind(kind), std::string(nameOfKind(found)).c_str());
    }

    /// Where a model or a plan is wanted, the sentence names the file's kind instead of its first wrong byte.
    void readersNameTheKind()
    {
        const auto snapshot =
            written(QStringLiteral("m.json"), QByteArray::fromHex("80047d94288c08") + "segments total_size");
        QCOMPARE(
            readModel(snapshot).error().message,
            std::string("m.json is a CUDA memory snapshot of PyTorch, where a trace or a graph as JSON is needed. It "
                        "tells which blocks were allocated and when, and has no graph to plan on. Trace the model "
                        "with `python -m remat_studio.trace FILE.py:make`, and open the archive."));
        const std::string other = readModel(written(QStringLiteral("t.json"), "{\"version\": 1}")).error().message;
        QVERIFY2(other.starts_with("t.json is JSON of a kind that is not known here, where"), other.c_str());
        const std::string torn = readModel(written(QStringLiteral("a.pt2"), "PK\3\4 and no more")).error().message;
        QVERIFY2(torn.starts_with("a.pt2 is an archive whose end is missing or damaged"), torn.c_str());
        const auto plan = written(QStringLiteral("plan.pt2"), ours("remat-plan/1"));
        QVERIFY(readModel(plan).error().message.starts_with("plan.pt2 is a plan, where a trace or a graph as JSON"));
        QVERIFY(!expectKind(plan, FileKind::Graph) && expectKind(plan, FileKind::Plan));
        QVERIFY(
            expectKind(written(QStringLiteral("torn"), "{\"form"), FileKind::Plan)); // its reader says where it tears
    }
};

QTEST_GUILESS_MAIN(TstFileKind)
#include "tst_file_kind.moc"
