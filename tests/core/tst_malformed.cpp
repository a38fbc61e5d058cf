// SPDX-License-Identifier: Apache-2.0
#include "archive_fixture.h"

#include "core/base/file.h"
#include "core/costs/profile.h"
#include "core/io/archive_data.h"
#include "core/io/json_cursor.h"
#include "core/plan/plan.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"
#include "tests/support/text_rows.h"

#include <functional>

using namespace remat;
using test::Json;

namespace {

/// What a reader makes of bad bytes: the sentence, or nothing when they were good after all.
using Reader = std::function<std::optional<std::string>(const std::string &bytes)>;

template <class T>
std::optional<std::string> sentenceOf(const Expected<T> &result)
{
    if (result) return std::nullopt;
    return result.error().message;
}

struct Kind {
    const char *name;
    std::string good;
    Reader read;
};

Graph rightGraph()
{
    return test::chainGraph(3, {.parameterBytes = 4});
}

class TstMalformed : public QObject
{
    Q_OBJECT

private:
    test::Folder m_folder;
    Graph m_graph = rightGraph();
    std::vector<Kind> m_kinds;

    std::filesystem::path file(const std::string &bytes) const { return m_folder.write("file", bytes); }

    /// A sentence must be there, say something, and be fit to be printed.
    static bool isSentence(const std::optional<std::string> &text)
    {
        return text && text->size() > 20 && text->size() < 2000 && text->find('\0') == std::string::npos &&
               QString::fromStdString(*text).toStdString() == *text;
    }

    const Kind &kind(const char *name) const
    {
        for (const Kind &kind : m_kinds) {
            if (std::string_view(kind.name) == name) return kind;
        }
        qFatal("no such kind");
    }

    static void addKinds()
    {
        QTest::addColumn<QByteArray>("kind");
        for (const char *name : {"graph", "plan", "profile", "device", "archive", "model.json"})
            QTest::newRow(name) << QByteArray(name);
    }

    std::string written(const std::function<Expected<void>(const std::filesystem::path &)> &write) const
    {
        if (!write(m_folder.path("good"))) qFatal("cannot write");
        return readFile(m_folder.path("good")).value();
    }

private Q_SLOTS:
    void initTestCase()
    {
        const Reader model = [&](const std::string &bytes) { return sentenceOf(readModel(file(bytes))); };
        const Json graph = {{"format", "remat-graph/1"},
                            {"name", "g"},
                            {"inputs", {{{"name", "x"}, {"bytes", 4}, {"kind", "input"}}}},
                            {"ops",
                             {{{"name", "f"},
                               {"kind", "k"},
                               {"time_us", 2.5},
                               {"workspace_bytes", 8},
                               {"inputs", {"x"}},
                               {"outputs", {{{"name", "a"}, {"bytes", 16}}}},
                               {"module", "m"},
                               {"phase", "forward"},
                               {"random", false}},
                              {{"name", "b"},
                               {"inputs", {"a"}},
                               {"outputs", {{{"name", "g"}, {"bytes", 16}}}},
                               {"phase", "backward"},
                               {"forward_op", "f"}}}},
                            {"outputs", {"g"}}};
        m_kinds.push_back({"graph", graph.dump(1), model});

        Plan plan = keepAllPlan(m_graph);
        plan.origin = {"chen", {{"k", "v"}}, 1.5, "feasible"};
        plan.validated.emplace();
        plan.validated->differences = {{"w", 0.5}};
        plan.validated->peakReasons = {"r"};
        m_kinds.push_back({"plan", written([&](const auto &path) { return writePlan(path, plan, m_graph); }),
                           [&](const std::string &bytes) { return sentenceOf(readPlan(file(bytes), m_graph)); }});

        Profile profile;
        profile.fingerprint = m_graph.fingerprint;
        profile.ops.resize(m_graph.ops.size());
        profile.aliasMismatches = {"v"};
        m_kinds.push_back({"profile", written([&](const auto &path) { return writeProfile(path, profile, m_graph); }),
                           [&](const std::string &bytes) { return sentenceOf(readProfile(file(bytes), m_graph)); }});

        m_kinds.push_back({"device",
                           readFile(std::filesystem::path(REMAT_SAMPLES) / ".." / "devices" / "h100.json").value(),
                           [&](const std::string &bytes) { return sentenceOf(readDevice(file(bytes))); }});
        test::Entries lean = test::tinyEntries();
        lean.front().second.clear(); // the weight's data, which opening does not read
        m_kinds.push_back({"archive", test::zipOf(lean), model});
        // The text inside an archive whose checksums are right, so that every change reaches the reader of the graph.
        m_kinds.push_back({"model.json", test::tinyModel().dump(), [model, lean](const std::string &bytes) {
                               test::Entries entries = lean;
                               entries.back().second = bytes;
                               return model(test::zipOf(entries));
                           }});
        for (const Kind &kind : m_kinds) {
            const auto sentence = kind.read(kind.good);
            QVERIFY2(!sentence, sentence.value_or("").c_str());
        }
    }

