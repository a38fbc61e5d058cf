// SPDX-License-Identifier: Apache-2.0
// Every command and gesture with its keys, to be searched.
#pragma once

#include <QDialog>

class QLineEdit;
class QTreeWidget;

namespace remat::studio {

class Commands;

/// Made from the list of commands and the gestures of the views.
class KeysWindow : public QDialog
{
    Q_OBJECT
public:
    KeysWindow(const Commands &commands, QWidget *parent);

private:
    void fill(const Commands &commands);
    /// Shows the rows that hold every word of the text, and the titles of their groups.
    void narrow(const QString &text);

    QLineEdit *m_field;
    QTreeWidget *m_list;
};

} // namespace remat::studio
