// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/memory/memory_header.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/plots/tags.h"
#include "app/studio/base/style/plain_tooltip.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/category_text.h"
#include "app/studio/base/text/text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kHeight = 32;
constexpr double kSwatch = 11, kSwatchGap = 6;
constexpr double kDash = 8; ///< what the sample of a dashed line is longer
constexpr double kFullGap = 28, kBriefGap = 10, kPartGap = 12;
constexpr double kIconLeft = 12, kTitleLeft = 35;

QString shortName(Category category)
{
    switch (category) {
    case Category::Weights:
        return MemoryHeader::tr("Weights");
    case Category::States:
        return MemoryHeader::tr("States");
    case Category::ParameterGradients:
        return MemoryHeader::tr("Param. grads");
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

/// Below a header that is too narrow.
class LegendLine : public QWidget
{
public:
    explicit LegendLine(MemoryHeader *header) : QWidget(header), m_header(header) { setFixedHeight(kLine); }

protected:
    void paintEvent(QPaintEvent *) override
    {
        constexpr double kLeft = 12;
        const std::vector<MemoryHeader::Entry> brief = m_header->entries(MemoryHeader::Form::Brief);
        const bool words = kLeft + m_header->widthOf(brief, kBriefGap) <= width() + kBriefGap;
        QPainter painter(this);
        painter.fillRect(rect(), Theme::instance().color(Token::Plot));
        painter.translate(0, (kLine - kHeight) / 2.0);
        m_header->paintLegend(painter, words ? brief : m_header->entries(MemoryHeader::Form::Swatches), kLeft,
                              words ? kBriefGap : 4);
    }

private:
    static constexpr int kLine = 22;
    MemoryHeader *m_header;
};

MemoryHeader::MemoryHeader(QWidget *parent)
    : QWidget(parent),
      m_grouping(new SegmentedControl({tr("Category"), tr("Storage")}, this)),
      m_detail(new QSlider(Qt::Horizontal, this)),
      m_axis(new SegmentedControl({tr("Time"), tr("Steps")}, this)),
      m_ruler(new RulerButton(this)),
      m_more(new QToolButton(this)),
      m_legendLine(new LegendLine(this))
{
    m_legendLine->hide();
    setFixedHeight(kHeight);
    setFont(Theme::instance().font(FontRole::Label));
    m_more->setIcon(Theme::instance().icon(QStringLiteral("ellipsis")));
    m_more->setIconSize({18, 18});
    m_more->setFixedSize(28, 26);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setToolTip(tr("More for this view"));
    m_more->setAccessibleName(tr("More for this view"));
    m_axis->setToolTip(tr("What the horizontal axis counts"));
    m_axis->setAccessibleName(tr("What the horizontal axis counts"));
    m_grouping->setToolTip(tr("What the bands are (G)"));
    m_grouping->setAccessibleName(tr("What the bands are"));
    constexpr int kFewest = 5, kMost = 60, kFirst = 20;
    m_detail->setRange(kFewest, kMost);
    m_detail->setValue(kFirst);
    m_detail->setAccessibleName(tr("How many storages have a band"));
    m_detail->hide();
    setTabOrder(m_grouping, m_detail);
    setTabOrder(m_detail, m_axis);
    setTabOrder(m_axis, m_ruler);
    setTabOrder(m_ruler, m_more);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MemoryHeader::setLegend(const std::vector<Category> &categories, bool measured)
{
    if (categories == m_legend && measured == m_measured) return;
    m_legend = categories;
    m_measured = measured;
    placeLegend();
    update();
}

void MemoryHeader::setReadout(const Readout &readout, bool shown)
{
    if (!shown && !m_readoutShown) return;
    m_readout = readout;
    m_readoutShown = shown;
    placeLegend();
    update();
}

void MemoryHeader::setTitleShown(bool shown)
{
    m_titleShown = shown;
    update();
}

void MemoryHeader::setGrouping(bool byStorage, int largest)
{
    m_byStorage = byStorage;
    m_grouping->setCurrent(byStorage ? 1 : 0);
    m_detail->setValue(largest);
    m_detail->setToolTip(
        tr("The %1 storages that hold the most memory for the longest time have a band each").arg(largest));
    placeControls();
    update();
}

void MemoryHeader::resizeEvent(QResizeEvent *)
{
    placeControls();
}

void MemoryHeader::placeControls()
{
    constexpr int kRoomy = 860, kDetailWidth = 84, kGap = 6;
    int right = width() - 8;
    const auto put = [&](QWidget *control, QSize size) {
        control->setGeometry(right - size.width(), (kHeight - size.height()) / 2, size.width(), size.height());
        right -= size.width() + kGap;
    };
    put(m_more, m_more->size());
    put(m_ruler, m_ruler->size());
    put(m_axis, m_axis->sizeHint());
    m_grouping->setVisible(width() >= kRoomy);
    if (width() >= kRoomy) put(m_grouping, m_grouping->sizeHint());
    m_detail->setVisible(m_byStorage);
    if (m_byStorage) put(m_detail, {kDetailWidth, 22});
    m_controlsLeft = right;
    placeLegend();
}

double MemoryHeader::titleEnd() const
{
    return m_titleShown
               ? kTitleLeft + QFontMetrics(Theme::instance().font(FontRole::Name)).horizontalAdvance(tr("Memory"))
               : 0;
}

bool MemoryHeader::wordsFit(Form form) const
{
    const double left = titleEnd(), right = m_controlsLeft - 8;
    if (form == Form::Full) return left + 28 + widthOf(entries(form), kFullGap) <= right;
    // Bytes and room of the readout have to fit beside.
    const double readout =
        m_readoutShown ? fontMetrics().horizontalAdvance(m_readout.bytes + m_readout.room) + 60 + kPartGap : 0;
    return left + kPartGap + widthOf(entries(form), kBriefGap) + readout <= right + kBriefGap;
}

void MemoryHeader::placeLegend()
{
    m_legendLine->setVisible(!wordsFit(Form::Brief));
    m_legendLine->update();
}

std::vector<MemoryHeader::Entry> MemoryHeader::entries(Form form) const
{
    std::vector<Entry> list;
    list.reserve(m_legend.size() + 2);
    const auto say = [form](const QString &full, const QString &brief) {
        return form == Form::Full ? full : form == Form::Brief ? brief : QString();
    };
    for (const Category category : m_legend)
        list.push_back({say(categoryText(category), shortName(category)), Mark::Swatch, category});
    list.push_back({say(tr("Keep-all"), tr("Keep-all")), Mark::Dashes});
    if (m_measured) list.push_back({say(tr("Measured"), tr("Measured")), Mark::Line});
    return list;
}

double MemoryHeader::widthOf(const std::vector<Entry> &entries, double gap) const
{
    double width = 0;
    for (const Entry &entry : entries)
        width += kSwatch + (entry.mark == Mark::Swatch ? 0 : kDash) + kSwatchGap +
                 fontMetrics().horizontalAdvance(entry.name) + gap;
    return width;
}

void MemoryHeader::paintLegend(QPainter &painter, const std::vector<Entry> &entries, double left, double gap) const
{
    const Theme &theme = Theme::instance();
    const double middle = kHeight / 2.0;
    painter.setFont(font());
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Entry &entry : entries) {
        if (entry.mark != Mark::Swatch) {
            QPen pen(theme.color(entry.mark == Mark::Line ? Token::Ok : Token::Ghost), 1.5);
            if (entry.mark == Mark::Dashes) pen.setDashPattern({4 / 1.5, 3 / 1.5});
            pen.setCapStyle(Qt::FlatCap);
            painter.setPen(pen);
            painter.drawLine(QPointF(left, middle), QPointF(left + kSwatch + kDash, middle));
            left += kDash;
        } else {
            paintSwatch(painter, QRectF(left, middle - kSwatch / 2, kSwatch, kSwatch), entry.category,
                        devicePixelRatioF());
        }
        left += kSwatch + kSwatchGap;
        const double width = fontMetrics().horizontalAdvance(entry.name);
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(left, 0, width + 2, kHeight), Qt::AlignVCenter, entry.name);
        left += width + gap;
    }
}

double MemoryHeader::paintRange(QPainter &painter, double right, double room) const
{
    // As many figures as fit, the most telling first.
    QString text;
    for (const auto &[name, value] : m_readout.range) {
        const QString more = text.isEmpty() ? name + QLatin1Char(' ') + value
                                            : text + QStringLiteral(" · ") + name + QLatin1Char(' ') + value;
        if (fontMetrics().horizontalAdvance(more) + 2 > room) break;
        text = more;
    }
    const double width = fontMetrics().horizontalAdvance(text) + 2;
    painter.setFont(font());
    painter.setPen(Theme::instance().color(Token::Text));
    painter.drawText(QRectF(right - width, 0, width, kHeight), Qt::AlignVCenter, text);
    return right - width;
}

double MemoryHeader::paintReadout(QPainter &painter, double right, double room) const
{
    if (!m_readout.range.empty()) return paintRange(painter, right, room);
    const Theme &theme = Theme::instance();
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const QString under = (m_readout.over ? tr("over %1") : tr("%1 left")).arg(m_readout.room);
    const double bytesWidth = QFontMetricsF(strong).horizontalAdvance(m_readout.bytes) + 2;
    const double underWidth = fontMetrics().horizontalAdvance(under) + 2;
    // Where there is no room for the op, the time stays; better no name than three letters of it.
    const double whereRoom = room - bytesWidth - underWidth - 2 * kPartGap;
    QString where = m_readout.where();
    if (fontMetrics().horizontalAdvance(where) + 2 > whereRoom) where = m_readout.at;
    double whereWidth = fontMetrics().horizontalAdvance(where) + 2;
    if (whereWidth > whereRoom) whereWidth = -kPartGap;

    double x = right - bytesWidth - underWidth - whereWidth - 2 * kPartGap;
    const double begin = x;
    painter.setFont(strong);
    painter.setPen(theme.color(Token::Text));
    painter.drawText(QRectF(x, 0, bytesWidth, kHeight), Qt::AlignVCenter, m_readout.bytes);
    x += bytesWidth + kPartGap;
    painter.setFont(font());
    painter.setPen(theme.color(Token::Text2));
    if (whereWidth > 0) painter.drawText(QRectF(x, 0, whereWidth + 1, kHeight), Qt::AlignVCenter, where);
    x += whereWidth + kPartGap;
    painter.setPen(theme.color(m_readout.over ? Token::Error : Token::Text2));
    painter.drawText(QRectF(x, 0, underWidth, kHeight), Qt::AlignVCenter, under);
    return begin;
}

double MemoryHeader::paintTitle(QPainter &painter) const
{
    if (!m_titleShown) return 0;
    const Theme &theme = Theme::instance();
    painter.drawPixmap(QPointF(kIconLeft, (kHeight - 15) / 2.0),
                       theme.iconPixmap(QStringLiteral("chart-area"), 15, Token::Text2, devicePixelRatioF()));
    painter.setFont(theme.font(FontRole::Name));
    painter.setPen(theme.color(Token::Text));
    painter.drawText(QRectF(kTitleLeft, 0, 120, kHeight), Qt::AlignLeft | Qt::AlignVCenter, tr("Memory"));
    return kTitleLeft + painter.fontMetrics().horizontalAdvance(tr("Memory"));
}

bool MemoryHeader::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        QStringList names;
        for (const Entry &entry : entries(Form::Full))
            names << entry.name;
        QString text = names.join(QStringLiteral(", "));
        for (const auto &[name, value] : m_readout.range)
            text += QLatin1Char('\n') + name + QStringLiteral(": ") + value;
        if (m_readoutShown) text += QLatin1Char('\n') + m_readout.title + QStringLiteral(": ") + m_readout.where();
        QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), plainTooltip(text), this);
        return true;
    }
    return QWidget::event(event);
}

void MemoryHeader::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::Panel));
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.color(Token::Line));
    const double left = paintTitle(painter);
    double right = m_controlsLeft - 8;
    const bool words = wordsFit(Form::Brief);
    if (m_readoutShown) {
        const double legend = words ? widthOf(entries(Form::Brief), kBriefGap) + kPartGap : 0;
        right = paintReadout(painter, right, right - left - legend) - kPartGap;
    }
    if (!words) return; // the line below has them
    if (left + 28 + widthOf(entries(Form::Full), kFullGap) <= right)
        paintLegend(painter, entries(Form::Full), left + 28, kFullGap);
    else
        paintLegend(painter, entries(Form::Brief), left + kPartGap, kBriefGap);
}

} // namespace remat::studio
