#include "app/studio/shell/features/time_views.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/addresses/address_view.h"
#include "app/studio/views/lanes/lanes_view.h"
#include "app/studio/views/matrix/matrix_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/shared/time_gestures.h"
#include "app/studio/work/document/time_window.h"
#include "app/studio/work/session/session.h"

#include <QComboBox>
#include <QJsonObject>
#include <QMainWindow>

#include <algorithm>

namespace remat::studio {

TimeViews::TimeViews(const FeatureHost &host) : QObject(host.window), m_host(host)
{
    QAction *memory = addCommand(QStringLiteral("showMemory"), tr("Memory"), QStringLiteral("chart-area"),
                                 QKeySequence(Qt::ALT | Qt::Key_8), tr("Shows memory over time at the bottom"));
    connect(memory, &QAction::triggered, this, [this] {
        m_host.workspace.showView(QStringLiteral("memory"));
        m_host.workspace.memory()->canvas()->setFocus(Qt::ShortcutFocusReason);
    });
    keepMemoryState();
    addLanes();
    addAddresses();
    addMatrix();
    addMeasuring();
    Document *document = &host.session.document;
    connect(document, &Document::modelChanged, this, &TimeViews::enableActions);
    connect(document, &Document::selectionChanged, this, &TimeViews::enableActions);
    enableActions();
}

QAction *TimeViews::addCommand(const QString &id, const QString &text, const QString &icon, const QKeySequence &key,
                               const QString &tooltip, bool checkable)
{
    QAction *action =
        m_host.commands.add({id, Section::View, text, icon, {key}, tooltip, checkable, m_needModel.isEmpty()});
    m_needModel << action;
    return action;
}

void TimeViews::addView(Workspace::Area area, const ViewPlace &place, const QKeySequence &key, const QString &tooltip)
{
    auto *view = static_cast<PlanView *>(place.view);
    view->setObjectName(place.id + QStringLiteral("View"));
    m_host.workspace.addView(area, place);
    QAction *show = addCommand(QStringLiteral("show.") + place.id, place.title, place.icon, key, tooltip);
    connect(show, &QAction::triggered, this, [this, id = place.id, focus = place.focus] {
        m_host.workspace.showView(id);
        focus->setFocus(Qt::ShortcutFocusReason);
    });
    connect(view, &PlanView::openRequested, m_host.commands.action(Command::Open), &QAction::trigger);
    connect(view, &PlanView::solveRequested, m_host.commands.action(Command::Solve), &QAction::trigger);
}

void TimeViews::keepMemoryState()
{
    const QString key = QStringLiteral("memory"), storages = QStringLiteral("byStorage"),
                  largest = QStringLiteral("largest"), peak = QStringLiteral("peakPinned");
    MemoryCanvas *canvas = m_host.workspace.memory()->canvas();
    ViewStates *states = &m_host.session.viewStates;
    states->add(key, {[=] {
                          const MemoryScene &scene = canvas->scene();
                          return QJsonObject{{storages, scene.grouping() == Grouping::Storage},
                                             {largest, scene.largest()},
                                             {peak, canvas->peakPinned()}};
                      },
                      [=](const QJsonObject &state) {
                          canvas->setGrouping(state[storages].toBool() ? Grouping::Storage : Grouping::Category,
                                              std::clamp(state[largest].toInt(canvas->scene().largest()), 5, 60));
                          canvas->setPeakPinned(state[peak].toBool(true));
                      }});
    connect(canvas, &MemoryCanvas::groupingChanged, this, [states, key, canvas] {
        const MemoryScene &scene = canvas->scene();
        states->touch(key, scene.grouping() == Grouping::Storage
                               ? tr("Memory by the %1 largest storages").arg(scene.largest())
                               : tr("Memory by category"));
    });
    connect(canvas, &MemoryCanvas::peakPinnedChanged, this, [states, key, canvas] {
        states->touch(key, canvas->peakPinned() ? tr("Show what makes the peak") : tr("Hide what makes the peak"));
    });
}

void TimeViews::addLanes()
{
    m_lanes = new LanesView(&m_host.session.document);
    addView(Workspace::Area::Bottom,
            {QStringLiteral("lanes"),
             tr("Lanes"),
             QStringLiteral("activity"),
             m_lanes,
             m_lanes->header(),
             m_lanes->canvas(),
             {}},
            Qt::ALT | Qt::Key_9, tr("Shows what is computed, computed again and copied over time"));
}

void TimeViews::addAddresses()
{
    Session &session = m_host.session;
    m_addresses = new AddressView(&session.document, &session.replay, session.pool);
    addView(Workspace::Area::Bottom,
            {QStringLiteral("addresses"),
             tr("Address map"),
             QStringLiteral("map"),
             m_addresses,
             m_addresses->header(),
             m_addresses->canvas(),
             {}},
            Qt::ALT | Qt::Key_0, tr("Shows where every storage lies in device memory, and replays the plan"));
    QAction *play = addCommand(QStringLiteral("replay"), tr("Play the plan"), QStringLiteral("play"),
                               QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Space),
                               tr("Moves the time cursor through the steps of the plan, or stops it"));
    connect(play, &QAction::triggered, m_addresses, &AddressView::togglePlaying);
    const QString key = QStringLiteral("addresses"), speed = QStringLiteral("stepsPerSecond");
    AddressView *view = m_addresses;
    session.viewStates.add(key, {[view, speed] {
                                     return QJsonObject{{speed, view->speed()->currentData().toInt()}};
                                 },
                                 [view, speed](const QJsonObject &state) {
                                     const int index = view->speed()->findData(state[speed].toInt());
                                     if (index >= 0) view->speed()->setCurrentIndex(index);
                                 }});
    connect(view, &AddressView::speedChanged, this, [this, key, view] {
        m_host.session.viewStates.touch(key, tr("Replay at %1").arg(view->speed()->currentText()));
    });
}

