// SPDX-License-Identifier: Apache-2.0
// What each lesson looks like at its key step: the whole window, in both sizes and both themes.
#include "app/studio/shell/lessons/lesson_panel.h"
#include "app/studio/shell/lessons/lessons.h"
#include "app/studio/views/addresses/address_canvas.h"
#include "core/teaching/lessons/lesson_json.h"
#include "tests/studio/cut_off.h"
#include "tests/studio/golden.h"
#include "tests/studio/window_test.h"
#include "tests/support/sampled.h"

#include <map>

using namespace remat;
using namespace remat::studio;

namespace {

/// The step that shows what the lesson is about.
const std::map<std::string, int> &stepsShown()
{
    static const std::map<std::string, int> all = {
        {"memory", 4},    {"again", 4},     {"sqrt", 3},      {"revolve", 3},   {"rotor", 2},
        {"checkmate", 6}, {"lowersets", 2}, {"hierarchy", 4}, {"intervals", 2}, {"bound", 5},
        {"copying", 6},   {"addresses", 2}, {"chunking", 4},  {"running", 2},   {"yours", 3}};
    return all;
}

/// Small enough for the repository, large enough to see what moved.
QImage smaller(const QPixmap &picture)
{
    constexpr int kWidth = 640;
    return picture.toImage().scaledToWidth(kWidth, Qt::SmoothTransformation);
}

} // namespace

class TestLessonPictures : public QObject, fixture::InWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QSettings().clear(); }
    void cleanup()
    {
        m_window.reset();
        Theme::instance().setScheme(Scheme::Light);
    }

    void keySteps_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("step");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("scheme");
        const std::vector<Lesson> lessons = readLessons();
        QCOMPARE(lessons.size(), stepsShown().size());
        constexpr std::size_t kLooks = 4; // each lesson has another one tomorrow
        std::size_t row = 0;
        for (const Lesson &lesson : lessons) {
            for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)})
                for (const Scheme scheme : {Scheme::Light, Scheme::Dark})
                    if (test::isSampled(row++, kLooks))
                        QTest::addRow("%s, %d, %s", lesson.name.c_str(), size.width(),
                                      scheme == Scheme::Light ? "light" : "dark")
                            << QString::fromStdString(lesson.name) << stepsShown().at(lesson.name) << size
                            << static_cast<int>(scheme);
            ++row;
        }
    }

    void keySteps()
    {
        QFETCH(QString, name);
        QFETCH(int, step);
        QFETCH(QSize, size);
        QFETCH(int, scheme);
        const bool dark = scheme == static_cast<int>(Scheme::Dark);
        Theme::instance().setScheme(static_cast<Scheme>(scheme));
        openWindow(size);
        QVERIFY(m_window->openLesson(name, step));
        QTRY_VERIFY(document().model() && m_window->idle());
        LessonRun &run = m_window->lessons().run();
        QWidget *panel = m_window->lessons().panel();
        if (!run.current().question.choices.empty()) {
            run.choose(run.current().question.answer);
            const auto *said = panel->findChild<QLabel *>(QStringLiteral("lessonAnswer"));
            QTRY_VERIFY(said->isVisible() && said->height() >= said->heightForWidth(said->width()));
        }
        QTRY_VERIFY(m_window->idle());
        const QStringList cut = fixture::cutOff(*panel);
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
        // Addresses follow the plan a little later, and are grey until then.
        if (const auto *map = m_window->findChild<AddressCanvas *>(); map && map->isVisible())
            QTRY_VERIFY(map->scene().map && map->scene().current);
        if (auto *frame = m_window->findChild<QWidget *>(QStringLiteral("litFrame")))
            frame->hide();                         // it goes by itself
        if (dark != (size.width() > 1600)) return; // two of the four are kept as pictures
        const QString file =
            QStringLiteral("lesson_%1_%2.png").arg(name, dark ? QStringLiteral("dark") : QStringLiteral("light"));
        // How far GPT-2 is solved within its seconds is up to the machine.
        const double most = name == QLatin1String("bound") ? 0.04 : 0.01;
        const QString difference = fixture::goldenDifference(smaller(m_window->grab()), file, most);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
};

QTEST_MAIN(TestLessonPictures)
#include "tst_lesson_pictures.moc"
