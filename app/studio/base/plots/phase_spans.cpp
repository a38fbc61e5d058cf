// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/plots/phase_spans.h"

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/phase_text.h"

#include <algorithm>
#include <array>

namespace remat::studio {

std::vector<PhaseSpan> phaseSpans(const Graph &graph, const MemoryTimeline &timeline, const SampleAxis &axis)
{
    const std::size_t count = timeline.op.size();
    if (count == 0) return {};
    // Time of each phase before a sample; recomputations count for whichever stretch they are in.
    constexpr double kLeastUs = 1e-3;
    constexpr std::size_t kForward = 0, kLoss = 1, kBackward = 2;
    std::vector<std::array<double, 3>> before(count + 1);
    std::vector<double> all(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i) {
        before[i + 1] = before[i];
        const double time = std::max(timeline.endUs[i] - timeline.startUs[i], kLeastUs);
        const bool again = timeline.recompute[i] != 0;
        if (!again) before[i + 1][static_cast<std::size_t>(graph.op(timeline.op[i]).phase)] += time;
        all[i + 1] = all[i] + (again ? 0 : time);
    }
    // Cuts lossAt ≤ backwardAt that leave the most time in its own stretch.
    std::size_t lossAt = 0, backwardAt = 0, bestLossAt = 0;
    double best = -1;
    for (std::size_t j = 0; j <= count; ++j) {
        if (before[j][kForward] - before[j][kLoss] >= before[bestLossAt][kForward] - before[bestLossAt][kLoss])
            bestLossAt = j;
        const double matched = before[bestLossAt][kForward] - before[bestLossAt][kLoss] + before[j][kLoss] +
                               before[count][kBackward] - before[j][kBackward];
        if (matched <= best) continue;
        best = matched;
        lossAt = bestLossAt;
        backwardAt = j;
    }
    std::vector<PhaseSpan> spans;
    const auto add = [&](Phase phase, std::size_t first, std::size_t end) {
        if (first >= end) return;
        const auto which = static_cast<std::size_t>(phase);
        const double own = before[end][which] - before[first][which];
        if (own * 2 < all[end] - all[first] || own <= 0) return;
        spans.push_back({phase, axis.edges()[first], axis.edges()[end]});
    };
    add(Phase::Forward, 0, lossAt);
    add(Phase::Loss, lossAt, backwardAt);
    add(Phase::Backward, backwardAt, count);
    return spans;
}

void paintPhases(QPainter &painter, const std::vector<PhaseSpan> &phases, const QRectF &plot, const Scale &x,
                 double ruleY, double devicePixelRatio)
{
    const Theme &theme = Theme::instance();
    painter.setFont(theme.font(FontRole::Label));
    for (const PhaseSpan &phase : phases) {
        const double from = std::max(x.pixel(phase.from), plot.left());
        const double to = std::min(x.pixel(phase.to), plot.right());
        if (to <= from) continue;
        const QString name = phaseText(phase.phase);
        if (phase.phase == Phase::Loss) {
            QColor shade = theme.color(Token::Ghost);
            shade.setAlphaF(0.1F);
            painter.fillRect(QRectF(QPointF(from, plot.top()), QPointF(to, plot.bottom())), shade);
        }
        if (to - from > 8) {
            const double y = sharp(ruleY, devicePixelRatio);
            painter.setPen(QPen(theme.color(Token::Line), 2));
            painter.drawLine(QPointF(from + 2, y), QPointF(to - 2, y));
        }
        if (painter.fontMetrics().horizontalAdvance(name) + 4 > to - from) continue;
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(from, 0, to - from, ruleY - 1), Qt::AlignCenter, name);
    }
}

} // namespace remat::studio
