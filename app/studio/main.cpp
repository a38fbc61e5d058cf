// SPDX-License-Identifier: Apache-2.0
// remat-studio: the window.
#include "app/studio/base/style/pseudo_translator.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/style/translation.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/features/ui_scale.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/window/start_up.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/teaching/lessons/lesson_json.h"
#include "core/teaching/puzzles/puzzle_json.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QLocale>
#include <QPointer>
#include <QSettings>

#include <clocale>
#include <cstdio>
#include <cstring>

namespace {

using remat::studio::MainWindow;
using remat::studio::PseudoTranslator;
using remat::studio::Scheme;
using remat::studio::StartUp;
using remat::studio::Theme;

constexpr int kWrongCall = 2;

struct MainText {
    Q_DECLARE_TR_FUNCTIONS(main)
};

void sayOnTerminal(const QString &sentence)
{
    std::fprintf(stderr, "%s\n", remat::printableLines(sentence.toStdString()).c_str());
}

int refuse(const QString &sentence)
{
    sayOnTerminal(sentence);
    return kWrongCall;
}

int refuseWindow(MainWindow *window, const QString &sentence)
{
    delete window;
    return refuse(sentence);
}

/// Texts in the person's language where there is a translation, or longer ones where REMAT_PSEUDO asks for them.
void translate(QApplication &application)
{
    if (qEnvironmentVariableIsSet("REMAT_PSEUDO"))
        QCoreApplication::installTranslator(new PseudoTranslator(&application));
    else
        remat::studio::installTranslation(application, QLocale::system());
}

bool setTheme(const QString &name)
{
    if (name == QLatin1String("light"))
        Theme::instance().setScheme(Scheme::Light);
    else if (name == QLatin1String("dark"))
        Theme::instance().setScheme(Scheme::Dark);
    else if (name == QLatin1String("contrast"))
        Theme::instance().setScheme(Scheme::HighContrast);
    else
        return false;
    return true;
}

/// Reads `1600x1000`; an empty size when it is anything else.
QSize sizeOf(const QString &text)
{
    const QStringList parts = text.split(QLatin1Char('x'));
    if (parts.size() != 2) return {};
    const QSize size(parts[0].toInt(), parts[1].toInt());
    return size.width() > 0 && size.height() > 0 && size.width() <= 16384 && size.height() <= 16384 ? size : QSize();
}

/// `sqrt:3` is the third step of the lesson `sqrt`; step 0 where there is none.
std::pair<QString, int> lessonAndStep(const QString &text)
{
    const qsizetype colon = text.lastIndexOf(QLatin1Char(':'));
    bool isNumber = false;
    const int step = colon < 0 ? 0 : text.mid(colon + 1).toInt(&isNumber);
    return isNumber && step > 0 ? std::pair(text.left(colon), step) : std::pair(text, 0);
}

QStringList lessonNames()
{
    QStringList names;
    for (const remat::Lesson &lesson : remat::readLessons())
        names << remat::studio::toQString(lesson.name);
    return names;
}

QStringList puzzleNames()
{
    QStringList names;
    for (const remat::Puzzle &puzzle : remat::readPuzzles())
        names << remat::studio::toQString(puzzle.name);
    return names;
}

/// What is only asked about the program needs no display. Only by itself: behind another option it may be its value.
bool isQuestion(int argc, char **argv)
{
    if (argc != 2) return false;
    for (const char *question : {"-h", "--help", "-v", "--version"})
        if (std::strcmp(argv[1], question) == 0) return true;
    return false;
}

/// Qt aborts where there is no display at all; a person gets a sentence instead.
bool displayIsThere(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "-platform") == 0) return true;
    for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (!qEnvironmentVariableIsEmpty(name)) return true;
    return false;
}

