#include "app/studio/compare_view/compare_text.h"

#include "app/studio/document/text.h"

#include <QCoreApplication>

#include <cmath>
#include <cstdlib>

namespace remat::studio {

namespace {

struct ComparisonText {
    Q_DECLARE_TR_FUNCTIONS(Comparison)
};

QString withSign(bool negative, const QString &amount)
{
    return (negative ? QStringLiteral("−") : QStringLiteral("+")) + amount;
}

/// What both do alike.
QString bothSentence(const CompareSide &side)
{
    switch (side.state) {
    case NodeState::Kept:
        return ComparisonText::tr("Both keep it until the backward pass reads it.");
    case NodeState::Recomputed:
        return ComparisonText::tr("Both drop it and compute it again, which costs %1.").arg(timeText(side.recomputeUs));
    case NodeState::Offloaded:
        return ComparisonText::tr("Both park it in host memory.");
    case NodeState::Mixed:
        return ComparisonText::tr("Both keep a part and compute %1 of it again.").arg(timeText(side.recomputeUs));
    case NodeState::Freed:
        return ComparisonText::tr("Both free it after its last use.");
    case NodeState::Backward:
        break;
    }
    return {};
}

/// What one plan does, with its letter.
QString sideSentence(const CompareSide &side, const QString &letter)
{
    switch (side.state) {
    case NodeState::Kept:
        return side.recomputations > 0
                   ? ComparisonText::tr("%1 keeps it and computes it again later, which costs %2.")
                         .arg(letter, timeText(side.recomputeUs))
                   : ComparisonText::tr("%1 keeps it until the backward pass reads it.").arg(letter);
    case NodeState::Recomputed:
        return ComparisonText::tr("%1 drops it and computes it again, which costs %2.")
            .arg(letter, timeText(side.recomputeUs));
    case NodeState::Offloaded:
        return ComparisonText::tr("%1 parks it in host memory.").arg(letter);
    case NodeState::Mixed:
        return ComparisonText::tr("%1 keeps a part and computes %2 of it again.")
            .arg(letter, timeText(side.recomputeUs));
    case NodeState::Freed:
        return ComparisonText::tr("%1 frees it after its last use.").arg(letter);
    case NodeState::Backward:
        break;
    }
    return {};
}

} // namespace

QString signedBytesText(std::int64_t bytes)
{
    return bytes == 0 ? QStringLiteral("0") : withSign(bytes < 0, bytesText(std::abs(bytes)));
}

QString signedTimeText(double timeUs)
{
    return std::abs(timeUs) < 0.5 ? QStringLiteral("0") : withSign(timeUs < 0, timeText(std::abs(timeUs)));
}

QString signedPointsText(double share)
{
    if (std::abs(share) < 5e-5) return QStringLiteral("0");
    QString number = shareText(std::abs(share));
    number.replace(QLatin1Char('%'), QStringLiteral("pp"));
    return withSign(share < 0, number);
}

QString signedCountText(std::int64_t count)
{
    return count == 0 ? QStringLiteral("0") : withSign(count < 0, countText(std::abs(count)));
}

QString stateText(NodeState state)
{
    switch (state) {
    case NodeState::Kept:
        return ComparisonText::tr("Kept");
    case NodeState::Recomputed:
        return ComparisonText::tr("Recomputed");
    case NodeState::Offloaded:
        return ComparisonText::tr("Offloaded");
    case NodeState::Mixed:
        return ComparisonText::tr("Mixed");
    case NodeState::Freed:
        return ComparisonText::tr("Freed");
    case NodeState::Backward:
        return ComparisonText::tr("Backward");
    }
    return {};
}

QString rowSentence(const DifferenceRow &row, const QString &other)
{
    const bool alike =
        row.a.state == row.b.state && std::abs(row.timeUs()) < 0.5 && row.a.recomputations == row.b.recomputations;
    QStringList sentences = alike ? QStringList{bothSentence(row.a)}
                                  : QStringList{sideSentence(row.a, QStringLiteral("A")), sideSentence(row.b, other)};
    sentences.removeAll(QString());
    const auto held = [](std::int64_t bytes) { return bytes > 0 ? bytesText(bytes) : ComparisonText::tr("nothing"); };
    if (row.a.heldBytes != row.b.heldBytes)
        sentences << ComparisonText::tr("At its peak A holds %1 of it, %2 holds %3 at its own.")
                         .arg(held(row.a.heldBytes), other, held(row.b.heldBytes));
    return sentences.join(QLatin1Char(' '));
}

QString betterSentence(const PlanFigures &better, const PlanFigures &worse)
{
    return ComparisonText::tr("%1 less memory and %2 less time per step.")
        .arg(bytesText(worse.peakBytes - better.peakBytes), timeText(worse.timeUs - better.timeUs));
}

} // namespace remat::studio
