// Everything that is alive at one computation, as a list that floats over the view.
#pragma once

#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/widgets/row_table.h"
#include "app/studio/work/document/document.h"

#include <QFrame>

class QTableView;

namespace remat::studio {

/// Largest first; the op's workspace is a row of its own. GUI thread only.
class AliveTable : public RowTable
{
    Q_OBJECT
public:
    enum { Name, CategoryColumn, Bytes, Since };
    static constexpr int kCategoryRole = kValueRole + 1;

    AliveTable(const Document *document, std::size_t sample, QObject *parent = nullptr);
    /// None for workspace.
    StorageId storageAt(int row) const { return m_rows[static_cast<std::size_t>(row)].storage; }

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;

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