/// What was asked for is done once the window is open. Where it ends in a picture, the program ends with it.
void begin(MainWindow &window, StartUp &startUp, const QStringList &steps, const QString &picture)
{
    const bool forPicture = !picture.isEmpty();
    QObject::connect(&startUp, &StartUp::refused, &window, [&window, forPicture](const QString &sentence) {
        if (forPicture) return QCoreApplication::exit(refuse(sentence));
        window.say(remat::studio::Notice::failure(sentence));
    });
    QObject::connect(&startUp, &StartUp::ended, &window, [forPicture](const QString &problem) {
        if (!problem.isEmpty()) sayOnTerminal(problem);
        if (forPicture) QCoreApplication::exit(problem.isEmpty() ? 0 : 1);
    });
    startUp.start(steps, picture);
}

} // namespace

int main(int argc, char **argv)
{
    remat::failOnTooLargeFiles();
    if (isQuestion(argc, argv))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    else if (!displayIsThere(argc, argv))
        return refuse(
            QStringLiteral("There is no display to open a window on. Log in to a desktop, set DISPLAY, or use "
                           "the command line: remat --help."));
    QCoreApplication::setOrganizationName(QStringLiteral("remat-studio"));
    QCoreApplication::setApplicationName(QStringLiteral("remat-studio"));
    QCoreApplication::setApplicationVersion(remat::studio::toQString(remat::programVersion()));
    QApplication application(argc, argv);
    remat::studio::UiScale::apply();
    std::setlocale(LC_NUMERIC, "C"); // which Qt set to the person's, and libraries such as CBC read their numbers by
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Remat Studio"));
    // By this Wayland finds the icon; elsewhere the window brings its own.
    QGuiApplication::setDesktopFileName(QStringLiteral("org.rematstudio.RematStudio"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/remat-studio.svg")));

    translate(application);

    QCommandLineParser parser;
    parser.setApplicationDescription(MainText::tr("Plans the memory of a training step, and shows it."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, MainText::tr("Says this."));
    parser.addOption(help);
    const QCommandLineOption version = parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("FILE"),
        MainText::tr("A training graph (.pt2), a graph, a plan or costs (.json), or a session to open."),
        QStringLiteral("[FILE]"));
    const QCommandLineOption sample(QStringLiteral("sample"), MainText::tr("Opens a built-in sample, such as gpt2."),
                                    QStringLiteral("NAME"));
    const QCommandLineOption theme(QStringLiteral("theme"), MainText::tr("light, dark or contrast."),
                                   QStringLiteral("THEME"));
    const QCommandLineOption budget(QStringLiteral("budget"),
                                    MainText::tr("Starts with this budget, such as 4GiB or 60%."),
                                    QStringLiteral("BUDGET"));
    const QCommandLineOption solve(QStringLiteral("solve"), MainText::tr("Solves once the model is open."));
    const QCommandLineOption sweep(QStringLiteral("sweep"),
                                   MainText::tr("Sweeps over budgets once the model is open."));
    const QCommandLineOption size(QStringLiteral("size"), MainText::tr("Size of the window, such as 1600x1000."),
                                  QStringLiteral("WxH"));
    const QCommandLineOption doing(
        QStringLiteral("do"),
        MainText::tr("After these, a command by its id (--do show.lanes), or planner=NAME, "
                     "set=KEY=VALUE, budget=BUDGET, select=OP, step=N, type=TEXT, animation=FILE. May be repeated."),
        QStringLiteral("STEP"));
    const QCommandLineOption lesson(
        QStringLiteral("lesson"),
        MainText::tr("Opens a lesson, such as sqrt, or a lesson's file; sqrt:3 opens its third step."),
        QStringLiteral("NAME[:STEP]"));
    const QCommandLineOption puzzle(QStringLiteral("puzzle"),
                                    MainText::tr("Opens a puzzle, such as chain2, or a puzzle's file."),
                                    QStringLiteral("NAME"));
    const QCommandLineOption screenshot(
        QStringLiteral("screenshot"),
        MainText::tr("Waits until nothing runs, writes a picture of the window, and ends."), QStringLiteral("PNG"));
    const QCommandLineOption recover(QStringLiteral("recover"),
                                     MainText::tr("Reopens what a program that was killed had open last."));
    parser.addOptions({sample, theme, budget, solve, sweep, size, doing, lesson, puzzle, screenshot, recover});
    if (!parser.parse(QCoreApplication::arguments()))
        return refuse(parser.errorText() + QLatin1Char(' ') + MainText::tr("See remat-studio --help."));
    if (parser.isSet(help)) {
        std::fputs(qPrintable(parser.helpText()), stdout);
        return 0;
    }
    if (parser.isSet(version)) {
        std::printf("%s\n", remat::writtenBy().c_str());
        return 0;
    }
    const QStringList files = parser.positionalArguments();
    if (files.size() > 1)
        return refuse(MainText::tr("Only one file can be opened, and %n were given.")
                          .replace(QStringLiteral("%n"), QString::number(files.size())));
    if (!files.isEmpty() && parser.isSet(sample))
        return refuse(MainText::tr("Give either a file or a sample, not both."));
    if (!files.isEmpty() && !QFileInfo(files.front()).isFile())
        return refuse(MainText::tr("There is no file %1.").arg(files.front()));

    const QString keptTheme = QSettings().value(QStringLiteral("theme")).toString();
    const QString wantedTheme = parser.isSet(theme) ? parser.value(theme) : keptTheme;
    if (!setTheme(wantedTheme) && parser.isSet(theme))
        return refuse(MainText::tr("There is no theme %1. There are light, dark and contrast.").arg(wantedTheme));
    Theme::instance().apply();

    MainWindow *window = MainWindow::openAnother();
    if (parser.isSet(size)) {
        const QSize wanted = sizeOf(parser.value(size));
        if (wanted.isEmpty())
            return refuseWindow(window,
                                MainText::tr("%1 is no size. Give one such as 1600x1000.").arg(parser.value(size)));
        window->resize(wanted);
    }
    QStringList steps = parser.values(doing);
    if (parser.isSet(sweep)) steps.prepend(QStringLiteral("sweep"));
    if (parser.isSet(solve)) steps.prepend(QStringLiteral("solve"));
    auto *startUp = new StartUp(*window);
    const QString unknown = startUp->refusal(steps);
    if (!unknown.isEmpty()) return refuseWindow(window, unknown);
    window->afterOpening(parser.value(budget), false);
    if (parser.isSet(sample) && !window->openSample(parser.value(sample)))
        return refuseWindow(window, MainText::tr("There is no sample %1. There are: %2.")
                                        .arg(parser.value(sample), window->sampleNames().join(QStringLiteral(", "))));
    if (!files.isEmpty()) window->openFile(files.front());
    if (parser.isSet(lesson)) {
        const auto [name, step] = lessonAndStep(parser.value(lesson));
        if (!window->openLesson(name, step))
            return refuseWindow(window, MainText::tr("There is no lesson %1, or it cannot be read. There are: %2.")
                                            .arg(name, lessonNames().join(QStringLiteral(", "))));
    }
    if (parser.isSet(puzzle) && !window->openPuzzle(parser.value(puzzle)))
        return refuseWindow(window, MainText::tr("There is no puzzle %1, or it cannot be read. There are: %2.")
                                        .arg(parser.value(puzzle), puzzleNames().join(QStringLiteral(", "))));
    // A picture is of what was asked for.
    if (!parser.isSet(screenshot)) window->recover(parser.isSet(recover));
    begin(*window, *startUp, steps, parser.value(screenshot));
    const int code = QApplication::exec();
    // A window takes its menus and dialogs with it, which are in the list too.
    QList<QPointer<QWidget>> left;
    for (QWidget *widget : QApplication::topLevelWidgets())
        if (qobject_cast<MainWindow *>(widget)) left << widget;
    for (const QPointer<QWidget> &widget : left)
        delete widget.data();
    return code;
}
