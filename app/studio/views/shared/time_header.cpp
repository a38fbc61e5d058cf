// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/shared/time_header.h"

#include "app/studio/work/document/time_window.h"

#include <QHBoxLayout>
#include <QPainter>

#include <cmath>

namespace remat::studio {

namespace {

constexpr int kHeight = 32, kBusyDelay = 200, kBusyStep = 30;

/// `tick` × 30 ms after the work began.
void paintBusyBar(QPainter &painter, const QRectF &header, int tick)
{
    if (tick * kBusyStep < kBusyDelay) return;
    const double part = header.width() * 0.25;
    const double x = std::fmod(tick * 9.0, header.width() + part) - part;
    painter.fillRect(QRectF(header.left() + x, header.bottom() - 2, part, 2), Theme::instance().color(Token::Accent));
}

} // namespace

RulerButton::RulerButton(QWidget *parent) : QToolButton(parent)
{
    setCheckable(true);
    setIcon(Theme::instance().icon(QStringLiteral("ruler")));
    setIconSize({16, 16});
    setFixedSize(28, 26);
    setToolTip(tr("Measure: drag over the plot to choose a range (Ctrl+Alt+M). Shift and a drag do so at any time."));
    setAccessibleName(tr("Measure"));
}

void RulerButton::follow(TimeWindow &time)
{
    setChecked(time.measuring());
    connect(this, &QToolButton::toggled, &time, &TimeWindow::setMeasuring);
    connect(&time, &TimeWindow::measuringChanged, this, [this, &time] { setChecked(time.measuring()); });
}

TimeHeader::TimeHeader(TimeWindow &time, QWidget *parent)
    : QWidget(parent),
      m_summary(new TokenLabel({}, FontRole::Label, Token::Text2, this)),
      m_controls(new QHBoxLayout),
      m_axis(new SegmentedControl({tr("Time"), tr("Steps")}, this)),
      m_ruler(new RulerButton(this))
{
    setFixedHeight(kHeight);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(6);
    m_controls->setSpacing(2);
    row->addWidget(m_summary, 1);
    row->addLayout(m_controls);
    row->addSpacing(4);
    row->addWidget(m_axis);
    row->addWidget(m_ruler);
    m_axis->setToolTip(tr("What the horizontal axis counts"));
    m_axis->setAccessibleName(tr("What the horizontal axis counts"));
    m_axis->setCurrent(time.kind() == AxisKind::Time ? 0 : 1);
    m_ruler->follow(time);
    connect(m_axis, &SegmentedControl::currentChanged, &time,
            [&time](int index) { time.setKind(index == 0 ? AxisKind::Time : AxisKind::Steps); });
    connect(&time, &TimeWindow::viewChanged, this,
            [this, &time] { m_axis->setCurrent(time.kind() == AxisKind::Time ? 0 : 1); });
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TimeHeader::setSummary(const QString &text)
{
    m_summary->setText(text);
    m_summary->setToolTip(text);
}

void TimeHeader::addControl(QWidget *control)
{
    m_controls->addWidget(control);
}

void TimeHeader::setBusy(bool busy)
{
    if (busy == (m_busyTimer != 0)) return;
    if (busy) {
        m_busyTick = 0;
        m_busyTimer = startTimer(kBusyStep);
    } else {
        killTimer(m_busyTimer);
        m_busyTimer = 0;
    }
    update();
}

void TimeHeader::timerEvent(QTimerEvent *)
{
    ++m_busyTick;
    update(0, height() - 3, width(), 3);
}

void TimeHeader::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Token::Panel));
    painter.fillRect(QRect(0, height() - 1, width(), 1), Theme::instance().color(Token::Line));
    if (m_busyTimer) paintBusyBar(painter, rect(), m_busyTick);
}

} // namespace remat::studio
