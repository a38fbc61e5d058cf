// Everything that is alive at one computation, as a list that floats over the view.
#pragma once

#include "app/studio/document/document.h"
#include "app/studio/memory_view/op_labels.h"

#include <QAbstractTableModel>
#include <QFrame>

class QTableView;

namespace remat::studio {

/// Largest first; the op's workspace is a row of its own. GUI thread only.
class AliveTable : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Name, CategoryColumn, Bytes, Since, kColumns };
    /// The figure behind a cell's text: bytes and step as qint64.
    static constexpr int kValueRole = Qt::UserRole;

    AliveTable(const Document *document, std::size_t sample, QObject *parent = nullptr);
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    /// None for workspace.
    StorageId storageAt(int row) const { return m_rows[static_cast<std::size_t>(row)].storage; }

private:
    struct Row {
        StorageId storage;
        QString name;
        Category category = Category::Workspace;
        std::int64_t bytes = 0;
        std::int32_t since = 0;
    };
    std::vector<Row> m_rows;
};

/// A popup; Enter or a click selects the storage, the mouse lights it in all views. Deletes itself when closed.
class AliveList : public QFrame
{
    Q_OBJECT
public:
    AliveList(Document *document, std::size_t sample, const QString &title, QWidget *parent);
    AliveTable *model() { return m_model; }
    QTableView *view() { return m_view; }

protected:
    void hideEvent(QHideEvent *event) override;

private:
    Document *m_document;
    AliveTable *m_model;
    QTableView *m_view;
};

} // namespace remat::studio
