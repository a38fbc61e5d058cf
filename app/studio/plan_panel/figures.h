// The figures of the current plan, in rows of 22.
#pragma once

#include "app/studio/document/document.h"

#include <QWidget>

namespace remat::studio {

class TokenLabel;

/// Peak, overhead beside its bound, time per step, recomputed ops, lower bound. Keeps its size while figures change.
class Figures : public QWidget
{
    Q_OBJECT
public:
    explicit Figures(QWidget *parent = nullptr);
    /// `entry` may be none: every figure is a dash then, with the reason in the tooltip.
    void setPlan(const CostedModel *model, const PlanEntry *entry, std::int64_t budgetBytes);

private:
    struct Row {
        TokenLabel *note;
        TokenLabel *value;
    };
    Row addRow(const QString &label, const QString &name);
    void set(const Row &row, const QString &value, const QString &note, const QString &tooltip);

    Row m_peak, m_overhead, m_time, m_recomputed, m_bound;
};

} // namespace remat::studio
