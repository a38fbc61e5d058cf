// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/puzzles/puzzle_meter.h"

#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>

namespace remat::studio {

namespace {

constexpr int kLabel = 20, kBar = 26, kRight = 2;

Category categoryOf(const PuzzleRun &run, const Storage &storage)
{
    if (storage.isOutput) return Category::ParameterGradients;
    const Op &maker = run.puzzle().graph.op(storage.producer);
    if (maker.phase != Phase::Forward) return Category::Gradients;
    return run.position().computed[storage.producer.index()] > 1 ? Category::RecomputedActivations
                                                                 : Category::KeptActivations;
}

} // namespace

PuzzleMemoryBar::PuzzleMemoryBar(const PuzzleRun &run, QWidget *parent) : QWidget(parent), m_run(run)
{
    setObjectName(QStringLiteral("puzzleMemory"));
    setFixedHeight(sizeHint().height());
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    showState();
}

void PuzzleMemoryBar::showState()
{
    const PuzzlePosition &now = m_run.position();
    setAccessibleName(
        tr("Memory: %1 of %2 held, at most %3 so far")
            .arg(bytesText(now.heldBytes), bytesText(m_run.puzzle().budgetBytes), bytesText(now.peakBytes)));
    setToolTip(accessibleName());
    update();
}

void PuzzleMemoryBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    const Puzzle &puzzle = m_run.puzzle();
    const PuzzlePosition &now = m_run.position();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF bar(0, kLabel + 4, width() - kRight, kBar);
    const auto x = [&bar, &puzzle](std::int64_t bytes) {
        return bar.left() + bar.width() * static_cast<double>(bytes) / static_cast<double>(puzzle.budgetBytes);
    };
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Token::Sunken));
    painter.drawRoundedRect(bar, 4, 4);
    std::int64_t at = 0;
    for (std::size_t s = 0; s < now.storages.size(); ++s) {
        const Storage &storage = puzzle.graph.storages[s];
        if (!now.storages[s].held || storage.bytes == 0) continue;
        const std::int64_t from = puzzle.rules.addresses ? now.storages[s].offsetBytes : at;
        at += storage.bytes;
        const QRectF piece(x(from) + 0.5, bar.top(), std::max(x(from + storage.bytes) - x(from) - 1, 1.0),
                           bar.height());
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(Token::Panel));
        painter.drawRect(piece);
        painter.setBrush(theme.categoryBrush(categoryOf(m_run, storage), devicePixelRatioF()));
        painter.drawRect(piece);
        painter.setFont(theme.font(FontRole::Small));
        const QString name = toQString(storage.name);
        const QSizeF room(painter.fontMetrics().horizontalAdvance(name) + 10, 16);
        if (room.width() > piece.width() - 4) continue;
        const QRectF plate(piece.center() - QPointF(room.width() / 2, room.height() / 2), room);
        painter.setBrush(theme.color(Token::Panel));
        painter.drawRoundedRect(plate, 3, 3);
        painter.setPen(theme.color(Token::Text));
        painter.drawText(plate, Qt::AlignCenter, name);
    }
    painter.setPen(QPen(theme.color(Token::Ghost), 1.5, Qt::DashLine));
    if (now.peakBytes > 0)
        painter.drawLine(QPointF(x(now.peakBytes) - 1, bar.top() - 3), QPointF(x(now.peakBytes) - 1, bar.bottom() + 3));
    painter.setPen(QPen(theme.color(Token::Budget), 2));
    painter.drawLine(QPointF(bar.right(), bar.top() - 4), QPointF(bar.right(), bar.bottom() + 4));
    painter.setFont(theme.font(FontRole::Label));
    painter.setPen(theme.color(Token::Text2));
    const QRectF label(0, 0, width() - kRight, kLabel);
    painter.drawText(label, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                     tr("In memory %1, at most %2 so far").arg(bytesText(now.heldBytes), bytesText(now.peakBytes)));
    painter.drawText(label, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter),
                     tr("Budget %1").arg(bytesText(puzzle.budgetBytes)));
}

PuzzleHistogram::PuzzleHistogram(const Puzzle &puzzle, QWidget *parent) : QWidget(parent), m_puzzle(puzzle)
{
    setObjectName(QStringLiteral("puzzleTries"));
    setFixedHeight(sizeHint().height());
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    showState();
}

void PuzzleHistogram::showState()
{
    m_tries = keptTries(m_puzzle);
    setAccessibleName(tr("Your tries by extra time: %n", nullptr, static_cast<int>(m_tries.size())));
    update();
}

void PuzzleHistogram::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.font(FontRole::Small));
    painter.setPen(theme.color(Token::Text3));
    if (m_tries.empty()) {
        painter.drawText(rect(), static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap,
                         tr("Each finished play stands here, by its extra time."));
        return;
    }
    std::map<double, int> counts; // in tenths of a percent, so that equal plays fall together
    const double baseUs = puzzleBaseUs(m_puzzle);
    const auto bin = [baseUs](double us) { return std::round(us / baseUs * 1000) / 1000 * baseUs; };
    if (m_puzzle.optimum) counts[bin(m_puzzle.optimum->extraUs)] = 0;
    int most = 1;
    for (const PuzzleTry &one : m_tries)
        most = std::max(most, ++counts[bin(one.figures.extraUs)]);
    constexpr int kFoot = 16, kHead = 14, kWidest = 46;
    const double step = std::min<double>(kWidest, static_cast<double>(width()) / static_cast<double>(counts.size()));
    const double room = height() - kFoot - kHead;
    double x = 0;
    for (const auto &[extraUs, count] : counts) {
        const bool best = m_puzzle.optimum && extraUs == bin(m_puzzle.optimum->extraUs);
        const double tall = count == 0 ? 1 : std::max(room * count / most, 4.0);
        const QRectF bar(x + 2, height() - kFoot - tall, step - 4, tall);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(best ? Token::Ok : Token::Accent));
        painter.drawRoundedRect(bar, 1, 1);
        painter.setPen(theme.color(Token::Text2));
        if (count > 0)
            painter.drawText(QRectF(x, bar.top() - kHead, step, kHead), Qt::AlignCenter, QString::number(count));
        if (step >= kWidest - 8 || best)
            painter.drawText(QRectF(x - 10, height() - kFoot, step + 20, kFoot), Qt::AlignCenter, timeText(extraUs));
        x += step;
    }
}

} // namespace remat::studio
