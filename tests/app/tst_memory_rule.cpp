// SPDX-License-Identifier: Apache-2.0
// The measured rule: whatever a file of n bytes holds, `remat` needs at most 200 MB + 400 n to say what is wrong with
// it, or to work with it. Each row is an input that means to break that.
#include "tests/app/measured.h"
#include "tests/core/archive_fixture.h"

#include <QtTest>

#include <functional>
#include <map>

using namespace remat;
using test::Json;
using test::Measured;

namespace {

constexpr std::int64_t kBaseBytes = 200'000'000;
constexpr std::int64_t kBytesPerByte = 400;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::int64_t kOfSanitizer = 8; ///< what it keeps beside each byte, and of bytes that are freed
#else
constexpr std::int64_t kOfSanitizer = 1;
#endif
/// What a bomb holds. A reader that makes a tree of it takes 300 MB and more, over the rule; what a process of Qt Test
/// has before it becomes `remat` is counted by the system, and must not hide anything.
constexpr std::size_t kUnpacked = std::size_t(16) << 20;
/// Items of a long list that is not packed.
constexpr std::size_t kListed = 1'000'000;

/// `part` over and over, at least `bytes` of it.
std::string repeated(std::string_view part, std::size_t bytes)
{
    std::string text;
    text.reserve(bytes + part.size());
    while (text.size() < bytes)
        text += part;
    return text;
}

/// `head`, then `each(0)`, `each(1)`, … between commas, then `tail`.
std::string listed(const std::string &head, int count, const std::function<std::string(int)> &each,
                   const std::string &tail)
{
    std::string text = head;
    for (int i = 0; i < count; ++i)
        text.append(i == 0 ? "" : ",").append(each(i));
    return text + tail;
}

std::string graphOf(const std::string &ops, const std::string &more = {})
{
    return R"({"format": "remat-graph/1", "name": "g", )" + more + R"("ops": [)" + ops + "]}";
}

std::string opOf(const std::string &name, const std::string &inputs, const std::string &more = {})
{
    return R"({"name": ")" + name + R"(", "inputs": [)" + inputs + R"(], "outputs": [{"name": "s)" + name +
           R"(", "bytes": 8}])" + more + "}";
}

/// One op that reads `count` inputs.
std::string wideGraph(int count)
{
    const auto numbered = [](int i) { return "i" + std::to_string(i); };
    const std::string inputs = listed(
        "\"inputs\": [", count, [&](int i) { return R"({"name": ")" + numbered(i) + R"(", "bytes": 1})"; }, "], ");
    return graphOf(opOf("wide", listed(
                                    "", count, [&](int i) { return "\"" + numbered(i) + "\""; }, "")),
                   inputs);
}

std::string archiveOf(const std::string &modelJson, bool deflated = true)
{
    return test::zipWith(
        std::vector<test::ZipEntry>{{.name = "archive/models/model.json", .content = modelJson, .deflated = deflated}});
}

/// The hand-made archive with one thing changed.
std::string changedArchive(const std::function<void(Json &graph)> &change)
{
    Json model = test::tinyModel();
    change(model["graph_module"]["graph"]);
    return archiveOf(model.dump());
}

using Inputs = std::map<std::string, std::function<std::string()>>;

