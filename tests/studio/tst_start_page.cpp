// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/text/text.h"
#include "app/studio/shell/start_page/recent_files.h"
#include "app/studio/shell/start_page/sample_card.h"
#include "app/studio/shell/start_page/start_page.h"
#include "app/studio/shell/start_page/start_rows.h"
#include "app/studio/shell/window/main_window.h"
#include "tests/studio/window_fixture.h"

using namespace remat;
using namespace remat::studio;

class TestStartPage : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;
    QTemporaryDir m_folder;

    static Sample sample(const QString &name, bool tiny)
    {
        return {name, QStringLiteral("/samples/%1.pt2").arg(name), name.toUpper(), QStringLiteral("a subtitle"), tiny};
    }

private Q_SLOTS:
    void cardsAndChipsOpen()
    {
        MainWindow owner; // commands belong to a window
        StartPage page({sample(QStringLiteral("big"), false), sample(QStringLiteral("small"), true)}, {},
                       owner.commands());
        page.resize(1600, 900);
        page.show();
        QSignalSpy wanted(&page, &StartPage::openWanted);
        auto *card = page.findChild<SampleCard *>(QStringLiteral("sample.big"));
        QVERIFY(card);
        QVERIFY(!card->accessibleName().isEmpty());
        QTest::keyClick(card, Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.front()[0].toString(), QStringLiteral("/samples/big.pt2"));
        QTest::mouseClick(page.findChild<QAbstractButton *>(QStringLiteral("sample.small")), Qt::LeftButton);
        QCOMPARE(wanted.count(), 2);
        QCOMPARE(wanted.back()[1].toString(), QStringLiteral("SMALL"));
    }

    void withoutSamplesASentenceStands()
    {
        MainWindow owner;
        StartPage page({}, QStringLiteral("samples.json cannot be read."), owner.commands());
        const auto *label = page.findChild<QLabel *>(QStringLiteral("samplesError"));
        QVERIFY(label);
        QCOMPARE(label->text(), QStringLiteral("samples.json cannot be read."));
    }

    void columnFollowsTheWindow_data()
    {
        QTest::addColumn<int>("window");
        QTest::addColumn<int>("column");
        QTest::newRow("1600") << 1600 << 1240;
        QTest::newRow("1280") << 1280 << 1040;
    }

    void columnFollowsTheWindow()
    {
        QFETCH(int, window);
        QFETCH(int, column);
        MainWindow owner;
        StartPage page({sample(QStringLiteral("big"), false)}, {}, owner.commands());
        page.resize(window, 900);
        page.show();
        QCOMPARE(page.findChild<DropZone *>()->width(), column);
    }

    void recentFilesAreKeptNewestFirst()
    {
        const auto path = [&](int i) {
            QString name = m_folder.filePath(QStringLiteral("m%1.pt2").arg(i));
            QFile file(name);
            if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
            return name;
        };
        for (int i = 0; i < 12; ++i)
            rememberFile({path(i), QStringLiteral("M%1").arg(i), i, 1000, QDateTime::currentDateTime()});
        rememberFile({path(5), QStringLiteral("M5"), 5, 1000, QDateTime::currentDateTime()});
        std::vector<RecentFile> files = recentFiles();
        QCOMPARE(int(files.size()), kMostRecentFiles);
        QCOMPARE(files[0].title, QStringLiteral("M5"));
        QCOMPARE(files[1].title, QStringLiteral("M11"));
        QFile::remove(files[1].path);
        QCOMPARE(int(recentFiles().size()), kMostRecentFiles - 1);

        // A file by another of its names is the same file.
        const QString link = m_folder.filePath(QStringLiteral("link.pt2"));
        QVERIFY(QFile::link(files[0].path, link));
        rememberFile({link, QStringLiteral("M5"), 5, 1000, QDateTime::currentDateTime()});
        QCOMPARE(int(recentFiles().size()), kMostRecentFiles - 1);
        rememberFile(files[0]);
        QCOMPARE(recentFiles()[0].path, files[0].path);

        MainWindow owner;
        StartPage page({}, {}, owner.commands());
        QSignalSpy wanted(&page, &StartPage::openWanted);
        auto *row = page.findChild<QAbstractButton *>(QStringLiteral("recent.1"));
        QVERIFY(row);
        row->click();
        QCOMPARE(wanted.front()[0].toString(), files[0].path);
    }

    void looksAsItDid_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::newRow("light") << int(Scheme::Light);
        QTest::newRow("dark") << int(Scheme::Dark);
    }

    void looksAsItDid()
    {
        const fixture::RowLook look;
        QSettings().clear();
        MainWindow owner;
        StartPage page({sample(QStringLiteral("big"), false), sample(QStringLiteral("small"), true)}, {},
                       owner.commands());
        SamplePreview preview;
        preview.ops = 861;
        preview.peakBytes = std::int64_t(9) << 30;
        preview.budgetBytes = preview.peakBytes / 2;
        for (auto &band : preview.bands)
            band.assign(kPreviewColumns, 0);
        for (std::size_t i = 0; i < kPreviewColumns; ++i) {
            const auto column = static_cast<std::int64_t>(i < kPreviewColumns / 2 ? i : kPreviewColumns - i);
            preview.keepAll.push_back(preview.peakBytes / (kPreviewColumns / 2) * column);
            preview.bands[static_cast<std::size_t>(Category::KeptActivations)][i] = preview.keepAll[i] * 2 / 5;
        }
        page.setPreview(QStringLiteral("big"), preview);
        page.resize(1300, 800);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        QString difference = fixture::goldenDifference(page, QStringLiteral("start_page_%1.png").arg(tag));
        page.resize(1080, 680);
        if (difference.isEmpty())
            difference = fixture::goldenDifference(page, QStringLiteral("start_page_%1_small.png").arg(tag));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void daysAreWords()
    {
        const QDateTime now(QDate(2026, 5, 14), QTime(15, 0));
        QCOMPARE(dayText(QDateTime(QDate(2026, 5, 14), QTime(14, 10)), now), QStringLiteral("Today, 14:10"));
        QCOMPARE(dayText(now.addDays(-1), now), QStringLiteral("Yesterday"));
        QCOMPARE(dayText(now.addDays(-2), now), QLocale().toString(QDate(2026, 5, 12), QStringLiteral("d MMMM")));
        QVERIFY(dayText(now.addYears(-1), now).contains(QStringLiteral("2025")));
    }

    void pictureShowsTheBudgetAndBothPlans()
    {
        SamplePreview preview;
        preview.ops = 10;
        preview.peakBytes = 100;
        preview.budgetBytes = 50;
        preview.keepAll.assign(kPreviewColumns, 100);
        for (auto &band : preview.bands)
            band.assign(kPreviewColumns, 0);
        preview.bands[static_cast<std::size_t>(Category::KeptActivations)].assign(kPreviewColumns, 30);
        QImage image(200, 100, QImage::Format_RGB32);
        image.fill(Theme::instance().color(Token::Panel));
        QPainter painter(&image);
        paintPreview(painter, QRectF(0, 0, 200, 100), preview);
        painter.end();
        QCOMPARE(image.pixelColor(100, 90), Theme::instance().categoryColor(Category::KeptActivations));
        QVERIFY(image.pixelColor(100, 60) != Theme::instance().categoryColor(Category::KeptActivations));
        QCOMPARE(image.pixelColor(100, 50), Theme::instance().color(Token::Budget));
    }
};

QTEST_MAIN(TestStartPage)
#include "tst_start_page.moc"
