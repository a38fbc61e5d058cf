// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/compare/summary_parts.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/plots/tags.h"
#include "app/studio/base/style/letters.h"
#include "app/studio/base/style/plain_tooltip.h"
#include "app/studio/base/text/category_text.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/compare/compare_text.h"

#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <numeric>

namespace remat::studio {

namespace {

constexpr double kRow = 30, kHead = 26, kColumnGap = 9;
constexpr double kBar = 14, kBarRow = 26, kLegendRow = 20, kSwatch = 11;

QString categoryAt(std::size_t category)
{
    return categoryText(static_cast<Category>(category));
}

std::int64_t totalOf(const PlanUse &use)
{
    return std::accumulate(use.peakBytesOf.begin(), use.peakBytesOf.end(), std::int64_t(0));
}

} // namespace

PlanCard::PlanCard(int place, QWidget *parent) : QWidget(parent), m_place(place)
{
    setObjectName(QStringLiteral("planCard.") + letterOf(place));
    setAcceptDrops(true);
    setFixedHeight(52);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void PlanCard::setPlan(const Document &document, const PlanEntry &plan)
{
    m_title = toQString(plan.title);
    m_note = plan.quick                   ? tr("quick plan")
             : plan.plan->budgetBytes > 0 ? tr("budget %1").arg(memoryText(plan.plan->budgetBytes))
                                          : tr("without a budget");
    m_verdict = verdictLook(document, plan);
    setToolTip(m_verdict.sentence);
    setAccessibleName(tr("%1: %2").arg(letterOf(m_place), m_title));
    setAccessibleDescription(m_note + QStringLiteral(", ") + m_verdict.title);
    update();
}

void PlanCard::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(Token::Line), 1));
    painter.setBrush(theme.color(Token::Panel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    paintLetter(painter, QRectF(10, (height() - kLetterBox) / 2.0, kLetterBox, kLetterBox), m_place);
    const double left = 10 + kLetterBox + 10, whole = width() - 10 - left;
    const QFont name = theme.font(FontRole::Name), label = theme.font(FontRole::Label);
    const double verdict = QFontMetricsF(theme.font(FontRole::Body)).horizontalAdvance(m_verdict.title) + 2;
    const double beside = whole - verdict - 24;
    // A narrow card has title and verdict in one line and the note below both, so that nothing is cut.
    const bool narrow = QFontMetricsF(label).horizontalAdvance(m_note) > beside;
    const QRectF line = narrow ? QRectF(left, 7, whole, 19) : QRectF(left, 0, whole, height());
    painter.setFont(theme.font(FontRole::Body));
    painter.setPen(theme.color(m_verdict.ink));
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, m_verdict.title);
    painter.drawPixmap(QPointF(line.right() - verdict - 19, line.center().y() - 7.5),
                       theme.iconPixmap(m_verdict.icon, 15, m_verdict.ink, devicePixelRatioF()));
    painter.setFont(name);
    painter.setPen(theme.color(Token::Text));
    painter.drawText(QRectF(left, 7, beside, 19), Qt::AlignVCenter, elided(painter, m_title, beside));
    painter.setFont(label);
    painter.setPen(theme.color(Token::Text2));
    const double room = narrow ? whole : beside;
    painter.drawText(QRectF(left, 26, room, 17), Qt::AlignVCenter, elided(painter, m_note, room));
}

void PlanCard::dragEnterEvent(QDragEnterEvent *event)
{
    if (planOf(event->mimeData()) != 0) event->acceptProposedAction();
}

void PlanCard::dropEvent(QDropEvent *event)
{
    const int plan = planOf(event->mimeData());
    if (plan == 0) return;
    event->acceptProposedAction();
    Q_EMIT planDropped(plan);
}

void FigureTable::setRows(std::vector<FigureRow> rows, const QString &letter)
{
    m_rows = std::move(rows);
    m_letter = letter;
    QStringList spoken;
    for (const FigureRow &row : m_rows)
        spoken << tr("%1: %2 and %3, difference %4")
                      .arg(toQString(row.label), toQString(row.a), toQString(row.b), toQString(row.change));
    setAccessibleName(tr("Figures of both plans"));
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize FigureTable::sizeHint() const
{
    return {200, static_cast<int>(kHead + kRow * static_cast<double>(m_rows.size()))};
}

void FigureTable::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    QFont strong = theme.font(FontRole::Name), plain = theme.font(FontRole::Body);
    double figure = 0, change = 0, label = 0;
    const auto measure = [&] {
        const QFontMetricsF metrics(strong);
        figure = label = 0;
        change = metrics.horizontalAdvance(QStringLiteral("A − B")) + kColumnGap;
        for (const FigureRow &row : m_rows) {
            figure = std::max({figure, metrics.horizontalAdvance(toQString(row.a)) + kColumnGap,
                               metrics.horizontalAdvance(toQString(row.b)) + kColumnGap});
            change = std::max(change, metrics.horizontalAdvance(toQString(row.change)) + kColumnGap);
            label = std::max(label, QFontMetricsF(plain).horizontalAdvance(toQString(row.label)));
        }
    };
    measure();
    if (label + 2 * figure + change > width()) {
        // Smaller before cut.
        strong = plain = theme.font(FontRole::Small);
        strong.setWeight(QFont::DemiBold);
        measure();
    }
    const double right = width();
    const auto cell = [&](int column, double y, double height) {
        const double end = column == 2 ? right : right - change - (column == 0 ? figure : 0);
        const double from = column == 2 ? right - change : end - figure;
        return QRectF(from, y, end - from, height);
    };
    painter.setFont(theme.font(FontRole::Label));
    painter.setPen(theme.color(Token::Text2));
    const QStringList heads = {QStringLiteral("A"), m_letter, QStringLiteral("A − ") + m_letter};
    for (int column = 0; column < 3; ++column)
        painter.drawText(cell(column, 0, kHead), Qt::AlignRight | Qt::AlignVCenter, heads[column]);
    double y = kHead;
    for (const FigureRow &row : m_rows) {
        painter.fillRect(QRectF(0, y, width(), 1), theme.color(Token::Line));
        const double room = right - change - 2 * figure;
        painter.setFont(plain);
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(0, y, room, kRow), Qt::AlignVCenter, elided(painter, toQString(row.label), room));
        painter.setFont(strong);
        painter.setPen(theme.color(Token::Text));
        painter.drawText(cell(0, y, kRow), Qt::AlignRight | Qt::AlignVCenter, toQString(row.a));
        painter.setFont(plain);
        painter.drawText(cell(1, y, kRow), Qt::AlignRight | Qt::AlignVCenter, toQString(row.b));
        painter.setFont(strong);
        painter.setPen(theme.color(row.better ? Token::Ok : Token::Text));
        painter.drawText(cell(2, y, kRow), Qt::AlignRight | Qt::AlignVCenter, toQString(row.change));
        y += kRow;
    }
}

