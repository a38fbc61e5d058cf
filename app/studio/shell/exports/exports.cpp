// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/exports/exports.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/exports/animation.h"
#include "app/studio/shell/exports/model_csv.h"
#include "app/studio/shell/exports/train_window.h"
#include "app/studio/shell/exports/view_picture.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/work/session/session.h"
#include "core/base/file.h"
#include "core/exports/exporter.h"
#include "core/exports/report.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QPainter>
#include <QSettings>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr std::int64_t kMostFrames = 60;
constexpr double kLeastMs = 60, kMostMs = 2000; ///< limits for the time of a frame

QString folderKey()
{
    return QStringLiteral("folders/exports");
}

QString filterOf(const ExportFormat &format)
{
    return QStringLiteral("%1 (*.%2)").arg(toQString(format.title), toQString(format.suffix));
}

QString formTitles()
{
    QStringList titles;
    for (const ExportFormat &format : exportFormats())
        titles << toQString(format.title);
    return titles.join(QStringLiteral(", "));
}

} // namespace

Exports::Exports(const FeatureHost &host) : QObject(host.owner), m_host(host), m_writing(host.session.pool)
{
    setObjectName(QStringLiteral("exports"));
    const auto add = [&](const QString &id, const QString &text, const QString &icon, const QKeySequence &key,
                         const QString &tooltip, bool first, auto work) {
        QAction *action = host.commands.add({id, Section::File, text, icon, {key}, tooltip, false, first});
        connect(action, &QAction::triggered, this, work);
        return action;
    };
    m_train = host.commands.action(command::kTrain);
    m_train->setProperty("alsoCalled", tr("Export, script, torch.compile, training"));
    connect(m_train, &QAction::triggered, this, &Exports::showTraining);
    m_plan = add(QStringLiteral("exportPlan"), tr("Export plan…"), QStringLiteral("file-output"),
                 Qt::CTRL | Qt::SHIFT | Qt::Key_E, tr("Writes the plan as %1").arg(formTitles()), true,
                 [this] { choosePlan(); });
    addForms();
    m_report = add(QStringLiteral("report"), tr("Report…"), QStringLiteral("file-text"), Qt::CTRL | Qt::ALT | Qt::Key_R,
                   tr("One page with figures and curves of the compared plans, or of the current one"), false, [this] {
                       choose(tr("Write a report"), QStringLiteral("report.html"), {tr("Pages (*.html)")},
                              [this](const QString &path, int) { writeReport(path); });
                   });
    m_animation =
        add(QStringLiteral("exportAnimation"), tr("Animation of the steps…"), QStringLiteral("play"),
            Qt::CTRL | Qt::ALT | Qt::Key_A,
            tr("Writes the plan, step by step, as a looping animated PNG, which every browser plays"), false, [this] {
                choose(tr("Write an animation"), QStringLiteral("steps.png"), {tr("Animated PNG (*.png)")},
                       [this](const QString &path, int) { writeAnimation(path); });
            });
    m_view =
        add(QStringLiteral("exportView"), tr("Export view…"), QStringLiteral("file-up"), Qt::CTRL | Qt::ALT | Qt::Key_E,
            tr("Writes the view that has the keyboard as SVG, PDF or PNG"), false, [this] {
                choose(tr("Export the view %1").arg(frontView().title), frontView().id + QStringLiteral(".svg"),
                       {tr("Vectors (*.svg)"), tr("Page (*.pdf)"), tr("Pixels (*.png)")},
                       [this](const QString &path, int) { exportView(path); });
            });
    m_table = add(QStringLiteral("exportTable"), tr("Export table…"), QStringLiteral("table-2"),
                  Qt::CTRL | Qt::ALT | Qt::Key_T, tr("Writes what the view shows as a table of CSV"), false, [this] {
                      choose(tr("Export the table of the view %1").arg(frontView().title),
                             frontView().id + QStringLiteral(".csv"), {tr("Tables (*.csv)")},
                             [this](const QString &path, int) { exportTable(path); });
                  });
    m_copy = add(QStringLiteral("copyView"), tr("Copy view as picture"), QStringLiteral("copy"),
                 Qt::CTRL | Qt::SHIFT | Qt::Key_C, tr("Puts the view that has the keyboard on the clipboard"), false,
                 [this] { copyView(); });
    const Document &document = host.session.document;
    connect(&document, &Document::modelChanged, this, &Exports::enable);
    connect(&document, &Document::currentPlanChanged, this, &Exports::enable);
    connect(&m_writing, &JobTracker::runningChanged, this, &Exports::enable);
    enable();
}

void Exports::addForms()
{
    for (const ExportFormat &format : exportFormats()) {
        if (format.name == "report") continue; // has a command of its own, which takes several plans
        CommandSpec spec;
        spec.id = QStringLiteral("exportPlan.") + toQString(format.name);
        spec.section = Section::File;
        spec.text = tr("Export plan: %1…").arg(toQString(format.title));
        spec.tooltip = toQString(format.sentence);
        spec.group = tr("Export plan as");
        QAction *action = m_host.commands.add(spec);
        connect(action, &QAction::triggered, this, [this, name = toQString(format.name)] { chooseForm(name); });
        m_forms.push_back(action);
    }
}

