// SPDX-License-Identifier: Apache-2.0
// Everything that is alive at one computation, as a list that floats over the view.
#pragma once

#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/widgets/row_table.h"
#include "app/studio/work/document/document.h"
#include "core/views/storage_bands.h"

#include <QFrame>

class QTableView;

namespace remat::studio {

/// A storage of such a list, or the workspace of the op that runs.
struct AliveRow {
    StorageId storage; ///< none for workspace
    QString name;
    Category category = Category::Workspace;
    std::int64_t bytes = 0;
    std::int32_t since = 0; ///< step
};

/// What is alive in a sample, the largest first, and the workspace; empty without a model.
std::vector<AliveRow> rowsAliveAt(const Document &document, std::size_t sample);
/// All storages of the plan that have no band, the largest first.
std::vector<AliveRow> rowsWithoutBand(const Document &document, const StorageBands &bands);

/// GUI thread only.
class AliveTable : public RowTable
{
    Q_OBJECT
public:
    enum { Name, CategoryColumn, Bytes, Since };
    static constexpr int kCategoryRole = kValueRole + 1;

    explicit AliveTable(std::vector<AliveRow> rows, QObject *parent = nullptr);
    /// None for workspace.
    StorageId storageAt(int row) const { return m_rows[static_cast<std::size_t>(row)].storage; }
    /// Leaves the rows whose name has the text in it, whatever its case.
    void setFilter(const QString &text);

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;

    std::vector<AliveRow> m_all, m_rows;
};

/// A popup with a field to search in; Enter or a click selects the storage, the mouse lights it in all views. Deletes
/// itself when closed.
class AliveList : public QFrame
{
    Q_OBJECT
public:
    AliveList(Document *document, std::vector<AliveRow> rows, const QString &title, QWidget *parent);
    AliveTable *model() { return m_model; }
    QTableView *view() { return m_view; }

protected:
    void hideEvent(QHideEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void choose(const QModelIndex &index);

    Document *m_document;
    AliveTable *m_model;
    QTableView *m_view;
};

} // namespace remat::studio