void TimeViews::addMatrix()
{
    Session &session = m_host.session;
    m_matrix = new MatrixView(&session.document);
    const QString id = QStringLiteral("matrix");
    addView(Workspace::Area::Center,
            {id,
             tr("R/S matrix"),
             QStringLiteral("grid-3x3"),
             m_matrix,
             m_matrix->header(),
             m_matrix->canvas(),
             {m_host.commands.action(Command::Fit)}},
            Qt::ALT | Qt::Key_6, tr("Shows what each stage computes and keeps in the centre"));
    const QString forward = QStringLiteral("forwardOnly");
    MatrixView *view = m_matrix;
    session.viewStates.add(id, {[view, forward] {
                                    return QJsonObject{{forward, view->canvas()->forwardOnly()}};
                                },
                                [view, forward](const QJsonObject &state) {
                                    view->columnsChoice()->setCurrent(state[forward].toBool() ? 1 : 0);
                                }});
    connect(view, &MatrixView::columnsChanged, this, [this, id, view] {
        m_host.session.viewStates.touch(id, view->canvas()->forwardOnly() ? tr("Matrix of forward ops")
                                                                          : tr("Matrix of all ops"));
    });
}

void TimeViews::addMeasuring()
{
    TimeWindow *time = &m_host.session.document.time();
    QAction *measure = addCommand(QStringLiteral("measureRange"), tr("Measure by dragging"), QStringLiteral("ruler"),
                                  QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_M),
                                  tr("A drag over a plot chooses a range, whose figures are shown"), true);
    connect(measure, &QAction::triggered, time, &TimeWindow::setMeasuring);
    connect(time, &TimeWindow::measuringChanged, measure, [time, measure] { measure->setChecked(time->measuring()); });
    QAction *range = addCommand(QStringLiteral("rangeOfSelection"), tr("Range of the selection"),
                                QStringLiteral("ruler"), QKeySequence(Qt::SHIFT | Qt::Key_R),
                                tr("The range becomes the life of the selected storage, or the run of the op"));
    connect(range, &QAction::triggered, this, [this] { rangeOfSelection(m_host.session.document); });
    m_needSelection << range;
}

void TimeViews::enableActions()
{
    const Document &document = m_host.session.document;
    for (QAction *action : m_needModel)
        action->setEnabled(document.model() != nullptr);
    for (QAction *action : m_needSelection)
        action->setEnabled(document.model() && document.selection() != Selection{});
}

} // namespace remat::studio
