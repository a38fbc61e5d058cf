// SPDX-License-Identifier: Apache-2.0
// Files whose every name is an attack: nothing of it reaches a terminal, a spreadsheet, a page or an interpreter.
#include "core/exports/exporter.h"
#include "tests/app/cli_fixture.h"
#include "tests/core/archive_fixture.h"

#include <QtTest>

using remat::test::callRemat;
using remat::test::Folder;
using remat::test::Json;
using remat::test::nodeOf;
using remat::test::Outcome;
using remat::test::tinyEntries;
using remat::test::tinyModel;
using remat::test::zipOf;

namespace {

/// Ends strings and comments, opens tags and formulas, and drives a terminal; a file `owned` says that one has worked.
std::string attack(const std::string &name)
{
    return "=" + name + "\"\"\"\n__import__('os').system('touch owned')\n'''\\" +
           "\r\x1b[2J\x1b]0;x\a\x7f\u009b\u202e\u2066\u2028<script>alert(1)</script><img src=x "
           "onerror=y>\"];x[label=<b>";
}

/// Every text and key of the document that is one of `names`, turned into an attack.
void turn(Json &json, const QStringList &names)
{
    if (json.is_string()) {
        const auto text = json.get<std::string>();
        if (names.contains(QString::fromStdString(text))) json = attack(text);
        return;
    }
    for (Json &child : json)
        if (child.is_structured() || child.is_string()) turn(child, names);
    if (!json.is_object()) return;
    Json renamed = Json::object();
    for (const auto &[key, value] : json.items())
        renamed[names.contains(QString::fromStdString(key)) ? attack(key) : key] = value;
    json = renamed;
}

/// The records of the tracer are JSON in a string of JSON.
void turnRecords(Json &model, const QStringList &names)
{
    for (Json &node : model["graph_module"]["graph"]["nodes"]) {
        Json record = Json::parse(node["metadata"]["custom"].get<std::string>());
        turn(record, names);
        node["metadata"]["custom"] = record.dump();
    }
}

/// Code points that no output may hold; line feeds are the program's own.
QString controlsIn(const QString &text)
{
    QString found;
    for (const uint code : text.toUcs4()) {
        const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
        if ((code < 0x20 && code != '\n') || (code >= 0x7f && code < 0xa0) || code == 0x2028 || turns)
            found += QStringLiteral(" U+%1").arg(code, 4, 16, QLatin1Char('0'));
    }
    return found;
}

constexpr const char *kLooksAtCode = R"(
import ast, re, sys, types
source = open(sys.argv[1], encoding="utf-8").read()
tree = ast.parse(source)
allowed = {"draw", "run_plan", "float", "int", "dict", "torch.empty_strided", "torch.Generator", "torch.device",
           "torch.no_grad", "torch.randint", "torch.random.fork_rng", "torch.cuda.manual_seed",
           "torch.random.default_generator.manual_seed", "torch.export.load"}
methods = {"random_", "normal_", "clamp_", "zero_", "cpu", "to", "manual_seed", "detach", "items", "named_parameters",
           "named_buffers"}
kinds = [type(statement).__name__ for statement in tree.body]
assert kinds == ["Expr", "Import"] + 6 * ["FunctionDef"], kinds
for node in ast.walk(tree):
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        method = isinstance(node.func, ast.Attribute) and node.func.attr in methods
        assert called in allowed or method or re.fullmatch(r"torch\.ops\.aten\.\w+\.\w+", called), called
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        assert ast.unparse(node) == "import torch", ast.unparse(node)
    if isinstance(node, (ast.Name, ast.FunctionDef, ast.keyword)):
        name = getattr(node, "id", None) or getattr(node, "name", None) or getattr(node, "arg", None)
        assert name is None or name.isascii(), name
    assert not isinstance(node, (ast.Lambda, ast.JoinedStr, ast.GeneratorExp)), node
torch = types.ModuleType("torch")
torch.no_grad = lambda: (lambda function: function)
sys.modules["torch"] = torch
exec(compile(tree, "exported", "exec"), {})
print(len([n for n in ast.walk(tree) if isinstance(n, ast.Call)]))
)";

} // namespace

