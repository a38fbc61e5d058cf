// SPDX-License-Identifier: Apache-2.0
// The differences of two plans as a table: states, signed bytes and time with bars around a shared zero.
#pragma once

#include "app/studio/work/document/document.h"
#include "core/views/comparison.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QTableView>

namespace remat::studio {

/// One row per group of identical blocks.
class DifferenceModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Module, Name, Uses, StateA, StateB, Bytes, Time, kColumns };
    static constexpr int kValueRole = Qt::UserRole + 1;   ///< what the column sorts by
    static constexpr int kStateRole = Qt::UserRole + 2;   ///< NodeState of a state column
    static constexpr int kBarRole = Qt::UserRole + 3;     ///< −1 … 1 of the largest difference
    static constexpr int kHoveredRole = Qt::UserRole + 4; ///< another view points at it

    using QAbstractTableModel::QAbstractTableModel;
    /// `letter` is the plan's that A is compared with.
    void show(PlanComparison comparison, CompareLevel level, const QString &letter);
    const PlanComparison &comparison() const { return m_comparison; }
    CompareLevel level() const { return m_level; }
    void setHovered(const Selection &hover);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QVariant display(const DifferenceRow &row, int column) const;
    QVariant value(const DifferenceRow &row, int column) const;

    PlanComparison m_comparison;
    CompareLevel m_level = CompareLevel::Storages;
    QString m_letter = QStringLiteral("B");
    int m_hovered = -1;
};

/// Sorted by a click on the header; shows rows with the filter's text in any column.
class DifferenceTable : public QTableView
{
    Q_OBJECT
public:
    explicit DifferenceTable(Document *document, QWidget *parent = nullptr);

    DifferenceModel *differences() const { return m_model; }
    /// `letter` is the plan's that A is compared with; empty while there are not two plans.
    void show(PlanComparison comparison, CompareLevel level, const QString &letter);
    void setFilter(const QString &text);
    /// The chosen row; none when there is none.
    const DifferenceRow *chosen() const;
    /// What is shown, in its order, with exact bytes and times: RFC 4180.
    QString csv() const;

Q_SIGNALS:
    void chosenChanged();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    const DifferenceRow &rowAt(const QModelIndex &proxyIndex) const;
    void choose();
    void followSelection();
    void fitColumns();

    Document *m_document;
    DifferenceModel *m_model;
    QSortFilterProxyModel *m_proxy;
    bool m_following = false;
    bool m_compares = false; ///< there are two plans
};

} // namespace remat::studio
