#include "app/studio/memory_view/memory_header.h"

#include "app/studio/document/text.h"
#include "app/studio/plots/plot_canvas.h"
#include "app/studio/style/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr int kHeight = 32;
constexpr double kSwatch = 11, kSwatchGap = 6;
constexpr double kIconLeft = 12, kTitleLeft = 35;
constexpr int kBusyDelay = 200, kBusyStep = 30;

QString shortName(Category category)
{
    switch (category) {
    case Category::ParameterGradients:
        return MemoryHeader::tr("Param. gradients");
    case Category::KeptActivations:
        return MemoryHeader::tr("Kept");
    case Category::Offloaded:
        return MemoryHeader::tr("Offloaded");
    case Category::Gradients:
        return MemoryHeader::tr("Gradients");
    case Category::RecomputedActivations:
        return MemoryHeader::tr("Recomputed");
    case Category::Workspace:
        break;
    }
    return MemoryHeader::tr("Workspace");
}

} // namespace

MemoryHeader::MemoryHeader(QWidget *parent)
    : QWidget(parent), m_axis(new SegmentedControl({tr("Time"), tr("Steps")}, this)), m_more(new QToolButton(this))
{
    setFixedHeight(kHeight);
    setFont(Theme::instance().font(FontRole::Label));
    m_more->setIcon(Theme::instance().icon(QStringLiteral("ellipsis")));
    m_more->setIconSize({15, 15});
    m_more->setFixedSize(28, 26);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setToolTip(tr("More for this view"));
    m_more->setAccessibleName(tr("More for this view"));
    m_axis->setToolTip(tr("What the horizontal axis counts"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MemoryHeader::setLegend(const std::vector<Category> &categories)
{
    if (categories == m_legend) return;
    m_legend = categories;
    update();
}

void MemoryHeader::setReadout(const Readout &readout, bool shown)
{
    if (!shown && !m_readoutShown) return;
    m_readout = readout;
    m_readoutShown = shown;
    update();
}

void MemoryHeader::setBusy(bool busy)
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

void MemoryHeader::timerEvent(QTimerEvent *)
{
    ++m_busyTick;
    update(0, height() - 3, width(), 3);
}

void MemoryHeader::resizeEvent(QResizeEvent *)
{
    m_more->move(width() - 8 - m_more->width(), (kHeight - m_more->height()) / 2);
    const QSize axis = m_axis->sizeHint();
    m_axis->setGeometry(m_more->x() - 6 - axis.width(), (kHeight - axis.height()) / 2, axis.width(), axis.height());
}

std::vector<MemoryHeader::Entry> MemoryHeader::entriesFor(double width) const
{
    std::vector<Entry> entries;
    for (int form = 0; form < 3; ++form) {
        entries.clear();
        double taken = 0;
        const auto add = [&](const QString &full, const QString &brief, Category category, bool keepAll) {
            entries.push_back({form == 0 ? full : form == 1 ? brief : QString(), category, keepAll});
            taken += kSwatch + (keepAll ? 8 : 0) + kSwatchGap +
                     (form == 2 ? 0 : fontMetrics().horizontalAdvance(entries.back().name) + (form == 0 ? 28 : 16));
        };
        for (const Category category : m_legend)
            add(QCoreApplication::translate("Category", categoryName(category)), shortName(category), category, false);
        add(tr("Keep-all"), tr("Keep-all"), Category::KeptActivations, true);
        if (taken <= width) break;
    }
    return entries;
}

void MemoryHeader::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    const double ratio = devicePixelRatioF();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::Panel));
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.color(Token::Line));
    painter.drawPixmap(QPointF(kIconLeft, (kHeight - 15) / 2.0),
                       theme.iconPixmap(QStringLiteral("chart-area"), 15, Token::Text2, ratio));
    painter.setFont(theme.font(FontRole::Name));
    painter.setPen(theme.color(Token::Text));
    painter.drawText(QRectF(kTitleLeft, 0, 120, kHeight), Qt::AlignLeft | Qt::AlignVCenter, tr("Memory"));

    double left = kTitleLeft + painter.fontMetrics().horizontalAdvance(tr("Memory")) + 28;
    double right = m_axis->x() - 16;
    painter.setFont(font());
    if (m_readoutShown) {
        QFont strong = font();
        strong.setWeight(QFont::DemiBold);
        const QString room = (m_readout.over ? tr("over %1") : tr("room %1")).arg(m_readout.room);
        const double strongWidth = QFontMetricsF(strong).horizontalAdvance(m_readout.bytes);
        const double roomWidth = painter.fontMetrics().horizontalAdvance(room);
        const double where = std::min<double>(painter.fontMetrics().horizontalAdvance(m_readout.where) + 2,
                                              std::max(60.0, width() * 0.34 - strongWidth - roomWidth));
        double x = right - strongWidth - where - roomWidth - 20;
        right = x - 16;
        painter.setFont(strong);
        painter.setPen(theme.color(Token::Text));
        painter.drawText(QRectF(x, 0, strongWidth + 2, kHeight), Qt::AlignVCenter, m_readout.bytes);
        x += strongWidth + 10;
        painter.setFont(font());
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(x, 0, where + 2, kHeight), Qt::AlignVCenter,
                         elided(painter, m_readout.where, where + 1));
        x += where + 10;
        painter.setPen(theme.color(m_readout.over ? Token::Error : Token::Text2));
        painter.drawText(QRectF(x, 0, roomWidth + 2, kHeight), Qt::AlignVCenter, room);
    }

    const std::vector<Entry> entries = entriesFor(right - left);
    const double gap = entries.empty() || entries.front().name.isEmpty() ? 0 : 16;
    double full = 0;
    for (const Entry &entry : entries)
        full += kSwatch + (entry.keepAll ? 8 : 0) + kSwatchGap + painter.fontMetrics().horizontalAdvance(entry.name);
    const double between = gap > 0 ? std::min(28.0, (right - left - full) / static_cast<double>(entries.size())) : 4;
    for (const Entry &entry : entries) {
        const double mid = kHeight / 2.0;
        if (entry.keepAll) {
            painter.setRenderHint(QPainter::Antialiasing);
            QPen pen(theme.color(Token::Ghost), 1.5);
            pen.setDashPattern({4 / 1.5, 3 / 1.5});
            pen.setCapStyle(Qt::FlatCap);
            painter.setPen(pen);
            painter.drawLine(QPointF(left, mid), QPointF(left + kSwatch + 8, mid));
            left += 8;
        } else {
            paintSwatch(painter, QRectF(left, mid - kSwatch / 2, kSwatch, kSwatch), entry.category, ratio);
        }
        left += kSwatch + kSwatchGap;
        const double width = painter.fontMetrics().horizontalAdvance(entry.name);
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(left, 0, width + 2, kHeight), Qt::AlignVCenter, entry.name);
        left += width + between;
    }

    if (m_busyTimer && m_busyTick * kBusyStep >= kBusyDelay) {
        const double part = width() * 0.25;
        const double x = std::fmod(m_busyTick * 9.0, width() + part) - part;
        painter.fillRect(QRectF(x, height() - 2, part, 2), theme.color(Token::Accent));
    }
}

} // namespace remat::studio
