// SPDX-License-Identifier: Apache-2.0
// The search of a window: what is looked for, what was found, which match is shown.
#pragma once

#include "app/studio/views/search/op_index.h"

#include <QObject>
#include <QTimer>

namespace remat::studio {

/// GUI thread only.
class SearchSession : public QObject
{
    Q_OBJECT
public:
    explicit SearchSession(Document &document, QObject *parent = nullptr);

    const QString &text() const { return m_text; }
    /// Looks for what the text says; a text that cannot be understood finds nothing and says why.
    void setText(const QString &text);
    void clear() { setText({}); }

    bool active() const { return !m_text.trimmed().isEmpty(); }
    const QString &problem() const { return m_problem; }           ///< a sentence; empty when the text is understood
    const std::vector<OpId> &matches() const { return m_matches; } ///< graph order
    int current() const { return m_current; }                      ///< place in the matches, or -1
    /// Goes on to the next or the previous match, round the end, from the selected op where it is none itself.
    void step(int by);
    void setCurrent(int match);
    OpIndex &index() { return m_index; }

Q_SIGNALS:
    void changed();             ///< text, matches or problem
    void currentChanged();      ///< follows `changed`, too
    void shown(remat::OpId op); ///< the person went to this match

private:
    void find();
    void followSelection();

    Document &m_document;
    OpIndex m_index;
    QString m_text, m_problem;
    Filter m_filter;
    std::vector<OpId> m_matches;
    int m_current = -1;
    QTimer m_replan; ///< plans that change under a dragged budget are looked at a few times a second
};

} // namespace remat::studio