    void truncated_data() { addKinds(); }
    void truncated()
    {
        QFETCH(QByteArray, kind);
        const Kind &k = this->kind(kind.constData());
        for (std::size_t tenth = 0; tenth < 10; ++tenth) {
            const auto sentence = k.read(k.good.substr(0, k.good.size() * tenth / 10));
            QVERIFY2(isSentence(sentence), sentence.value_or("it was read").c_str());
            if (tenth % 3 == 1) qInfo("%s", sentence->c_str());
        }
    }

    void truncatedSamples_data() { test::textRows("name", {"tiny_unet", "gpt2"}); }
    void truncatedSamples()
    {
        const std::string sample = std::string(REMAT_SAMPLES) + "/" + QTest::currentDataTag() + ".pt2";
        const auto bytes = readFile(sample);
        if (!bytes) QFAIL(bytes.error().message.c_str());
        for (std::size_t tenth = 0; tenth < 10; ++tenth)
            QVERIFY(isSentence(sentenceOf(readModel(file(bytes->substr(0, bytes->size() * tenth / 10))))));
    }

    void wrongTypes_data() { addKinds(); }
    /// Every value of the file in turn becomes something else.
    void wrongTypes()
    {
        QFETCH(QByteArray, kind);
        if (kind == "archive") return; // an archive is no JSON; model.json is
        const Kind &k = this->kind(kind.constData());
        const Json good = Json::parse(k.good);
        const std::vector<Json> others = {nullptr,
                                          true,
                                          "text",
                                          "",
                                          0,
                                          -1,
                                          1e300,
                                          0.5,
                                          Json::array(),
                                          Json::object(),
                                          {1, 2},
                                          {{"as_int", 3}},
                                          std::numeric_limits<std::int64_t>::max()};
        // Places of an archive's text are many and alike: a seeded third of them will do.
        test::Random random(13);
        int refused = 0;
        int read = 0;
        const Json flat = good.flatten();
        for (const auto &[pointer, value] : flat.items()) {
            if (kind == "model.json" && !random.percent(33)) continue;
            // The value itself and everything that holds it.
            for (Json::json_pointer at(pointer); !at.empty(); at = at.parent_pointer()) {
                for (const Json &other : others) {
                    Json changed = good;
                    changed[at] = other;
                    const auto sentence = k.read(changed.dump());
                    QVERIFY2(!sentence || isSentence(sentence), sentence.value_or("").c_str());
                    ++(sentence ? refused : read);
                }
                Json changed = good;
                if (!at.back().empty() && changed[at.parent_pointer()].is_object()) {
                    changed[at.parent_pointer()].erase(at.back());
                    const auto sentence = k.read(changed.dump());
                    QVERIFY2(!sentence || isSentence(sentence), sentence.value_or("").c_str());
                }
                if (at.back() != "0") break;
            }
        }
        qInfo("%d refused, %d read", refused, read);
        QVERIFY(refused > read);
    }

