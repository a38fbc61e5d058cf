// SPDX-License-Identifier: Apache-2.0
// "Where things are": every feature with its place and key, and a link that goes there.
#pragma once

#include <QDialog>

class QLineEdit;

namespace remat::studio {

class Commands;

/// Made from the table of features and the list of commands. Stays open beside the window.
class HelpWindow : public QDialog
{
    Q_OBJECT
public:
    HelpWindow(const Commands &commands, QWidget *parent);

private:
    void narrow(const QString &text);

    QLineEdit *m_field;
    QList<QWidget *> m_rows;
};

} // namespace remat::studio