void Exports::chooseForm(const QString &format)
{
    const auto found = findExportFormat(format.toStdString());
    if (!found) return m_host.say(Notice::failure(toQString(found.error().message)));
    choose(tr("Export the plan"), QStringLiteral("plan.") + toQString((*found)->suffix), {filterOf(**found)},
           [this, format](const QString &path, int) { exportPlan(format, path); });
}

void Exports::showTraining()
{
    auto *window = new TrainWindow(m_host, *this);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
}

void Exports::enable()
{
    const bool hasModel = m_host.session.document.model() != nullptr;
    const bool hasPlan = hasModel && m_host.session.document.currentPlan() != nullptr;
    m_train->setEnabled(hasModel);
    for (QAction *action : {m_plan, m_report, m_animation})
        action->setEnabled(hasPlan && !m_writing.running());
    for (QAction *action : m_forms)
        action->setEnabled(m_plan->isEnabled());
    for (QAction *action : {m_view, m_table, m_copy})
        action->setEnabled(hasModel);
}

Exports::FrontView Exports::frontView() const
{
    const QWidget *focused = QApplication::focusWidget();
    const ViewArea *front = m_host.workspace.area(Workspace::Area::Center);
    for (const auto place : {Workspace::Area::Second, Workspace::Area::Bottom, Workspace::Area::Right}) {
        const ViewArea *area = m_host.workspace.area(place);
        if (focused && area->isAncestorOf(focused)) front = area;
    }
    const QString id = front->current();
    return {id, front->title(id), front->view(id)};
}

void Exports::choose(const QString &title, const QString &name, const QStringList &filters,
                     const std::function<void(const QString &, int)> &then)
{
    auto *dialog = new QFileDialog(m_host.window, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    const auto suffixOf = [](const QString &filter) {
        const qsizetype dot = filter.lastIndexOf(QStringLiteral("*."));
        return filter.mid(dot + 2, filter.lastIndexOf(QLatin1Char(')')) - dot - 2);
    };
    dialog->setDefaultSuffix(suffixOf(filters.front()));
    dialog->setDirectory(QSettings().value(folderKey(), QDir::homePath()).toString());
    const QString model = QFileInfo(m_host.session.loader.modelPath()).completeBaseName();
    dialog->selectFile(model.isEmpty() ? name : model + QLatin1Char('-') + name);
    connect(dialog, &QFileDialog::filterSelected, dialog,
            [dialog, suffixOf](const QString &filter) { dialog->setDefaultSuffix(suffixOf(filter)); });
    connect(dialog, &QFileDialog::fileSelected, this, [dialog, filters, then](const QString &path) {
        QSettings().setValue(folderKey(), QFileInfo(path).absolutePath());
        then(path, static_cast<int>(filters.indexOf(dialog->selectedNameFilter())));
    });
    dialog->open();
}

void Exports::choosePlan()
{
    QStringList filters;
    for (const ExportFormat &format : exportFormats())
        filters << filterOf(format);
    choose(tr("Export the plan"), QStringLiteral("plan"), filters, [this](const QString &path, int filter) {
        const auto index = static_cast<std::size_t>(std::max(filter, 0));
        exportPlan(toQString(exportFormats()[index].name), path);
    });
}

void Exports::exportPlan(const QString &format, const QString &path)
{
    const auto model = m_host.session.document.model();
    const auto entry = m_host.session.document.currentPlan();
    if (!model || !entry) return;
    const auto work = [model, entry, name = format.toStdString(),
                       file = toPath(path)](const Job &) -> Expected<RouteFigures> {
        auto found = findExportFormat(name);
        if (!found) return tl::unexpected(found.error());
        RouteFigures figures;
        auto text = (*found)->write({*model->open->model, *model->costs, *entry->plan, &figures});
        if (!text) return tl::unexpected(text.error());
        if (const Expected<void> done = writeFileAtomically(file, *text); !done) return tl::unexpected(done.error());
        return figures;
    };
    m_writing.start(work, [this, path, model, entry](const Expected<RouteFigures> &done) {
        if (!done || done->peakBytes == 0)
            return written(tr("The plan"), path, done ? QString() : toQString(done.error().message));
        const double own = model->keepAllTimeUs > 0 ? entry->timeline->timeUs / model->keepAllTimeUs - 1 : 0;
        m_host.say(
            Notice::news(tr("%1 takes %2 at %3 more time, the plan itself %4 at %5. The file says what is lost and "
                            "how to use it.")
                             .arg(path, memoryText(done->peakBytes), shareText(done->overhead),
                                  memoryText(entry->timeline->peakBytes), shareText(own))));
    });
}

void Exports::writeReport(const QString &path)
{
    Document &document = m_host.session.document;
    const auto model = document.model();
    if (!model || !document.currentPlan()) return;
    std::vector<std::shared_ptr<const PlanEntry>> entries;
    for (const int id : document.compared())
        for (const auto &plan : document.plans())
            if (plan->id == id) entries.push_back(plan);
    if (entries.size() < 2) entries = {document.currentPlan()};
    const auto work = [model, entries, file = toPath(path)](const Job &) -> Expected<void> {
        std::vector<ReportPlan> plans;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const std::string letter = entries.size() > 1 ? std::string(1, static_cast<char>('A' + i)) + ": " : "";
            plans.push_back({letter + entries[i]->title, entries[i]->plan.get()});
        }
        std::vector<CompareVerdict> verdicts;
        for (std::size_t i = 1; i < entries.size(); ++i)
            verdicts.push_back(
                compareVerdict(*model, *entries[0], *entries[i], std::string(1, static_cast<char>('A' + i))));
        auto text = reportOfPlans(*model->open->model, *model->costs, plans, verdicts);
        if (!text) return tl::unexpected(text.error());
        return writeFileAtomically(file, *text);
    };
    m_writing.start(work, [this, path](Expected<void> done) {
        written(tr("The report"), path, done ? QString() : toQString(done.error().message));
    });
}