    void flippedBytes_data() { addKinds(); }
    void flippedBytes()
    {
        QFETCH(QByteArray, kind);
        const Kind &k = this->kind(kind.constData());
        test::Random random(7);
        int refused = 0;
        for (int i = 0; i < 400; ++i) {
            std::string bytes = k.good;
            for (int flips = random.between(1, 4); flips > 0; --flips)
                bytes[static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())))] ^=
                    static_cast<char>(1 << random.below(8));
            const auto sentence = k.read(bytes);
            QVERIFY2(!sentence || isSentence(sentence), sentence.value_or("").c_str());
            refused += sentence ? 1 : 0;
        }
        qInfo("%d of 400 refused", refused);
        QVERIFY(refused > 50);
    }

    /// Flips in the samples' packed text, and in the archive's own tables.
    void flippedSample()
    {
        const auto good = readFile(std::string(REMAT_SAMPLES) + "/tiny_unet.pt2");
        if (!good) QFAIL(good.error().message.c_str());
        test::Random random(11);
        for (int i = 0; i < 120; ++i) {
            std::string bytes = *good;
            const int from = i % 2 == 0 ? 0 : static_cast<int>(bytes.size()) - 2000;
            bytes[static_cast<std::size_t>(random.between(from, static_cast<int>(bytes.size()) - 1))] ^=
                static_cast<char>(1 << random.below(8));
            const auto sentence = sentenceOf(readModel(file(bytes)));
            QVERIFY2(!sentence || isSentence(sentence), sentence.value_or("").c_str());
        }
    }

    void swappedWords_data() { addKinds(); }
    /// Names in the place of other names: unknown ones, cycles, doubles.
    void swappedWords()
    {
        QFETCH(QByteArray, kind);
        if (kind == "archive") return;
        const Kind &k = this->kind(kind.constData());
        const Json flat = Json::parse(k.good).flatten();
        std::vector<std::string> texts;
        for (const auto &[pointer, value] : flat.items()) {
            if (value.is_string()) texts.push_back(pointer);
        }
        test::Random random(3);
        for (int i = 0; i < 400; ++i) {
            Json changed = flat;
            std::swap(changed[random.pick(texts)], changed[random.pick(texts)]);
            const auto sentence = k.read(changed.unflatten().dump());
            QVERIFY2(!sentence || isSentence(sentence), sentence.value_or("").c_str());
        }
    }

    void deepNesting_data() { addKinds(); }
    void deepNesting()
    {
        QFETCH(QByteArray, kind);
        const Kind &k = this->kind(kind.constData());
        QVERIFY(isSentence(k.read(std::string(100000, '['))));
        QVERIFY(isSentence(k.read(std::string(100000, '[') + std::string(100000, ']'))));
        std::string objects = "{\"ops\": ";
        for (int i = 0; i < 100000; ++i)
            objects += "{\"a\":";
        QVERIFY(isSentence(k.read(objects)));
        QVERIFY(isSentence(k.read("{\"format\": \"\\ud800\", \"x\": \"\xff\xfe\"}")));
    }

    void garbage()
    {
        std::string bytes(100U << 20U, '\0');
        test::Random random(5);
        for (std::size_t i = 0; i < bytes.size(); i += 97)
            bytes[i] = static_cast<char>(random.below(256));
        bytes[0] = '{';
        QVERIFY(isSentence(sentenceOf(readModel(file(bytes)))));
        bytes[0] = 'P';
        bytes[1] = 'K';
        QVERIFY(isSentence(sentenceOf(readModel(file(bytes)))));
        QVERIFY(isSentence(sentenceOf(readDevice(file(bytes)))));
    }

    void filesThatAreNone()
    {
        QVERIFY(isSentence(sentenceOf(readModel(m_folder.path("nothing")))));
        QVERIFY(isSentence(sentenceOf(readModel(m_folder.path()))));
        QVERIFY(isSentence(sentenceOf(readPlan(m_folder.path(), m_graph))));
        QVERIFY(isSentence(sentenceOf(readProfile("/dev/null", m_graph))));
        QVERIFY(isSentence(sentenceOf(readDevice("/dev/zero"))));
    }
};

} // namespace

QTEST_GUILESS_MAIN(TstMalformed)
#include "tst_malformed.moc"