class TestCliHostile : public QObject
{
    Q_OBJECT

    Folder m_folder;
    QString m_graph, m_plan;      ///< as JSON
    QString m_trace, m_tracePlan; ///< from PyTorch

    QString path(const char *name) const { return QString::fromStdString(m_folder.path(name).string()); }
    QString write(const char *name, const std::string &content) const
    {
        return QString::fromStdString(m_folder.write(name, content).string());
    }
    static std::string read(const QString &file)
    {
        QFile input(file);
        return input.open(QIODevice::ReadOnly) ? input.readAll().toStdString() : std::string();
    }

    /// A plan of keep-all, with an attack in every text that is not looked up.
    QString hostilePlan(const QString &model, const char *name)
    {
        const QString made = path("made.json");
        const Outcome planned = callRemat({"plan", model, "--budget", "100%", "--solver", "keep-all", "-o", made});
        if (planned.code != 0) qFatal("%s", qPrintable(planned.err + planned.out));
        Json plan = Json::parse(read(made));
        plan["graph"]["name"] = attack("graph");
        plan["solver"]["name"] = attack("solver");
        plan["solver"]["status"] = attack("status");
        plan["solver"]["options"] = {{attack("key"), attack("value")}};
        return write(name, plan.dump());
    }

    static QStringList namesOfTrace() { return {"t", "mm", "mean", "ones", "expand", "t_1", "mm_1", "p_w", "x", "i"}; }

    /// A trace after `change`, and what exporting its plan as Python says.
    Outcome exportedAfter(const std::function<void(Json &)> &change)
    {
        Json model = tinyModel();
        change(model);
        const QString trace = write("changed.pt2", zipOf(tinyEntries(model)));
        const QString plan = path("changed.plan.json");
        const Outcome planned = callRemat({"plan", trace, "--budget", "100%", "--solver", "keep-all", "-o", plan});
        if (planned.code != 0) return planned;
        return callRemat({"export", trace, plan, "--as", "python", "-o", "-"});
    }

    /// Empty when the code holds calls of tensors only, and runs nothing when it is imported.
    QString looksAtCode(const QString &code) const
    {
        const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
        if (python.isEmpty()) return QStringLiteral("python3 is missing");
        const QString look = write("look.py", kLooksAtCode), file = write("code.py", code.toStdString());
        QProcess process;
        process.setWorkingDirectory(path(""));
        process.start(python, {look, file});
        process.waitForFinished(120000);
        if (QFile::exists(path("owned"))) return QStringLiteral("code from a name has run");
        return process.exitCode() == 0 ? QString() : QString::fromUtf8(process.readAllStandardError());
    }

private Q_SLOTS:
    void initTestCase()
    {
        Json graph = Json::parse(remat::test::chainJson(4, "chain").toStdString());
        QStringList names{"chain", "layer", "layer_backward", "x", "l", "loss"};
        for (int i = 0; i < 4; ++i)
            for (const char *kind : {"f", "a", "b", "g"})
                names << QLatin1String(kind) + QString::number(i);
        for (Json &op : graph["ops"]) {
            const Json phase = op["phase"];
            turn(op, names);
            op["phase"] = phase;
            if (op.contains("module")) op["module"] = attack("module");
        }
        turn(graph["inputs"], names);
        turn(graph["outputs"], names);
        graph["name"] = attack("chain");
        m_graph = write("graph.json", graph.dump());
        m_plan = hostilePlan(m_graph, "plan.json");

        Json model = tinyModel();
        turnRecords(model, namesOfTrace() << "fc"
                                          << "Linear"
                                          << "Tiny"
                                          << "2.11.0"
                                          << "image"
                                          << "label");
        turn(model["graph_module"]["signature"], namesOfTrace());
        Json &body = model["graph_module"]["graph"];
        for (const char *part : {"inputs", "outputs"})
            turn(body[part], namesOfTrace());
        for (Json &node : body["nodes"])
            for (const char *part : {"name", "inputs", "outputs"})
                turn(node[part], namesOfTrace());
        turn(body["tensor_values"], namesOfTrace());
        model["torch_version"] = attack("torch");
        m_trace = write("trace.pt2", zipOf(tinyEntries(model)));
        m_tracePlan = hostilePlan(m_trace, "trace.plan.json");
    }

