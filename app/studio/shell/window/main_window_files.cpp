// SPDX-License-Identifier: Apache-2.0
// What the window asks of the person about files, and the files it opened last.
#include "app/studio/shell/start_page/recent_files.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/workspace/file_dialogs.h"
#include "app/studio/work/pages/model_pages.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>

namespace remat::studio {

QMenu *MainWindow::makeRecentMenu()
{
    auto *menu = new QMenu(tr("Open recent"), this);
    // The actions are made once, so that their keys work without the menu being opened.
    for (int i = 0; i < kMostRecentFiles; ++i) {
        auto *action = new QAction(this);
        action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)));
        action->setVisible(false);
        connect(action, &QAction::triggered, this, [this, i] {
            const std::vector<RecentFile> files = recentFiles();
            const auto index = static_cast<std::size_t>(i);
            if (index < files.size()) openFile(files[index].path, files[index].title);
        });
        addAction(action);
        menu->addAction(action);
    }
    const auto fill = [menu] {
        const std::vector<RecentFile> files = recentFiles();
        const QList<QAction *> actions = menu->actions();
        for (qsizetype i = 0; i < actions.size(); ++i) {
            const auto index = static_cast<std::size_t>(i);
            actions[i]->setVisible(index < files.size());
            if (index >= files.size()) continue;
            actions[i]->setText(QFileInfo(files[index].path).fileName());
            actions[i]->setToolTip(files[index].path);
        }
        menu->setEnabled(!files.empty());
    };
    fill();
    connect(menu->menuAction(), &QAction::hovered, menu, fill);
    connect(menu, &QMenu::aboutToShow, menu, fill);
    connect(&m_session->loader, &ModelLoader::opened, menu, fill, Qt::QueuedConnection);
    return menu;
}

void MainWindow::chooseModel()
{
    FileQuestion question;
    question.title = tr("Open a model, a plan, costs, a certificate, a session or a lesson");
    question.filters = {
        tr("Training graphs, plans, costs, certificates and sessions (*.pt2 *.json *.remat *.rematsession)"),
        tr("All files (*)")};
    question.folderKey = QStringLiteral("models");
    askForFile(this, question, [this](const QString &path) { openFile(path); });
}

void MainWindow::choosePlanFile()
{
    if (!m_session->document.currentPlan()) return;
    FileQuestion question;
    question.title = tr("Save the plan");
    question.filters = {tr("Plans (*.json)")};
    question.folderKey = QStringLiteral("plans");
    question.folder = QDir::homePath();
    question.suffix = QStringLiteral("json");
    question.name = QFileInfo(m_session->loader.modelPath()).completeBaseName() + QStringLiteral("-plan.json");
    askWhereToSave(this, question, [this](const QString &path) { savePlanTo(path); });
}

void MainWindow::chooseProfile()
{
    FileQuestion question;
    question.title = tr("Open a profile");
    question.filters = {tr("Profiles (*.json)"), tr("All files (*)")};
    askForFile(this, question, [this](const QString &path) { useProfile(path); });
}

void MainWindow::findModelOf(int pageId)
{
    FileQuestion question;
    question.title = tr("Choose the model of these plans");
    question.filters = {tr("Training graphs (*.pt2 *.json)"), tr("All files (*)")};
    question.folderKey = QStringLiteral("models");
    askForFile(this, question, [this, pageId](const QString &path) { m_pages->open(pageId, path); });
}

} // namespace remat::studio