bool FigureTable::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto row = static_cast<std::size_t>(std::max((help->pos().y() - kHead) / kRow, 0.0));
        if (help->pos().y() >= kHead && row < m_rows.size())
            QToolTip::showText(help->globalPos(), plainTooltip(toQString(m_rows[row].tooltip)), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

PeakBars::PeakBars(QWidget *parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Memory at the peak, by category"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void PeakBars::setPlans(std::vector<PlanUse> uses, std::vector<int> places)
{
    m_uses = std::move(uses);
    m_places = std::move(places);
    QStringList spoken;
    for (std::size_t i = 0; i < m_uses.size(); ++i)
        for (std::size_t category = 0; category < kCategoryCount; ++category)
            if (m_uses[i].peakBytesOf[category] > 0)
                spoken << tr("%1, %2: %3")
                              .arg(letterOf(m_places[i]), categoryAt(category),
                                   bytesText(m_uses[i].peakBytesOf[category]));
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    setToolTip(spoken.join(QLatin1Char('\n')));
    updateGeometry();
    update();
}

double PeakBars::layOutLegend(double width, double top, std::vector<std::pair<Category, QRectF>> *entries) const
{
    const QFontMetricsF metrics(Theme::instance().font(FontRole::Label));
    double x = 0, y = top;
    bool any = false;
    for (std::size_t category = 0; category < kCategoryCount; ++category) {
        const bool used = std::any_of(m_uses.begin(), m_uses.end(),
                                      [&](const PlanUse &use) { return use.peakBytesOf[category] > 0; });
        if (!used) continue;
        any = true;
        const double room = kSwatch + 6 + metrics.horizontalAdvance(categoryAt(category)) + 2;
        if (x > 0 && x + room > width) {
            x = 0;
            y += kLegendRow;
        }
        if (entries) entries->emplace_back(static_cast<Category>(category), QRectF(x, y, room, kLegendRow));
        x += room + 14;
    }
    return any ? y + kLegendRow - top : 0;
}

int PeakBars::heightForWidth(int width) const
{
    const double bars = kBarRow * static_cast<double>(m_uses.size());
    return static_cast<int>(bars + 6 + layOutLegend(width, 0, nullptr));
}

void PeakBars::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    std::int64_t most = 1;
    for (const PlanUse &use : m_uses)
        most = std::max(most, totalOf(use));
    const double left = 22, room = width() - left - 70;
    double y = 0;
    for (std::size_t i = 0; i < m_uses.size(); ++i, y += kBarRow) {
        painter.setFont(theme.font(FontRole::Name));
        painter.setPen(theme.color(Token::Text));
        painter.drawText(QRectF(0, y, left, kBarRow), Qt::AlignVCenter, letterOf(m_places[i]));
        double x = left;
        for (std::size_t category = 0; category < kCategoryCount; ++category) {
            const std::int64_t bytes = m_uses[i].peakBytesOf[category];
            const double length = room * static_cast<double>(bytes) / static_cast<double>(most);
            if (length <= 0) continue;
            const QRectF part(x, y + (kBarRow - kBar) / 2, length, kBar);
            painter.setBrushOrigin(part.topLeft());
            painter.fillRect(part, length >= 4
                                       ? theme.categoryBrush(static_cast<Category>(category), devicePixelRatioF())
                                       : QBrush(theme.categoryColor(static_cast<Category>(category))));
            x += length;
        }
        painter.setFont(theme.font(FontRole::Label));
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(x + 6, y, 70, kBarRow), Qt::AlignVCenter, memoryText(totalOf(m_uses[i])));
    }
    std::vector<std::pair<Category, QRectF>> entries;
    layOutLegend(width(), y + 6, &entries);
    painter.setFont(theme.font(FontRole::Label));
    painter.setPen(theme.color(Token::Text2));
    for (const auto &[category, box] : entries) {
        paintSwatch(painter, QRectF(box.left(), box.center().y() - kSwatch / 2, kSwatch, kSwatch), category,
                    devicePixelRatioF());
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(box.adjusted(kSwatch + 6, 0, 4, 0), Qt::AlignVCenter,
                         categoryAt(static_cast<std::size_t>(category)));
    }
}

} // namespace remat::studio
