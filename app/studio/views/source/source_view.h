// SPDX-License-Identifier: Apache-2.0
// The view "Source": the calls of Python that the selection comes from.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "core/views/python_calls.h"

#include <QWidget>

class QTableView;

namespace remat::studio {

class StudioButton;
class TokenLabel;

/// One call a row, the innermost first. GUI thread only.
class CallsTable : public RowTable
{
    Q_OBJECT
public:
    static constexpr int kPlaceRole = Qt::UserRole + 1; ///< `modeling_gpt2.py:571 in forward`

    explicit CallsTable(QObject *parent = nullptr);
    /// `calls` are from the outermost to the innermost.
    void set(std::vector<StackFrame> calls);
    const std::vector<StackFrame> &calls() const { return m_calls; }
    /// As Python writes a stack trace, for the clipboard.
    QString text() const;

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;
    const StackFrame &call(int row) const;

    std::vector<StackFrame> m_calls;
};

/// Hidden it does nothing; it is brought up to date when it is seen. Stacks are read from the file in the background.
/// GUI thread only.
class SourceView : public QWidget
{
    Q_OBJECT
public:
    SourceView(Document *document, QThreadPool &pool, QWidget *parent = nullptr);
    QTableView *table() const { return m_table; }

protected:
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void refresh();
    /// Reads the stack traces of the model that is shown, once.
    void readStacks();

    Document *m_document;
    std::weak_ptr<const OpenModel> m_stacksOf;
    PythonStacks m_stacks; ///< empty until they are read, and for graphs that have none
    JobTracker m_reader;
    CallsTable m_calls;
    TokenLabel *m_summary;
    StudioButton *m_copy;
    QTableView *m_table;
};

} // namespace remat::studio
