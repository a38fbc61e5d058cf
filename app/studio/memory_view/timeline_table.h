// The memory view as a table: for screen readers, for tests, and for copying figures out.
#pragma once

#include "app/studio/document/document.h"

#include <QAbstractTableModel>

namespace remat::studio {

/// One row per computation of the current plan: step, op, time, bytes per category, total. GUI thread only.
class TimelineTable : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Step, Operation, Time, FirstCategory, Total = FirstCategory + static_cast<int>(kCategoryCount) };
    static constexpr int kColumns = Total + 1;
    /// The figure behind a cell's text: step and bytes as qint64, time in µs as double.
    static constexpr int kValueRole = Qt::UserRole;

    explicit TimelineTable(Document *document, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void take();

    Document *m_document;
    std::shared_ptr<const CostedModel> m_model;
    std::shared_ptr<const MemoryTimeline> m_timeline;
};

} // namespace remat::studio
