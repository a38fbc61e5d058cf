// SPDX-License-Identifier: Apache-2.0
// The list of planners stands out from what it covers.
#include "app/studio/views/plan/planner_box.h"
#include "tests/studio/window_fixture.h"

using namespace remat;
using namespace remat::studio;

class TestPlannerList : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Theme::instance().setScheme(Scheme::Light); }

    void hasAFrame_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::newRow("light") << int(Scheme::Light);
        QTest::newRow("dark") << int(Scheme::Dark);
    }
    void hasAFrame()
    {
        const fixture::RowLook look;
        PlannerCombo planner;
        planner.addItems({QStringLiteral("Automatic"), QStringLiteral("HiRemate"), QStringLiteral("Rotor")});
        planner.show();
        planner.showPopup();
        QWidget *list = planner.view()->window();
        QTRY_VERIFY(list->isVisible());
        const QImage picture = list->grab().toImage();
        if (qEnvironmentVariableIsSet("REMAT_LOOK"))
            picture.save(QStringLiteral("planners-%1.png").arg(QString::fromLatin1(QTest::currentDataTag())));
        const QString line = Theme::instance().color(Token::LineStrong).name();
        const QRect edge = picture.rect();
        for (const QPoint at : {QPoint(edge.left(), edge.center().y()), QPoint(edge.right(), edge.center().y()),
                                QPoint(edge.center().x(), edge.top()), QPoint(edge.center().x(), edge.bottom())})
            QCOMPARE(picture.pixelColor(at).name(), line);
        planner.hidePopup();
    }
};

QTEST_MAIN(TestPlannerList)
#include "tst_planner_list.moc"