/// Files that say they are models.
const Inputs &hostileModels()
{
    static const Inputs inputs = {
        {"bomb of lists", [] { return archiveOf("{\"a\":[" + repeated("[],", kUnpacked) + "[]]}"); }},
        {"bomb of objects", [] { return archiveOf("{\"a\":[" + repeated("{},", kUnpacked) + "{}]}"); }},
        {"bomb of members", [] { return archiveOf("{\"a\":[" + repeated("{\"\":0},", kUnpacked) + "{}]}"); }},
        {"bomb of numbers", [] { return archiveOf("{\"a\":[" + repeated("1,", kUnpacked) + "1]}"); }},
        {"bomb of one text", [] { return archiveOf("{\"a\":\"" + std::string(kUnpacked, 'x') + "\"}"); }},
        {"bomb of nothing", [] { return archiveOf(std::string(kUnpacked, ' ')); }},
        {"bomb in a text",
         [] {
             return changedArchive([](Json &graph) {
                 graph["nodes"][0]["metadata"]["custom"] = "{\"a\":[" + repeated("[],", kUnpacked) + "[]]}";
             });
         }},
        {"bomb of weights",
         [] {
             return test::zipWith(std::vector<test::ZipEntry>{
                 {.name = "archive/data/weights/model_weights_config.json",
                  .content = "{\"config\":[" + repeated("[],", kUnpacked) + "[]]}",
                  .deflated = true},
                 {.name = "archive/models/model.json", .content = test::tinyModel().dump(), .deflated = true}});
         }},
        {"says less than it holds",
         [] {
             return test::zipWith(std::vector<test::ZipEntry>{{.name = "archive/models/model.json",
                                                               .content = std::string(kUnpacked, '['),
                                                               .deflated = true,
                                                               .saidBytes = 100}});
         }},
        {"says more than it holds",
         [] {
             return test::zipWith(std::vector<test::ZipEntry>{
                 {.name = "archive/models/model.json", .content = "{}", .deflated = true, .saidBytes = 250000000}});
         }},
        {"many entries",
         [] {
             std::vector<test::ZipEntry> entries(60000);
             for (std::size_t i = 0; i < entries.size(); ++i)
                 entries[i].name = "a/data/weights/" + std::to_string(i);
             entries.push_back({.name = "a/models/model.json", .content = test::tinyModel().dump()});
             return test::zipWith(entries);
         }},
        {"entries over each other",
         [] {
             std::vector<test::ZipEntry> entries(20000);
             entries[0].content = std::string(1000000, '[');
             entries[0].deflated = true;
             for (std::size_t i = 0; i < entries.size(); ++i) {
                 entries[i].name = "a/models/" + std::to_string(i) + ".json";
                 entries[i].again = i > 0;
             }
             return test::zipWith(entries);
         }},
        {"archive of empty lists", [] { return archiveOf("{\"a\":[" + repeated("[],", kListed) + "[]]}", false); }},
        {"names that repeat a megabyte",
         [] {
             return changedArchive([](Json &graph) {
                 const std::string name(1000000, 'n');
                 graph["tensor_values"][name] = graph["tensor_values"]["mm"];
                 graph["nodes"][1]["outputs"][0]["as_tensor"]["name"] = name;
             });
         }},
        {"sizes that overflow",
         [] {
             return changedArchive([](Json &graph) {
                 for (const char *list : {"sizes", "strides"})
                     for (Json &size : graph["tensor_values"]["mm"][list])
                         size["as_int"] = std::int64_t(4611686018427387904);
             });
         }},
        {"strides that overflow",
         [] {
             return changedArchive([](Json &graph) {
                 for (Json &stride : graph["tensor_values"]["mm"]["strides"])
                     stride["as_int"] = std::numeric_limits<std::int64_t>::max();
             });
         }},
        {"an offset that overflows",
         [] {
             return changedArchive([](Json &graph) {
                 graph["tensor_values"]["mm"]["storage_offset"]["as_int"] = std::numeric_limits<std::int64_t>::max();
             });
         }},
        {"a module of dots",
         [] {
             return changedArchive([](Json &graph) {
                 const Json record = {
                     {"remat", {{"phase", "forward"}, {"module", repeated("a.", 120000)}, {"seq", 7}}}};
                 graph["nodes"][1]["metadata"]["custom"] = record.dump();
             });
         }},
        {"lists in lists", [] { return std::string(1000000, '[') + std::string(1000000, ']'); }},
        {"objects in objects", [] { return repeated("{\"a\":", 3000000); }},
        {"empty lists", [] { return "{\"a\":[" + repeated("[],", kListed) + "[]]}"; }},
        {"short members", [] { return "{\"a\":[" + repeated("{\"\":0},", kListed) + "{}]}"; }},
        {"many members",
         [] {
             return listed(
                 "{", 300000, [](int i) { return "\"" + std::to_string(i) + "\":0"; }, "}");
         }},
        {"short texts", [] { return "{\"a\":[" + repeated("\"\",", kListed) + "\"\"]}"; }},
        {"a number of a million digits", [] { return "{\"a\":" + std::string(1000000, '9') + "}"; }},
        {"a huge text", [] { return "{\"format\":\"" + std::string(8000000, 'f') + "\"}"; }},
        {"a huge key", [] { return "{\"" + std::string(8000000, 'k') + "\":[1}"; }},
        {"a megabyte of name", [] { return graphOf(opOf(std::string(1000000, 'n'), "")); }},
        {"a megabyte of name that is missing",
         [] { return graphOf(opOf("a", "\"" + std::string(1000000, 'n') + "\"")); }},
        {"the same name twice", [] { return graphOf(opOf("a", "") + "," + opOf("a", "")); }},
        {"100,000 dots", [] { return graphOf(opOf("a", "", R"(, "module": ")" + repeated("a.", 200000) + "\"")); }},
        {"long levels",
         [] {
             return graphOf(opOf("a", "", R"(, "module": ")" + std::string(1000000, 'm') + repeated(".0", 400) + "\""));
         }},
        {"many deep modules",
         [] {
             return graphOf(listed(
                 "", 1500,
                 [](int i) {
                     return opOf("o" + std::to_string(i), "",
                                 R"(, "module": "m)" + std::to_string(i) + repeated(".0", 1000) + "\"");
                 },
                 ""));
         }},
        {"many small ops",
         [] {
             return graphOf(listed(
                 "", 30000,
                 [](int i) { return R"({"name":"o)" + std::to_string(i) + R"(","inputs":[],"outputs":[]})"; }, ""));
         }},
        {"one op with 50,000 inputs", [] { return wideGraph(50000); }},
        {"one input 200,000 times",
         [] {
             return graphOf(opOf("a", repeated("\"x\",", 800000) + "\"x\""),
                            R"("inputs": [{"name": "x", "bytes": 1}], )");
         }},
        {"bytes that overflow",
         [] {
             return graphOf(R"({"name": "a", "inputs": [], "outputs": [{"name": "x", "bytes": 4611686018427387904},)"
                            R"({"name": "y", "bytes": 4611686018427387904}]})");
         }},
        {"a workspace that overflows",
         [] { return graphOf(opOf("a", "", R"(, "workspace_bytes": 9223372036854775807)")); }},
    };
    return inputs;
}

