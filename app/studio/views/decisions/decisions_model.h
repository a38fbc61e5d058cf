// SPDX-License-Identifier: Apache-2.0
// The decisions made by hand, one a row.
#pragma once

#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/widgets/row_table.h"
#include "app/studio/work/document/document.h"

namespace remat::studio {

/// One decision.
struct DecisionRow {
    Decision kind = Decision::Keep;
    OpId op;                         ///< the op, or the one that makes the storages
    std::vector<StorageId> storages; ///< only for Keep: all that go by one name
    /// The first of them; none for others.
    StorageId storage() const { return storages.empty() ? StorageId() : storages.front(); }
};

/// What the pins of a graph are shown as: storages that one op makes are one decision.
std::vector<DecisionRow> decisionRows(const Graph &graph, const Pins &pins);

/// Rows in the order: keep, recompute, never; each in graph order. GUI thread only.
class DecisionsModel : public RowTable
{
    Q_OBJECT
public:
    enum { What, Bytes, Remove };

    explicit DecisionsModel(QObject *parent = nullptr);
    void setPins(std::shared_ptr<const CostedModel> model, const Pins &pins);
    const DecisionRow &row(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    /// The pins without one row.
    static Pins without(Pins pins, const DecisionRow &row);
    static QString iconOf(Decision kind);
    /// `Keep`, `Recompute`, `Never recompute`
    static QString wordsOf(Decision kind);

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;

    std::shared_ptr<const CostedModel> m_model;
    OpLabels m_labels;
    std::vector<DecisionRow> m_rows;
};

} // namespace remat::studio