    void nothingDrivesTheTerminal_data()
    {
        QTest::addColumn<QStringList>("arguments");
        for (const auto &[title, model, plan] :
             {std::tuple{"graph", m_graph, m_plan}, std::tuple{"trace", m_trace, m_tracePlan}}) {
            const auto row = [&, name = title](const char *command, const QStringList &arguments) {
                QTest::addRow("%s of a %s", command, name) << arguments;
                QTest::addRow("%s of a %s as JSON", command, name) << (QStringList(arguments) << "--json");
            };
            row("info", {"info", model});
            row("costs", {"costs", model});
            row("bound", {"bound", model, "--budget", "80%"});
            row("plan", {"plan", model, "--budget", "80%", "--solver", "chen-sqrt"});
            row("no plan", {"plan", model, "--budget", "1%", "--solver", "chen-sqrt"});
            row("sweep", {"sweep", model, "--budgets", "90%,70%", "--solver", "chen-sqrt,keep-all"});
            row("check", {"check", model, plan});
            row("layout", {"layout", model, plan});
            row("compare", {"compare", model, plan, plan});
            row("find", {"find", model, "size>=0", "--plan", plan});
            row("other graph", {"check", m_graph, m_tracePlan});
            row("pin", {"plan", model, "--budget", "80%", "--keep", "nothing of this name"});
            QTest::addRow("layout to the terminal, %s", title) << QStringList{"layout", model, plan, "-o", "-"};
            QTest::addRow("sweep to the terminal, %s", title)
                << QStringList{"sweep", model, "--budgets", "90%", "--solver", "keep-all", "-o", "-"};
            for (const remat::ExportFormat &form : remat::exportFormats())
                QTest::addRow("export %s of a %s", form.name.c_str(), title)
                    << QStringList{"export", model, plan, "--as", QString::fromStdString(form.name), "-o", "-"};
        }
        const QString name = QString::fromStdString(attack("argument")).remove(QChar(0));
        QTest::newRow("no such file") << QStringList{"info", name};
        QTest::newRow("no such command") << QStringList{name};
        QTest::newRow("no such planner") << QStringList{"plan", m_graph, "--budget", "80%", "--solver", name};
        QTest::newRow("no such budget") << QStringList{"plan", m_graph, "--budget", name};
        QTest::newRow("no such number") << QStringList{"plan", m_graph, "--budget", "80%", "--time-limit", name};
        QTest::newRow("no such filter") << QStringList{"find", m_graph, name + QStringLiteral(":x")};
        QTest::newRow("no such word") << QStringList{"find", m_graph, name};
        QTest::newRow("no such plan") << QStringList{"compare", m_graph, m_plan, name};
        QTest::newRow("no such setting") << QStringList{"plan", m_graph, "--budget", "80%", "--set", name};
    }
    void nothingDrivesTheTerminal()
    {
        QFETCH(QStringList, arguments);
        const Outcome outcome = callRemat(arguments);
        QVERIFY2(outcome.code >= 0, qPrintable(outcome.err));
        QVERIFY(!outcome.out.isEmpty() || !outcome.err.isEmpty());
        QCOMPARE(controlsIn(outcome.out), QString());
        QCOMPARE(controlsIn(outcome.err), QString());
        // No line is the name's own.
        for (const QString &line : (outcome.out + outcome.err).split(QLatin1Char('\n')))
            QVERIFY2(!line.startsWith("__import__"), qPrintable(line));
    }

