// SPDX-License-Identifier: Apache-2.0
// Language files are whole, and the window speaks their language.
#include "app/studio/base/commands/commands.h"
#include "app/studio/base/style/translation.h"
#include "app/studio/shell/lessons/lesson_panel.h"
#include "app/studio/shell/lessons/lessons.h"
#include "app/studio/shell/window/main_window.h"
#include "core/base/resources.h"
#include "tests/studio/cut_off.h"
#include "tests/studio/window_fixture.h"

#include <algorithm>

using namespace remat;
using namespace remat::studio;

class TestTranslation : public QObject
{
    Q_OBJECT

    struct Text {
        QString context, source;
        QStringList forms; // one, or as many as the language has for numbers
        bool numerus = false, finished = true;
        QString where() const { return context + QStringLiteral(": ") + source; }
    };

    fixture::OwnSettings m_settings;
    QTemporaryDir m_folder;

    static QString folder() { return QStringLiteral(REMAT_SAMPLES "/../translations"); }

    static std::vector<Text> read(const QString &path)
    {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", qPrintable(path));
        QXmlStreamReader xml(&file);
        std::vector<Text> texts;
        QString context;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) continue;
            if (xml.name() == QLatin1String("name")) context = xml.readElementText();
            if (xml.name() == QLatin1String("message")) {
                texts.push_back({});
                texts.back().context = context;
                texts.back().numerus = xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes");
            }
            if (xml.name() == QLatin1String("source")) texts.back().source = xml.readElementText();
            if (xml.name() == QLatin1String("translation")) {
                texts.back().finished = !xml.attributes().hasAttribute(QLatin1String("type"));
                if (!texts.back().numerus) texts.back().forms << xml.readElementText();
            }
            if (xml.name() == QLatin1String("numerusform")) texts.back().forms << xml.readElementText();
        }
        if (xml.hasError()) qFatal("%s: %s", qPrintable(path), qPrintable(xml.errorString()));
        return texts;
    }

    /// What a translation must hold as often as its source: places for values, options, filters, file endings, numbers.
    static QStringList kept(const QString &text)
    {
        static const QRegularExpression words(QStringLiteral(
            "%\\d|%n|--[a-z-]+|\\b[a-z]+:[a-z0-9.]*[a-z0-9]|\\b[a-z]+=[A-Z]+|\\.[a-z][a-z0-9]+\\b|\\d+\\.\\d+"));
        QStringList found;
        for (auto match = words.globalMatch(text); match.hasNext();)
            found << match.next().captured();
        found.sort();
        return found;
    }

    static QString edge(const QString &text, bool front)
    {
        const QString trimmed = text.trimmed();
        const qsizetype at = text.indexOf(trimmed);
        return front ? text.left(at) : text.mid(at + trimmed.size());
    }

    static void languages()
    {
        QTest::addColumn<QString>("language");
        const QStringList files = QDir(folder()).entryList({QStringLiteral("remat-studio_*.ts")});
        if (files.isEmpty()) qFatal("There is no language file in %s", qPrintable(folder()));
        for (QString name : files) {
            name = name.section(QLatin1Char('_'), 1).chopped(3);
            QTest::newRow(qPrintable(name)) << name;
        }
    }