/// Files that say they are plans for a graph of one op.
const Inputs &hostilePlans()
{
    const auto plan = [](const std::string &steps, const std::string &more = {}) {
        return R"({"format": "remat-plan/1", "graph": {"name": "g", "fingerprint": "FINGERPRINT", "ops": 1}, )" + more +
               R"("steps": [)" + steps + "]}";
    };
    static const Inputs inputs = {
        {"75,000 steps",
         [=] { return plan(repeated(R"({"do":"compute","op":"a"},)", 2000000) + R"({"do":"free","storage":"sa"})"); }},
        {"a step with a megabyte of name",
         [=] { return plan(R"({"do": "compute", "op": ")" + std::string(1000000, 'n') + "\"}"); }},
        {"a kind with a megabyte", [=] { return plan(R"({"do": ")" + std::string(1000000, 'n') + "\"}"); }},
        {"a fingerprint of a megabyte",
         [=] {
             return R"({"format": "remat-plan/1", "graph": {"name": ")" + std::string(1000000, 'n') +
                    R"(", "fingerprint": ")" + std::string(1000000, 'f') + R"(", "ops": 1}, "steps": []})";
         }},
        {"200,000 options",
         [=] {
             return plan(R"({"do": "compute", "op": "a"})",
                         listed(
                             "\"solver\": {\"name\": \"x\", \"options\": {", 200000,
                             [](int i) { return "\"" + std::to_string(i) + "\":[]"; }, "}}, "));
         }},
        {"empty lists",
         [=] { return plan(R"({"do": "compute", "op": "a"})", "\"x\": [" + repeated("[],", kListed) + "[]], "); }},
    };
    return inputs;
}

} // namespace

class TestMemoryRule : public QObject
{
    Q_OBJECT

    test::Folder m_folder;

