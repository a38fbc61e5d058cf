// SPDX-License-Identifier: Apache-2.0
// The strip above the graph that ops are looked for in.
#pragma once

#include "app/studio/views/search/search_session.h"

#include <QWidget>

class QLineEdit;

namespace remat::studio {

class FilterCompleter;
class StudioButton;
class TokenLabel;

/// 40 high, 64 while it has a sentence to say. GUI thread only.
class FindBar : public QWidget
{
    Q_OBJECT
public:
    FindBar(SearchSession &search, const Document &document, QWidget *parent = nullptr);
    /// Shows it with the text chosen, ready to be written over.
    void open();
    void close();
    QLineEdit *field() const { return m_field; }

Q_SIGNALS:
    void listWanted();
    void closed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void showFound(bool followText);
    StudioButton *button(const char *name, const QString &text, const QString &icon);

    SearchSession &m_search;
    QLineEdit *m_field;
    FilterCompleter *m_completer;
    TokenLabel *m_count, *m_problem;
    StudioButton *m_previous, *m_next;
};

} // namespace remat::studio