private Q_SLOTS:
    void everyTextIsTranslated_data() { languages(); }
    void everyTextIsTranslated()
    {
        QFETCH(QString, language);
        std::vector<QString> all, here;
        for (const Text &text : read(folder() + QStringLiteral("/remat-studio.ts")))
            all.push_back(text.where());
        for (const Text &text : read(folder() + QStringLiteral("/remat-studio_%1.ts").arg(language))) {
            here.push_back(text.where());
            QVERIFY2(text.finished && !text.forms.isEmpty(), qPrintable(text.where()));
            for (const QString &form : text.forms) {
                QVERIFY2(!form.trimmed().isEmpty(), qPrintable(text.where()));
                QVERIFY2(kept(form) == kept(text.source), qPrintable(text.where() + QStringLiteral(" / ") + form));
                for (const bool front : {true, false})
                    QVERIFY2(edge(form, front) == edge(text.source, front), qPrintable(text.where()));
                QCOMPARE(form.count(QLatin1Char('\t')), text.source.count(QLatin1Char('\t')));
            }
        }
        QVERIFY(all.size() > 1000);
        std::sort(all.begin(), all.end());
        std::sort(here.begin(), here.end());
        QCOMPARE(here, all);
    }

    void everyFormOfANumberIsUsed_data() { languages(); }
    void everyFormOfANumberIsUsed()
    {
        QFETCH(QString, language);
        QTranslator translator;
        QVERIFY(translator.load(QString::fromStdString((resourceDir() / "translations").string()) +
                                QStringLiteral("/remat-studio_%1.qm").arg(language)));
        int numbers = 0;
        for (const Text &text : read(folder() + QStringLiteral("/remat-studio_%1.ts").arg(language))) {
            if (!text.numerus) continue;
            ++numbers;
            QSet<QString> used;
            for (int n = 0; n <= 200; ++n)
                used << translator.translate(text.context.toUtf8().constData(), text.source.toUtf8().constData(),
                                             nullptr, n);
            QVERIFY2(used == QSet<QString>(text.forms.begin(), text.forms.end()), qPrintable(text.where()));
        }
        QVERIFY(numbers > 0);
    }

    void englishStaysWhereItComesFirst()
    {
        QVERIFY(!installTranslation(*qApp, QLocale(QLocale::English, QLocale::UnitedKingdom)));
        QVERIFY(!installTranslation(*qApp, QLocale(QLocale::Icelandic)));
        QCOMPARE(QCoreApplication::translate("Phase", "backward"), QStringLiteral("backward"));
    }

    void theWindowSpeaksGerman_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280") << QSize(1280, 800);
        QTest::newRow("1600") << QSize(1600, 980);
    }
    void theWindowSpeaksGerman()
    {
        QFETCH(QSize, size);
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        static const bool installed = installTranslation(*qApp, QLocale(QLocale::German, QLocale::Austria));
        QVERIFY(installed);
        QSettings().clear();
        MainWindow window;
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QStringList found = fixture::cutOff(window);
        window.openFile(fixture::writeChain(m_folder, 12));
        QTRY_VERIFY(window.session().document.model());
        QTRY_VERIFY(window.idle());
        window.session().document.selectOp(OpId(3));
        QTest::qWait(300);
        found += fixture::cutOff(window);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));

        const auto title = [&](QLatin1String command) { return window.commands().action(command)->text(); };
        QCOMPARE(title(command::kSolve), QStringLiteral("Lösen"));
        QCOMPARE(title(command::kValidate), QStringLiteral("Validieren"));
        QCOMPARE(title(command::kQuit), QStringLiteral("Beenden"));
        QCOMPARE(Commands::sectionTitle(Section::View), QStringLiteral("Ansicht"));

        // Qt's own texts, and numbers with the point that they are typed and written with.
        QCOMPARE(QCoreApplication::translate("QPlatformTheme", "Cancel"), QStringLiteral("Abbrechen"));
        QCOMPARE(QKeySequence(Qt::CTRL | Qt::Key_O).toString(QKeySequence::NativeText), QStringLiteral("Strg+O"));
        QStringList shown;
        for (const QLabel *label : window.findChildren<QLabel *>())
            shown << label->text();
        static const QRegularExpression point(QStringLiteral("\\d\\.\\d")), comma(QStringLiteral("\\d,\\d"));
        QVERIFY(!shown.filter(point).isEmpty());
        QCOMPARE(shown.filter(comma), QStringList());

        // Lessons, their glossary and the page for lecturers.
        QVERIFY(window.openLesson(QStringLiteral("again"), 1));
        QTRY_VERIFY(window.idle());
        QVERIFY2(window.lessons().panel()->shownText().contains(QStringLiteral("fünf Schichten")),
                 qPrintable(window.lessons().panel()->shownText()));
        const QStringList cut = fixture::cutOff(*window.lessons().panel());
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
        window.lessons().showGlossary();
        QVERIFY(window.findChild<QWidget *>(QStringLiteral("word.Mehraufwand")));
        window.lessons().showClassPage();
        QVERIFY(window.findChild<QTextBrowser *>()->toPlainText().contains(QStringLiteral("Was Studierende fragen")));
    }
};

QTEST_MAIN(TestTranslation)
#include "tst_translation.moc"
