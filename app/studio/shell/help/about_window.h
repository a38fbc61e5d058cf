// SPDX-License-Identifier: Apache-2.0
// Help ▸ About: what a person who asks for help is asked for.
#pragma once

#include <QDialog>
#include <QList>
#include <QPair>

namespace remat::studio {

/// Version, licence and what the program found on this machine, each with its name; the same as the lines that are
/// copied. Looks for PyTorch on the disk and loads nothing of it.
QList<QPair<QString, QString>> aboutFacts();

/// GUI thread only.
class AboutWindow : public QDialog
{
    Q_OBJECT
public:
    explicit AboutWindow(QWidget *parent = nullptr);
};

} // namespace remat::studio
