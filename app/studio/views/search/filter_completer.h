// SPDX-License-Identifier: Apache-2.0
// Completions of the filter word or value that the cursor of a field is in.
#pragma once

#include "app/studio/views/search/op_index.h"

#include <QStandardItemModel>

class QCompleter;
class QLineEdit;

namespace remat::studio {

/// What may stand where the cursor is.
struct FilterCompletion {
    QString text;    ///< what takes the place of the token
    QString meaning; ///< shown beside it
    bool operator==(const FilterCompletion &) const = default;
};
/// For the token that ends at `cursor`: filter words, or the values a word can have in the open model, best known
/// first; at most 40.
QList<FilterCompletion> filterCompletions(const QString &text, int cursor, const Graph *graph);

/// Shows them below a field while it is typed in. GUI thread only.
class FilterCompleter : public QObject
{
    Q_OBJECT
public:
    FilterCompleter(QLineEdit *field, const Document &document);
    /// The list that pops up.
    QCompleter *popup() const { return m_completer; }

private:
    void offer();
    void insert(const QString &completion);

    QLineEdit *m_field;
    const Document &m_document;
    QStandardItemModel m_model;
    QCompleter *m_completer;
};

} // namespace remat::studio
