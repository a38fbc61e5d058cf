// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/status_line.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/work/session/recovery.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr int kTickMs = 33;
constexpr int kDelayTicks = 6; ///< 200 ms before a bar shows

/// The compute sample at a time, or the last one before it.
std::size_t sampleAt(const MemoryTimeline &timeline, double timeUs)
{
    const auto after = std::upper_bound(timeline.startUs.begin(), timeline.startUs.end(), timeUs);
    return after == timeline.startUs.begin() ? 0 : static_cast<std::size_t>(after - timeline.startUs.begin()) - 1;
}

} // namespace

StatusLine::StatusLine(Document *document, QWidget *parent) : QWidget(parent), m_document(document)
{
    setFixedHeight(25);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(10, 0, 10, 0);
    row->setSpacing(20);
    m_graph = addItem(QStringLiteral("layers"), QStringLiteral("status.graph"));
    m_cursor = addItem(QStringLiteral("clock"), QStringLiteral("status.cursor"));
    m_selection = addItem(QStringLiteral("target"), QStringLiteral("status.selection"));
    row->addStretch(1);
    m_state = addItem(QStringLiteral("circle-check"), QStringLiteral("status.state"));
    m_savedText = new TokenLabel({}, FontRole::Label, Token::Text2, this);
    m_savedText->setObjectName(QStringLiteral("status.saved"));
    m_savedText->setToolTip(tr("Everything is kept while you work and offered again should the program be killed"));
    m_savedText->hide();
    row->addWidget(m_savedText);
    m_scale = new StudioButton({}, {}, ButtonKind::Quiet, this);
    m_scale->setObjectName(QStringLiteral("status.scale"));
    m_scale->setFont(Theme::instance().font(FontRole::Label));
    m_scale->setFixedHeight(22);
    m_scale->setToolTip(tr("Size of text and controls"));
    row->addWidget(m_scale);
    m_savedTimer.setInterval(1000);
    connect(&m_savedTimer, &QTimer::timeout, this, &StatusLine::showSaved);
    connect(m_document, &Document::modelChanged, this, [this] {
        m_labels = m_document->model() ? OpLabels(m_document->model()->graph()) : OpLabels();
        showGraph();
        showCursor();
        showSelection();
    });
    connect(m_document, &Document::currentPlanChanged, this, &StatusLine::showCursor);
    connect(m_document, &Document::cursorChanged, this, &StatusLine::showCursor);
    connect(m_document, &Document::selectionChanged, this, &StatusLine::showSelection);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    showGraph();
    showCursor();
    showSelection();
    showScale();
    setActivity({});
}

StatusLine::Item StatusLine::addItem(const QString &icon, const QString &name)
{
    auto *box = new QWidget(this);
    auto *row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    auto *picture = new IconLabel(icon, 13, Token::Text3, box);
    auto *text = new TokenLabel({}, FontRole::Label, Token::Text2, box);
    text->setObjectName(name);
    row->addWidget(picture);
    row->addWidget(text);
    layout()->addWidget(box);
    return {box, picture, text};
}

void StatusLine::setModelShown(bool shown)
{
    m_modelShown = shown;
    showGraph();
    showCursor();
    showSelection();
}

void StatusLine::showGraph()
{
    const auto model = m_document->model();
    m_graph.box->setVisible(!model || m_modelShown);
    if (!model) {
        m_graph.text->setText(tr("No model open"));
        return;
    }
    const auto planned = std::count_if(model->graph().storages.begin(), model->graph().storages.end(),
                                       [](const Storage &storage) { return !isResident(storage.kind); });
    m_graph.text->setText(
        tr("%1 ops · %2 storages")
            .arg(countText(static_cast<std::int64_t>(model->graph().ops.size())), countText(planned)));
    m_graph.text->setToolTip(tr("Storages that plans hold and free; parameters and inputs are always there"));
}

