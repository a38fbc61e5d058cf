// SPDX-License-Identifier: Apache-2.0
// The palette: a field and what fits it, floating over the window.
#pragma once

#include "app/studio/shell/palette/palette_list.h"

#include <QWidget>

class QLineEdit;
class QListView;

namespace remat::studio {

class TokenLabel;

/// 560 wide, 96 below the top of its parent. GUI thread only.
class PaletteBox : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kWidth = 560, kTop = 96, kField = 40, kRow = 32, kRowsShown = 10, kHints = 28;
    static constexpr int kShadow = 12; ///< around the box, inside the widget

    explicit PaletteBox(QWidget *parent);
    PaletteList &list() { return m_list; }
    QLineEdit *field() const { return m_field; }
    QListView *view() const { return m_view; }
    /// Shows it with a text, the cursor after it.
    void open(const QString &text);
    void close();
    /// Below the rows: a sentence about the text, or what its first letter may be.
    void setSentence(const QString &sentence, bool isProblem);

Q_SIGNALS:
    void asked(const QString &text);
    void chosen(const remat::studio::PaletteItem &item);
    /// All that fit were asked for, not one.
    void allWanted(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void place();
    void choose(int row);
    void move(int by);

    PaletteList m_list;
    QLineEdit *m_field;
    QListView *m_view;
    TokenLabel *m_hints;
    QWidget *m_focusBefore = nullptr;
};

} // namespace remat::studio
