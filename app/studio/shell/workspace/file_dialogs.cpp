// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/file_dialogs.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QSettings>
#include <QTreeView>

namespace remat::studio {

namespace {

constexpr QSize kDialogSize(860, 560);

QFileDialog *makeDialog(QWidget *window, const FileQuestion &question, FileChosen chosen)
{
    auto *dialog = new QFileDialog(window, question.title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setNameFilters(question.filters);
    dialog->resize(kDialogSize);
    // Where Qt draws the dialog itself: names have the room that sizes and dates leave, and dates are seen whole.
    if (auto *list = dialog->findChild<QTreeView *>(QStringLiteral("treeView"))) {
        list->header()->setStretchLastSection(false);
        list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
        list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    }
    const QString key = question.folderKey.isEmpty() ? QString() : QStringLiteral("folders/") + question.folderKey;
    dialog->setDirectory(key.isEmpty() ? question.folder : QSettings().value(key, question.folder).toString());
    QObject::connect(dialog, &QFileDialog::fileSelected, window,
                     [key, chosen = std::move(chosen)](const QString &path) {
                         if (!key.isEmpty()) QSettings().setValue(key, QFileInfo(path).absolutePath());
                         chosen(path);
                     });
    return dialog;
}

} // namespace

void askForFile(QWidget *window, const FileQuestion &question, FileChosen chosen)
{
    QFileDialog *dialog = makeDialog(window, question, std::move(chosen));
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->open();
}

void askWhereToSave(QWidget *window, const FileQuestion &question, FileChosen chosen)
{
    QFileDialog *dialog = makeDialog(window, question, std::move(chosen));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(question.suffix);
    dialog->selectFile(question.name);
    dialog->open();
}

} // namespace remat::studio
