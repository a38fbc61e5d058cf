// SPDX-License-Identifier: Apache-2.0
// What a session file says of views and docks may be anything: nothing of it breaks the window.
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/work/document/view_states.h"
#include "tests/studio/window_test.h"

#include <limits>

using namespace remat;
using namespace remat::studio;

namespace {

QJsonArray oddValues()
{
    QJsonArray deep;
    for (int i = 0; i < 100; ++i)
        deep = QJsonArray{deep};
    return {QJsonValue(),
            true,
            -1,
            0.5,
            1e300,
            -1e300,
            double(std::numeric_limits<int>::max()),
            double(std::numeric_limits<int>::min()),
            QString(),
            QString(1000, u'x'),
            QStringLiteral("/../\n"),
            QJsonArray{},
            QJsonArray{1, QStringLiteral("a"), QJsonValue()},
            QJsonArray{1e300, -1e300, 1e300, 1e300},
            QJsonObject{},
            QJsonObject{{QStringLiteral("a"), QJsonObject{}}},
            deep};
}

/// The value with one part of it, anywhere, set to `odd`; one for each part, itself first.
QList<QJsonValue> changed(const QJsonValue &value, const QJsonValue &odd)
{
    QList<QJsonValue> all{odd};
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        for (const QString &key : object.keys())
            for (const QJsonValue &inner : changed(object[key], odd)) {
                QJsonObject copy = object;
                copy[key] = inner;
                all << copy;
            }
    }
    if (value.isArray()) {
        const QJsonArray array = value.toArray();
        for (qsizetype i = 0; i < array.size(); ++i)
            for (const QJsonValue &inner : changed(array[i], odd)) {
                QJsonArray copy = array;
                copy[i] = inner;
                all << copy;
            }
    }
    return all;
}

} // namespace

class TestOddStates : public QObject, fixture::InWindow
{
    Q_OBJECT

    ViewStates &states() { return m_window->session().viewStates; }

    /// Everything that a view keeps holds something.
    QJsonObject arranged()
    {
        GraphView *graph = m_window->workspace()->graph();
        for (const VisibleItem &item : graph->visibleItems())
            if (!item.chevron.isEmpty() && !graph->isExpanded(item.path)) {
                graph->expand(item.path);
                break;
            }
        graph->canvas()->zoomAround({200, 200}, 0.9);
        QApplication::processEvents();
        return states().save();
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("REMAT_NO_ANIMATION", "1");
        openWindow();
        openChain(6);
    }

    void viewsTakeAnything()
    {
        const QJsonObject good = arranged();
        int tried = 0;
        for (const QJsonValue odd : oddValues())
            for (const QJsonValue &value : changed(good, odd)) {
                states().restore(value.toObject());
                QApplication::processEvents();
                ++tried;
            }
        QVERIFY2(tried > 300, qPrintable(QString::number(tried)));
        qInfo("%d states", tried);
        states().restore(good);
        QTRY_VERIFY(m_window->idle());
        m_window->grab();
        QCOMPARE(states().save(), good);
    }

    void docksTakeAnything()
    {
        Workspace *workspace = m_window->workspace();
        const QJsonObject good = workspace->saveLayout();
        for (const QJsonValue odd : oddValues())
            for (const QJsonValue &value : changed(good, odd)) {
                workspace->restoreLayout(value.toObject());
                QApplication::processEvents();
            }
        // Bytes of Qt, as sessions kept them until 0.2, are passed over.
        workspace->restoreLayout({{QStringLiteral("docks"), QString::fromLatin1(m_window->saveState().toBase64())}});
        workspace->restoreLayout(good);
        QApplication::processEvents();
        QCOMPARE(workspace->saveLayout(), good);
        auto *plan = m_window->findChild<QDockWidget *>(QStringLiteral("planDock"));
        plan->hide();
        QVERIFY(workspace->saveLayout() != good);
        workspace->restoreLayout(good);
        QVERIFY(plan->isVisible());
    }

    void aWindowOfAnySizeStaysInReach()
    {
        const QString path = m_folder.filePath(QStringLiteral("odd.remat"));
        m_window->saveSessionTo(path);
        QTRY_VERIFY(QFileInfo::exists(path) && m_window->idle());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject session = QJsonDocument::fromJson(file.readAll()).object();
        file.close();
        const QJsonObject good = session[QStringLiteral("window")].toObject();
        QVERIFY(good[QStringLiteral("place")].toArray().size() == 4);
        // As large as the screen, or as it was: the screen of a test is smaller than that.
        const QSize room = m_window->screen()->availableSize().expandedTo(m_window->size());
        for (const QJsonValue odd :
             QJsonArray{QJsonArray{-1e9, 0, 1e9, 1e9}, QJsonArray{0, 0, 1e300, -5}, QJsonArray{5000, 5000, 10, 10},
                        QJsonArray{0, 0, 16000, 16000}, QStringLiteral("AdnQywAD"), QJsonArray{QStringLiteral("a")}}) {
            QJsonObject layout = good;
            layout[QStringLiteral("place")] = odd;
            layout[QStringLiteral("geometry")] = QStringLiteral("AdnQywADAAAAAAAA"); // as earlier sessions kept it
            session[QStringLiteral("window")] = layout;
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QJsonDocument(session).toJson());
            file.close();
            m_window->openFile(path);
            QTest::qWait(50);
            QTRY_VERIFY(m_window->idle());
            QVERIFY(m_window->width() <= room.width() && m_window->height() <= room.height());
            QVERIFY(m_window->screen()->geometry().intersects(m_window->geometry()));
        }
    }

    void cleanupTestCase() { m_window.reset(); }
};

QTEST_MAIN(TestOddStates)
#include "tst_odd_states.moc"