std::vector<QImage> Exports::picturesOfSteps()
{
    Replay &replay = m_host.session.replay;
    const auto entry = m_host.session.document.currentPlan();
    if (!entry || entry->timeline->op.empty()) return {};
    const auto last = static_cast<std::int64_t>(entry->timeline->op.size()) - 1;
    const Replay::Loop range = replay.loop().value_or(Replay::Loop{0, last});
    const std::int64_t count = std::min<std::int64_t>(range.to - range.from + 1, kMostFrames);
    const std::int64_t steps = std::max<std::int64_t>(count - 1, 1);
    replay.pause();
    const std::int64_t before = replay.sample();
    QWidget *above = m_host.workspace.area(Workspace::Area::Center);
    QWidget *below = m_host.workspace.area(Workspace::Area::Bottom);
    std::vector<QImage> frames;
    for (std::int64_t i = 0; i < count; ++i) {
        replay.go(range.from + (range.to - range.from) * i / steps);
        QImage frame(std::max(above->width(), below->width()), above->height() + below->height(), QImage::Format_RGB32);
        frame.fill(Theme::instance().color(Token::Window));
        QPainter painter(&frame);
        painter.drawPixmap(0, 0, above->width(), above->height(), above->grab());
        painter.drawPixmap(0, above->height(), below->width(), below->height(), below->grab());
        painter.end();
        frames.push_back(std::move(frame));
    }
    if (before >= 0) replay.go(before);
    return frames;
}

int Exports::millisecondsPerFrame() const
{
    const double rate = m_host.session.replay.stepsPerSecond();
    return static_cast<int>(std::clamp(1000 / (rate > 0 ? rate : 1), kLeastMs, kMostMs));
}

QString Exports::exportAnimation(const QString &path)
{
    const std::vector<QImage> frames = picturesOfSteps();
    if (frames.empty()) return tr("There is no plan yet. Solve first.");
    const auto done = writeFileAtomically(toPath(path), animatedPng(frames, millisecondsPerFrame()).toStdString());
    return done ? QString() : toQString(done.error().message);
}

void Exports::writeAnimation(const QString &path)
{
    const auto work = [frames = picturesOfSteps(), milliseconds = millisecondsPerFrame(),
                       file = toPath(path)](const Job &) -> Expected<void> {
        return writeFileAtomically(file, animatedPng(frames, milliseconds).toStdString());
    };
    m_writing.start(work, [this, path](Expected<void> done) {
        written(tr("The animation"), path, done ? QString() : toQString(done.error().message));
    });
}

void Exports::exportView(const QString &path)
{
    const FrontView front = frontView();
    if (front.view) written(tr("The view %1").arg(front.title), path, writePicture(*front.view, front.title, path));
}

void Exports::exportTable(const QString &path)
{
    const FrontView front = frontView();
    if (!front.view) return;
    const QAbstractItemModel *table = tableOf(*front.view);
    if (!table) {
        written({}, path, tr("The view %1 has no table. Choose another view with F6.").arg(front.title));
        return;
    }
    const auto done = writeFileAtomically(toPath(path), csvOf(*table).toStdString());
    written(tr("The table of %1").arg(front.title), path, done ? QString() : toQString(done.error().message));
}

void Exports::copyView()
{
    if (const FrontView front = frontView(); front.view) QApplication::clipboard()->setImage(pictureOf(*front.view));
}

void Exports::written(const QString &what, const QString &path, const QString &problem)
{
    m_host.say(problem.isEmpty() ? Notice::news(tr("%1 is in %2.").arg(what, path)) : Notice::failure(problem));
}

} // namespace remat::studio
