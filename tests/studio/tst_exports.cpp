// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/exports/animation.h"
#include "app/studio/shell/exports/exports.h"
#include "app/studio/shell/exports/model_csv.h"
#include "app/studio/shell/exports/view_picture.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/compare/summary_view.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/shared/verdict.h"
#include "core/exports/exporter.h"
#include "core/exports/html.h"
#include "core/views/compare_verdict.h"
#include "tests/studio/window_test.h"

#include <QSvgRenderer>

using namespace remat;
using namespace remat::studio;

class TestExports : public QObject, fixture::InWindow
{
    Q_OBJECT

    Exports *exports() const { return m_window->findChild<Exports *>(QStringLiteral("exports")); }
    QString path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    static QByteArray read(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    static QByteArray number(quint32 value)
    {
        QByteArray bytes(4, '\0');
        qToBigEndian(value, bytes.data());
        return bytes;
    }
    /// The check of the PNG standard, one bit after the other.
    static QByteArray checkOf(const QByteArray &bytes)
    {
        quint32 check = 0xffffffffU;
        for (const char byte : bytes) {
            check ^= static_cast<unsigned char>(byte);
            for (int bit = 0; bit < 8; ++bit)
                check = (check & 1U) != 0 ? (check >> 1U) ^ 0xedb88320U : check >> 1U;
        }
        return number(~check);
    }
    static QByteArray chunk(const QByteArray &type, const QByteArray &data)
    {
        return number(static_cast<quint32>(data.size())) + type + data + checkOf(type + data);
    }
    /// What a player of animated PNGs shows, frame by frame; none when a chunk, an order or a time is not as it must
    /// be.
    static std::vector<QImage> played(const QByteArray &file, int milliseconds)
    {
        std::vector<QImage> frames;
        const auto numberAt = [](const QByteArray &bytes, qsizetype at) {
            return static_cast<int>(qFromBigEndian<quint32>(bytes.constData() + at));
        };
        QByteArray header, colours, control;
        QImage canvas;
        int order = 0, promised = -1;
        for (qsizetype at = 8; at < file.size();) {
            const qsizetype length = numberAt(file, at);
            const QByteArray type = file.mid(at + 4, 4), data = file.mid(at + 8, length);
            if (file.mid(at, length + 12) != chunk(type, data)) return {};
            at += length + 12;
            if (type == "IHDR") header = data;
            if (type == "PLTE") colours = data;
            if (type == "acTL") promised = numberAt(data, 0);
            if ((type == "fcTL" || type == "fdAT") && numberAt(data, 0) != order++) return {};
            if (type == "fcTL") control = data;
            if (type != "IDAT" && type != "fdAT") continue;
            if (milliseconds > 0 && numberAt(control, 20) != (milliseconds << 16 | 1000)) return {};
            const QByteArray part = QByteArrayLiteral("\x89PNG\r\n\x1a\n") +
                                    chunk("IHDR", control.mid(4, 8) + header.mid(8)) + chunk("PLTE", colours) +
                                    chunk("IDAT", type == "IDAT" ? data : data.mid(4)) + chunk("IEND", {});
            const QImage image = QImage::fromData(part, "PNG");
            if (image.isNull()) return {};
            if (canvas.isNull()) canvas = QImage(image.size(), QImage::Format_RGB32);
            QPainter(&canvas).drawImage(numberAt(control, 12), numberAt(control, 16), image);
            frames.push_back(canvas);
        }
        if (promised != static_cast<int>(frames.size())) return {};
        return frames;
    }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1400, 900);
        m_window->show();
        m_window->openFile(fixture::writeChain(m_folder, 6));
        QTRY_VERIFY(m_window->session().document.currentPlan() && m_window->idle());
    }
    void cleanup() { m_window.reset(); }

    void nothingCanBeExportedBeforeThereIsAModel()
    {
        const MainWindow empty;
        for (const char *id : {"exportPlan", "report", "exportView", "exportTable", "copyView"})
            QVERIFY2(!empty.commands().find(QString::fromLatin1(id))->isEnabled(), id);
        for (const char *id : {"exportPlan", "report", "exportView", "exportTable", "copyView"})
            QVERIFY2(command(id)->isEnabled(), id);
    }

    void everyViewIsWrittenAsVectorsPageAndPixels()
    {
        for (const auto place : {Workspace::Area::Center, Workspace::Area::Bottom, Workspace::Area::Right}) {
            ViewArea *area = m_window->workspace()->area(place);
            const QString before = area->current();
            for (const QString &id : area->ids()) {
                m_window->workspace()->showView(id);
                QTRY_VERIFY(m_window->idle());
                area->focusTarget()->setFocus();
                for (const char *suffix : {"svg", "pdf", "png"}) {
                    const QString file = m_folder.filePath(id + QLatin1Char('.') + QString::fromLatin1(suffix));
                    QCOMPARE(writePicture(*area->view(id), id, file), QString());
                    QVERIFY2(read(file).size() > 800, qPrintable(file));
                }
                QVERIFY(QSvgRenderer(m_folder.filePath(id + QStringLiteral(".svg"))).isValid());
                QVERIFY(read(m_folder.filePath(id + QStringLiteral(".pdf"))).startsWith("%PDF"));
                const QImage pixels(m_folder.filePath(id + QStringLiteral(".png")));
                QCOMPARE(pixels.size(), area->view(id)->size() * 2);
            }
            m_window->workspace()->showView(before);
        }
    }

    void vectorsAreNoPictures()
    {
        const QString file = path("memory-vectors.svg");
        QCOMPARE(writePicture(*m_window->workspace()->memory(), QStringLiteral("Memory"), file), QString());
        const QString text = QString::fromUtf8(read(file));
        QVERIFY(text.contains(QStringLiteral("<path")) || text.contains(QStringLiteral("<polygon")));
        QVERIFY(text.contains(QStringLiteral("forward")));
    }

    void aPictureOfAnotherKindIsRefused()
    {
        QVERIFY(writePicture(*m_window->workspace()->memory(), {}, path("x.gif")).contains(QStringLiteral(".svg")));
        QVERIFY(!writePicture(*m_window->workspace()->memory(), {}, QStringLiteral("/nowhere/x.svg")).isEmpty());
    }

    void theViewWithTheKeyboardIsWritten()
    {
        m_window->workspace()->memory()->canvas()->setFocus();
        exports()->exportTable(path("memory.csv"));
        const QStringList lines =
            QString::fromUtf8(read(path("memory.csv"))).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), m_window->workspace()->memory()->table()->rowCount() + 1);
        QVERIFY(m_window->messages()->isVisible());

        m_window->workspace()->graph()->canvas()->setFocus();
        exports()->exportTable(path("graph.csv"));
        QVERIFY(read(path("graph.csv")).contains("layers.1"));
        exports()->exportView(path("graph.svg"));
        QVERIFY(QSvgRenderer(path("graph.svg")).isValid());
    }

    void plansAreWrittenInEveryForm()
    {
        for (const char *format : {"csv", "chrome-trace", "dot", "report"}) {
            const QString file = path(format);
            exports()->exportPlan(QString::fromLatin1(format), file);
            QTRY_VERIFY(!exports()->running());
            QVERIFY2(read(file).size() > 300, format);
        }
        // This graph has no operators, and the window says so.
        exports()->exportPlan(QStringLiteral("python"), path("plan.py"));
        QTRY_VERIFY(!exports()->running());
        QVERIFY(!QFile::exists(path("plan.py")));
        QVERIFY(m_window->messages()->sentence().contains(QStringLiteral("without operators")));
    }

    void aReportIsAboutTheComparedPlans()
    {
        exports()->writeReport(path("one.html"));
        QTRY_VERIFY(!exports()->running());
        QCOMPARE(read(path("one.html")).count("<svg"), 1);

        Document &document = m_window->session().document;
        const auto model = document.model();
        for (const std::int64_t share : {70, 85}) {
            document.addPlan(
                fixture::solvedEntry(*model, "search", model->keepAll->peakBytes * share / 100, document.nextPlanId()));
        }
        document.setCompared({document.plans()[document.plans().size() - 2]->id, document.plans().back()->id});
        exports()->writeReport(path("two.html"));
        QTRY_VERIFY(!exports()->running());
        QCOMPARE(read(path("two.html")).count("<svg"), 3);
        QVERIFY(read(path("two.html")).contains("A: "));
        // It says which is better, and why, in the words of the window and of `remat compare`.
        const CompareVerdict verdict =
            compareVerdict(*model, *document.plans()[document.plans().size() - 2], *document.plans().back());
        QVERIFY(!verdict.title.empty() && !verdict.why.empty());
        std::vector<std::string> said = verdict.why;
        said.insert(said.end(), {verdict.title, verdict.sentence});
        for (const std::string &sentence : said)
            QVERIFY2(read(path("two.html")).contains(html::escaped(sentence).c_str()), sentence.c_str());
        command("showSummary")->trigger();
        auto *summary = m_window->workspace()->view<SummaryView>();
        QTRY_VERIFY(summary->findChild<VerdictBox *>() && summary->findChild<VerdictBox *>()->isVisible());
        QCOMPARE(summary->findChild<VerdictBox *>()->look().title, QString::fromStdString(verdict.title));
    }

    void anAnimationHasEveryFrameAsItWas()
    {
        std::vector<QImage> frames;
        for (int i = 0; i < 5; ++i) {
            QImage frame(90, 40, QImage::Format_RGB32);
            frame.fill(QColor(240, 240, 240));
            QPainter painter(&frame);
            painter.fillRect(10 * std::max(i, 1), 5, 20, 12, QColor(200, 40, 40)); // the first two are the same
            painter.fillRect(4, 30, 10 + 2 * i, 6, QColor(20, 80, 160));
            painter.end();
            frames.push_back(frame);
        }
        frames.push_back(frames.back());
        const QByteArray file = animatedPng(frames, 250);
        QVERIFY(file.startsWith("\x89PNG\r\n\x1a\n"));
        const std::vector<QImage> shown = played(file, 250);
        QCOMPARE(shown.size(), frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i)
            QVERIFY2(shown[i] == frames[i], qPrintable(QString::number(i)));
        QCOMPARE(QImage::fromData(file, "PNG").convertToFormat(QImage::Format_RGB32), frames.front());
        QVERIFY(animatedPng({}, 250).isEmpty());
    }

    void thePlanIsWrittenAsAnAnimation()
    {
        Replay &replay = m_window->session().replay;
        replay.go(3);
        const QString file = path("steps.png");
        exports()->writeAnimation(file);
        QVERIFY(!command("exportAnimation")->isEnabled());
        QTRY_VERIFY(!exports()->running());
        QVERIFY2(m_window->messages()->sentence().contains(file), qPrintable(m_window->messages()->sentence()));
        QCOMPARE(replay.sample(), 3);
        const std::vector<QImage> shown = played(read(file), 0);
        const auto steps = document().currentPlan()->timeline->op.size();
        QCOMPARE(shown.size(), std::min<std::size_t>(steps, 60));
        QVERIFY(shown.front() != shown.back());
        QCOMPARE(exports()->exportAnimation(path("at-once.png")), QString());
        QCOMPARE(played(read(path("at-once.png")), 0).size(), shown.size());
        QVERIFY(!exports()->exportAnimation(QStringLiteral("/nowhere/steps.png")).isEmpty());
    }

    void theDialogOffersEveryForm()
    {
        command("exportPlan")->trigger();
        auto *dialog = m_window->findChild<QFileDialog *>();
        QVERIFY(dialog);
        QCOMPARE(dialog->nameFilters().size(), static_cast<qsizetype>(exportFormats().size()));
        dialog->selectNameFilter(dialog->nameFilters()[1]);
        Q_EMIT dialog->filterSelected(dialog->nameFilters()[1]);
        QCOMPARE(dialog->defaultSuffix(), QStringLiteral("csv"));
        dialog->selectFile(path("chosen"));
        QMetaObject::invokeMethod(dialog, "accept");
        QTRY_VERIFY(QFile::exists(path("chosen.csv")));
    }

    void copyPutsThePictureOnTheClipboard()
    {
        QApplication::clipboard()->clear();
        command("copyView")->trigger();
        QVERIFY(!QApplication::clipboard()->image().isNull());
    }

    void treesSayTheirDepth()
    {
        QStandardItemModel tree;
        tree.setHorizontalHeaderLabels({QStringLiteral("name"), QStringLiteral("bytes")});
        auto *root = new QStandardItem(QStringLiteral("a, b"));
        root->appendRow({new QStandardItem(QStringLiteral("c")), new QStandardItem(QStringLiteral("2"))});
        tree.appendRow({root, new QStandardItem(QStringLiteral("1"))});
        QCOMPARE(csvOf(tree), QStringLiteral("depth,name,bytes\n0,\"a, b\",1\n1,c,2\n"));
    }
};

QTEST_MAIN(TestExports)
#include "tst_exports.moc"