    /// Holds for every call: it ends by itself, says something where it fails, and keeps the rule.
    static void keepsTheRule(const Measured &call, std::size_t inputBytes)
    {
        const std::int64_t most = kOfSanitizer * (kBaseBytes + kBytesPerByte * static_cast<std::int64_t>(inputBytes));
        qInfo("%zu bytes: %lld MB of %lld, %.2f s, code %d: %s", inputBytes, (long long)call.peakBytes / 1000000,
              (long long)most / 1000000, call.cpuSeconds, call.code, call.err.substr(0, 200).c_str());
        QCOMPARE(call.signal, 0);
        QVERIFY(call.code >= 0 && call.code <= 2);
        QVERIFY2(call.peakBytes <= most, "it needs more memory than the rule allows");
        QVERIFY2(call.code != 2 || call.err.size() > 20, "it fails without a sentence");
        QVERIFY2(call.err.size() < 3000, "nobody reads as much");
        QVERIFY2(call.err.find("unexpected failure") == std::string::npos, call.err.c_str());
    }

    Measured remat(const std::vector<std::string> &arguments) const
    {
        return test::measuredRemat(arguments, m_folder.path());
    }

private Q_SLOTS:
    void models_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const auto &[name, make] : hostileModels())
            QTest::newRow(name.c_str()) << QByteArray::fromStdString(name);
    }
    void models()
    {
        QFETCH(QByteArray, name);
        const std::string bytes = hostileModels().at(name.toStdString())();
        const std::string model = m_folder.write("model", bytes).string();
        const std::string plan = m_folder.path("plan.json").string();
        const Measured info = remat({"info", model});
        keepsTheRule(info, bytes.size());
        if (QTest::currentTestFailed() || info.code != 0) return;
        QVERIFY2(info.out.size() < 20000, "remat info repeats what nobody reads");
        const Measured made = remat({"plan", model, "--budget", "100%", "--solver", "keep-all", "-o", plan});
        keepsTheRule(made, bytes.size());
        if (QTest::currentTestFailed() || made.code != 0) return;
        keepsTheRule(remat({"check", model, plan}), bytes.size() + QFileInfo(QString::fromStdString(plan)).size());
        for (const char *format : {"csv", "dot", "chrome-trace", "report"}) {
            if (QTest::currentTestFailed()) return;
            keepsTheRule(remat({"export", model, plan, "--as", format, "-o", m_folder.path("export").string()}),
                         bytes.size());
        }
    }

    void plans_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const auto &[name, make] : hostilePlans())
            QTest::newRow(name.c_str()) << QByteArray::fromStdString(name);
    }
    void plans()
    {
        QFETCH(QByteArray, name);
        const std::string model = m_folder.write("model", graphOf(opOf("a", ""))).string();
        const std::string good = m_folder.path("good.json").string();
        QCOMPARE(remat({"plan", model, "--budget", "100%", "--solver", "keep-all", "-o", good}).code, 0);
        QFile file(QString::fromStdString(good));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string fingerprint = Json::parse(file.readAll().toStdString())["graph"]["fingerprint"];
        std::string bytes = hostilePlans().at(name.toStdString())();
        if (const std::size_t at = bytes.find("FINGERPRINT"); at != std::string::npos)
            bytes.replace(at, 11, fingerprint);
        const std::string plan = m_folder.write("plan", bytes).string();
        keepsTheRule(remat({"check", model, plan}), bytes.size());
    }

    /// Ten times the inputs of one op take about ten times the time, and by no means a hundred times.
    void wideOpsAreReadInLinearTime()
    {
        const auto seconds = [&](int inputs) {
            const std::string graph = wideGraph(inputs), model = m_folder.write("model", graph).string();
            double least = 1e9; // the least of two: the machine has other work
            for (int i = 0; i < 2; ++i) {
                const Measured info = remat({"info", model});
                keepsTheRule(info, graph.size());
                if (info.code != 0) return 1e9;
                least = std::min(least, info.cpuSeconds);
            }
            return least;
        };
        const double few = seconds(50000), many = seconds(500000);
        qInfo("50,000 inputs: %.2f s, 500,000: %.2f s", few, many);
        QVERIFY(many < 40 * few + 1);
    }
};

QTEST_GUILESS_MAIN(TestMemoryRule)
#include "tst_memory_rule.moc"