    void jsonSaysNamesExactly()
    {
        const Outcome outcome = callRemat({"info", m_graph, "--json"});
        QCOMPARE(Json::parse(outcome.out.toStdString())["name"].get<std::string>(), attack("chain"));
    }

    void pythonCallsOnlyTensorOperators()
    {
        const Outcome outcome = callRemat({"export", m_trace, m_tracePlan, "--as", "python", "-o", "-"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
        QCOMPARE(looksAtCode(outcome.out), QString());
        QVERIFY(outcome.out.contains("torch.ops.aten.mm.default("));
    }

    void pythonHoldsOneNameOnce()
    {
        // Names that the code makes itself, and ones that only differ where Python does not.
        const QStringList names = namesOfTrace();
        const QStringList clashes{"unused", "mm on host", "mm_on_host", "mm-on-host", "float",
                                  "torch",  "lambda",     "a.b",        "a-b",        "a_b"};
        const Outcome outcome = exportedAfter([&](Json &model) {
            std::string text = model.dump();
            model = Json::parse(text);
            const std::function<void(Json &)> rename = [&](Json &json) {
                if (json.is_string()) {
                    const qsizetype at = names.indexOf(QString::fromStdString(json.get<std::string>()));
                    if (at >= 0) json = clashes[at].toStdString();
                    return;
                }
                for (Json &child : json)
                    if (child.is_structured() || child.is_string()) rename(child);
            };
            for (Json &node : model["graph_module"]["graph"]["nodes"]) {
                Json record = Json::parse(node["metadata"]["custom"].get<std::string>());
                if (record["remat"].contains("alias")) {
                    Json alias = Json::object();
                    for (const auto &[key, value] : record["remat"]["alias"].items())
                        alias[clashes[names.indexOf(QString::fromStdString(key))].toStdString()] = value;
                    record["remat"]["alias"] = alias;
                }
                record["remat"].erase("graph");
                rename(record);
                node["metadata"]["custom"] = record.dump();
            }
            rename(model);
            Json values = Json::object();
            for (const auto &[name, meta] : model["graph_module"]["graph"]["tensor_values"].items())
                values[clashes[names.indexOf(QString::fromStdString(name))].toStdString()] = meta;
            model["graph_module"]["graph"]["tensor_values"] = values;
        });
        QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
        QCOMPARE(looksAtCode(outcome.out), QString());
        QVERIFY(outcome.out.contains("lambda_ = ") || outcome.out.contains("lambda_, "));
        for (const char *name : {"a_b", "a_b_2", "a_b_3", "mm_on_host", "mm_on_host_2", "mm_on_host_3"})
            QVERIFY2(outcome.out.contains(QRegularExpression(QStringLiteral("\\b%1\\b").arg(name))), name);
    }

    void pythonIsRefusedWhereANameIsNone_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("argument");
        const QString code = "mm.default(x); __import__('os').system('touch owned'); (0";
        QTest::newRow("overload") << "torch.ops.aten.mm.default(x); __import__('os')"
                                  << "";
        QTest::newRow("operator") << "torch.ops.aten.mm(x); import os; os.default"
                                  << "";
        QTest::newRow("namespace") << "torch.ops.load_library.__call__.__call__"
                                   << "";
        QTest::newRow("Python's own") << "torch.ops.aten.__class__.__call__"
                                      << "";
        QTest::newRow("keyword") << "torch.ops.aten.mm.default"
                                 << "out=__import__('os').system('touch owned'), out";
        QTest::newRow("keyword of the language") << "torch.ops.aten.mm.default"
                                                 << "from";
    }
    void pythonIsRefusedWhereANameIsNone()
    {
        QFETCH(QString, target);
        QFETCH(QString, argument);
        const Outcome outcome = exportedAfter([&](Json &model) {
            nodeOf(model, "mm")["target"] = target.toStdString();
            if (argument.isEmpty()) return;
            nodeOf(model, "mm")["inputs"][1]["name"] = argument.toStdString();
            nodeOf(model, "mm")["inputs"][1]["kind"] = 2;
        });
        QCOMPARE(outcome.code, 2);
        QCOMPARE(outcome.out, QString());
        QVERIFY2(outcome.err.count('\n') == 1 && outcome.err.size() < 1000, qPrintable(outcome.err));
    }

    void cellsAreNoFormulas()
    {
        const QList<QStringList> calls{
            {"export", m_graph, m_plan, "--as", "csv", "-o", "-"},
            {"layout", m_graph, m_plan, "-o", "-"},
            {"sweep", m_graph, "--budgets", "90%", "--solver", "keep-all,chen-sqrt", "-o", "-"},
        };
        for (const QStringList &call : calls) {
            const Outcome outcome = callRemat(call);
            QVERIFY2(outcome.code != 2 && outcome.out.contains("'="), qPrintable(outcome.err));
            static const QRegularExpression kFormula(QStringLiteral("(^|,)\"?\\s*([=+@]|-(?!\\d))"),
                                                     QRegularExpression::MultilineOption);
            QVERIFY2(!outcome.out.contains(kFormula), qPrintable(outcome.out));
        }
    }

    void pagesHoldNoScript()
    {
        const Outcome outcome = callRemat({"export", m_trace, m_tracePlan, "--as", "report", "-o", "-"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
        const qsizetype body = outcome.out.indexOf("<body>");
        QXmlStreamReader reader(outcome.out.mid(body, outcome.out.indexOf("</html>") - body));
        const QStringList attributes{"class", "style", "viewBox", "role", "aria-label",  "points", "x",  "y",
                                     "x1",    "x2",    "y1",      "y2",   "text-anchor", "cx",     "cy", "r"};
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement) continue;
            QVERIFY(reader.name() != QLatin1String("script") && reader.name() != QLatin1String("img"));
            for (const QXmlStreamAttribute &attribute : reader.attributes())
                QVERIFY2(attributes.contains(attribute.name().toString()), qPrintable(attribute.name().toString()));
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        // The command shown for copying is one line, and its words are quoted.
        const qsizetype command = outcome.out.indexOf("<pre>");
        const QString shown = outcome.out.mid(command, outcome.out.indexOf("</pre>", command) - command);
        QVERIFY2(!shown.contains('\n') && shown.contains("--solver &#39;=solver"), qPrintable(shown));
    }

    /// The page that plays a plan runs its own script, and nothing of a file is in it.
    void playersHoldNoScriptOfOthers()
    {
        const Outcome outcome = callRemat({"export", m_trace, m_tracePlan, "--as", "html-player", "-o", "-"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
        QCOMPARE(outcome.out.count("<script"), 2); // its data and its own
        QCOMPARE(outcome.out.count("</script"), 2);
        QVERIFY(!outcome.out.contains("<img"));
        const qsizetype own = outcome.out.lastIndexOf("<script>");
        QVERIFY(own > 0 && !outcome.out.mid(own).contains("alert"));
    }

    void graphvizReadsLabelsAsText()
    {
        const Outcome outcome = callRemat({"export", m_graph, m_plan, "--as", "dot", "-o", "-"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
        // Without its quoted strings the graph holds only what the program wrote.
        QString rest = outcome.out;
        rest.remove(QRegularExpression(QStringLiteral("\"(?:[^\"\\\\]|\\\\.)*\"")));
        QVERIFY2(!rest.contains("script") && !rest.contains("owned") && !rest.contains('"'), qPrintable(rest));
        static const QRegularExpression kBracket(QStringLiteral("=\\s*<"));
        QVERIFY(!rest.contains(kBracket));
        const QString dot = QStandardPaths::findExecutable(QStringLiteral("dot"));
        if (dot.isEmpty()) return;
        QProcess process;
        process.start(dot, {"-Tcanon", write("graph.dot", outcome.out.toStdString())});
        QVERIFY(process.waitForFinished(120000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    }
};

QTEST_GUILESS_MAIN(TestCliHostile)
#include "tst_cli_hostile.moc"
