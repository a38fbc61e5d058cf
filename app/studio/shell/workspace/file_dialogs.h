// SPDX-License-Identifier: Apache-2.0
// The window's file dialogs: they remember their folder and never block.
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace remat::studio {

/// What a dialog asks for.
struct FileQuestion {
    QString title;
    QStringList filters;
    QString folderKey; ///< settings keep the last folder under it; may be empty
    QString folder;    ///< where to begin the first time
    QString name;      ///< proposed, when saving
    QString suffix;    ///< added when saving, without the dot
};

using FileChosen = std::function<void(const QString &path)>;

/// Opens at once and calls `chosen` later, or never.
void askForFile(QWidget *window, const FileQuestion &question, FileChosen chosen);
void askWhereToSave(QWidget *window, const FileQuestion &question, FileChosen chosen);

} // namespace remat::studio