void StatusLine::showCursor()
{
    const auto model = m_document->model();
    const double timeUs = m_document->cursorUs();
    m_cursor.box->setVisible(m_modelShown && model != nullptr && timeUs >= 0);
    if (!model || timeUs < 0) return;
    const auto plan = m_document->currentPlan();
    const MemoryTimeline &timeline = plan ? *plan->timeline : *model->keepAll;
    if (timeline.step.empty()) return;
    const std::size_t sample = sampleAt(timeline, timeUs);
    const auto steps = plan ? plan->plan->steps.size() : static_cast<std::size_t>(timeline.step.back()) + 1;
    m_cursor.text->setText(
        tr("Step %1 of %2 · %3")
            .arg(countText(timeline.step[sample]), countText(static_cast<std::int64_t>(steps)), timeText(timeUs)));
}

void StatusLine::showSelection()
{
    const auto model = m_document->model();
    const Selection selection = m_document->selection();
    const bool any = m_modelShown && model && (selection.op || selection.storage);
    m_selection.box->setVisible(any);
    if (!any) return;
    QString text;
    if (selection.storage) {
        const Storage &storage = model->graph().storage(selection.storage);
        text =
            tr("Selected: %1 · %2").arg(m_labels.storage(model->graph(), selection.storage), bytesText(storage.bytes));
        m_selection.text->setToolTip(toQString(storage.name));
    } else {
        text = tr("Selected: %1").arg(m_labels.op(model->graph(), selection.op));
        m_selection.text->setToolTip(toQString(model->graph().op(selection.op).name));
    }
    m_selection.text->setText(text);
}

void StatusLine::showScale()
{
    m_scale->setText(shareText(devicePixelRatioF()));
    m_scale->setAccessibleName(tr("Size of text and controls, %1").arg(m_scale->text()));
}

void StatusLine::setSaved(const QDateTime &when)
{
    m_saved = when;
    m_savedTimer.start();
    showSaved();
}

void StatusLine::showSaved()
{
    m_savedText->setText(tr("Saved %1 ago").arg(ageText(m_saved.secsTo(QDateTime::currentDateTime()))));
    m_savedText->show();
}

void StatusLine::setScaleMenu(QMenu *menu)
{
    connect(m_scale, &QAbstractButton::clicked, this,
            [this, menu] { menu->popup(m_scale->mapToGlobal(QPoint(0, -menu->sizeHint().height()))); });
}

void StatusLine::setActivity(const ActivityText &activity)
{
    const bool idle = activity.text.isEmpty();
    m_state.icon->setIcon(idle ? QStringLiteral("circle-check") : QStringLiteral("refresh-cw"),
                          idle ? Token::Ok : Token::Accent);
    QString text = idle ? tr("Ready") : activity.text;
    if (!idle && activity.fraction >= 0) text += QStringLiteral(" · ") + shareText(activity.fraction);
    m_state.text->setText(text);
}

void StatusLine::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    showScale(); // what everything is scaled by makes windows hold more or less
}

void StatusLine::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ParentChange && m_scale) showScale();
}

ActivityBar::ActivityBar(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(2);
    setAccessibleName(tr("Progress"));
}

void ActivityBar::setActivity(const ActivityText &activity)
{
    const bool runs = !activity.text.isEmpty();
    const bool ran = !m_activity.text.isEmpty();
    m_activity = activity;
    if (runs && !ran) {
        m_ticks = 0;
        m_timer = startTimer(kTickMs);
    } else if (!runs && m_timer != 0) {
        killTimer(m_timer);
        m_timer = 0;
    }
    update();
}

void ActivityBar::timerEvent(QTimerEvent *)
{
    ++m_ticks;
    update();
}

void ActivityBar::paintEvent(QPaintEvent *)
{
    if (m_timer == 0 || m_ticks < kDelayTicks) return;
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Token::Sunken));
    const QColor accent = Theme::instance().color(Token::Accent);
    if (m_activity.fraction >= 0) {
        painter.fillRect(QRectF(0, 0, width() * std::min(m_activity.fraction, 1.0), height()), accent);
        return;
    }
    const double length = width() / 5.0;
    const double x = std::fmod(m_ticks * 14.0, width() + length) - length;
    painter.fillRect(QRectF(x, 0, length, height()), accent);
}

} // namespace remat::studio
