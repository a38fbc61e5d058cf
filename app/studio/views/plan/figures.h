// SPDX-License-Identifier: Apache-2.0
// The figures of the current plan, in rows of 22.
#pragma once

#include "app/studio/work/document/document.h"

#include <QWidget>

namespace remat::studio {

class TokenLabel;
class OpLink;

/// How far the plan has come, peak, overhead beside its bound, time per step, recomputed ops, lower bound with the op
/// at which it binds; weights and states of steps that hold updates. Keeps its size while figures change.
class Figures : public QWidget
{
    Q_OBJECT
public:
    explicit Figures(QWidget *parent = nullptr);
    /// Its model is the document's.
    void setPlan(const Document &document, const PlanEntry &entry);
    /// Every figure is a dash, with the reason in the tooltip.
    void setNone(const QString &why);

Q_SIGNALS:
    /// The op at which the lower bound binds was clicked.
    void cutChosen(remat::OpId op);

private:
    struct Row {
        TokenLabel *note;
        TokenLabel *value;
    };
    Row addRow(const QString &label, const QString &name, TokenLabel *note = nullptr);
    void setBound(const CostedModel &model, const PlanEntry &entry, double boundUs);
    void setStanding(const Document &document, const PlanEntry &entry);
    void setTrained(const CostedModel &model, const PlanEntry &entry);
    /// Shown for plans that are not in the graph's order.
    void setAnyOrder(const CostedModel &model, const PlanEntry &entry);
    void set(const Row &row, const QString &value, const QString &note, const QString &tooltip);

    Row m_standing, m_peak, m_overhead, m_time, m_recomputed, m_bound, m_anyOrder, m_trained;
    OpLink *m_cut = nullptr;
};

} // namespace remat::studio
