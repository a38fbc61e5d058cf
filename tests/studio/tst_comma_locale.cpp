// SPDX-License-Identifier: Apache-2.0
// Numbers where people write 4,5: files are the same as everywhere, and what is typed is read either way.
#include "app/studio/shell/exports/view_picture.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/memory/memory_view.h"
#include "core/base/budget.h"
#include "core/base/units.h"
#include "core/exports/exporter.h"
#include "solvers/uses/sweep_csv.h"
#include "tests/studio/window_test.h"
#include "tests/support/comma_locale.h"

#include <clocale>

using namespace remat;
using namespace remat::studio;

class TestCommaLocale : public QObject, fixture::InWindow
{
    Q_OBJECT

    static void use(const char *name)
    {
        QVERIFY(std::setlocale(LC_ALL, name) != nullptr);
        QLocale::setDefault(QLocale(QString::fromLatin1(name)));
    }

    QByteArray read(const QString &name) const
    {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    /// What `remat` says, in the locale of the environment.
    QByteArray said(QStringList arguments, const char *locale) const
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("LC_ALL"), QString::fromLatin1(locale));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder.path());
        process.start(QStringLiteral(REMAT_BIN "/remat"), arguments);
        if (!process.waitForFinished(120000) || process.exitCode() != 0)
            return "failed: " + process.readAllStandardError();
        return process.readAllStandardOutput();
    }

private Q_SLOTS:
    void initTestCase()
    {
        openWindow();
        openChain(6);
        QTRY_VERIFY(document().currentPlan() && m_window->idle());
    }
    void cleanupTestCase()
    {
        m_window.reset();
        use("C");
    }

    void theLocaleIsThatOfTheTest()
    {
        use("de_DE.UTF-8");
        QCOMPARE(QByteArray(std::localeconv()->decimal_point), QByteArray(","));
        QCOMPARE(QLocale().decimalPoint(), QStringLiteral(","));
    }

    void shownNumbersCanBeTypedAgain()
    {
        use("de_DE.UTF-8");
        const std::int64_t budget = 4 * kGiB + kGiB / 2;
        QCOMPARE(formatBytes(budget), std::string("4.50 GiB"));
        for (const char *typed : {"4.50 GiB", "4.5GiB", "4,5GiB", "4,50 GiB"})
            QCOMPARE(parseBudget(typed, kGiB).value_or(0), budget);
        QVERIFY(!parseBudget("1,500MiB", kGiB)); // a half more, or a thousand times as much
        QCOMPARE(parseBudget("62,5%", 1000).value_or(0), 625);
    }

    void theBudgetFieldTakesBoth_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::newRow("point") << QStringLiteral("4.5KiB");
        QTest::newRow("comma") << QStringLiteral("4,5KiB");
    }
    void theBudgetFieldTakesBoth()
    {
        use("de_DE.UTF-8");
        QFETCH(QString, typed);
        document().setBudget(5000);
        m_window->commands().action(command::kEditBudget)->trigger();
        auto *field = m_window->findChild<QLineEdit *>(QStringLiteral("budgetField"));
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClicks(field, typed);
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(document().budgetBytes(), 4608);
        QCOMPARE(field->text(), QStringLiteral("4.50 KiB"));
    }

    void exportsAreTheSameBytes_data()
    {
        QTest::addColumn<QString>("format");
        for (const ExportFormat &format : exportFormats())
            if (!format.needsOperators) // a chain has none
                QTest::newRow(format.name.c_str()) << QString::fromStdString(format.name);
    }
    void exportsAreTheSameBytes()
    {
        QFETCH(QString, format);
        const auto form = findExportFormat(format.toStdString());
        QVERIFY(form);
        const auto model = document().model();
        const ExportInput input{*model->open->model, *model->costs, *document().currentPlan()->plan};
        use("de_DE.UTF-8");
        const auto here = (*form)->write(input);
        use("C");
        const auto elsewhere = (*form)->write(input);
        QVERIFY(here && elsewhere);
        QCOMPARE(QByteArray::fromStdString(*here), QByteArray::fromStdString(*elsewhere));
    }

    void picturesAreTheSameBytes()
    {
        for (const char *name : {"de_DE.UTF-8", "C"}) {
            use(name);
            QCOMPARE(writePicture(*m_window->workspace()->memory(), QStringLiteral("Memory"),
                                  m_folder.filePath(QString::fromLatin1(name) + QStringLiteral(".svg"))),
                     QString());
        }
        QVERIFY(read(QStringLiteral("C.svg")).size() > 800);
        QCOMPARE(read(QStringLiteral("de_DE.UTF-8.svg")), read(QStringLiteral("C.svg")));
    }

    void theCommandLineIsTheSameEverywhere()
    {
        const QString graph = fixture::writeChain(m_folder, 6);
        for (const char *budget : {"80.5%", "80,5%"}) {
            const QByteArray plan = said({QStringLiteral("plan"), graph, QStringLiteral("--budget"),
                                          QString::fromLatin1(budget), QStringLiteral("--solver"),
                                          QStringLiteral("chen-sqrt"), QStringLiteral("-o"), QStringLiteral("p.json")},
                                         "de_DE.UTF-8");
            QVERIFY2(!plan.startsWith("failed"), plan.constData());
            QVERIFY(!QJsonDocument::fromJson(read(QStringLiteral("p.json"))).isNull());
        }
        const QStringList sentences[] = {
            {QStringLiteral("info"), graph, QStringLiteral("--json")},
            {QStringLiteral("info"), graph},
            {QStringLiteral("bound"), graph, QStringLiteral("--budget"), QStringLiteral("80%")},
            {QStringLiteral("layout"), graph, QStringLiteral("p.json"), QStringLiteral("-o"), QStringLiteral("-")},
            {QStringLiteral("export"), graph, QStringLiteral("p.json"), QStringLiteral("--as"),
             QStringLiteral("report"), QStringLiteral("-o"), QStringLiteral("-")}};
        for (const QStringList &arguments : sentences) {
            QByteArray here = said(arguments, "de_DE.UTF-8"), elsewhere = said(arguments, "C");
            if (arguments.front() == QStringLiteral("bound")) { // says how long it took
                here = here.left(here.indexOf("* at least"));
                elsewhere = elsewhere.left(elsewhere.indexOf("* at least"));
            }
            QVERIFY2(!here.startsWith("failed"), here.constData());
            QCOMPARE(here, elsewhere);
        }
    }
};

int main(int argc, char **argv)
{
    const QTemporaryDir locales;
    const bool made = test::useCommaLocale(locales);
    QApplication application(argc, argv);
    if (!made) qFatal("The locale could not be made: apt install locales");
    TestCommaLocale test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_comma_locale.moc"
