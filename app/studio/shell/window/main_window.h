// SPDX-License-Identifier: Apache-2.0
// The main window: menus, tool bar, start page or workspace, status bar; passes wishes on to the jobs.
#pragma once

#include "app/studio/base/commands/commands.h"
#include "app/studio/work/session/session.h"

#include <QMainWindow>

class QStackedWidget;

namespace remat::studio {

class ActivityBar;
class Autosave;
class Exports;
class Lessons;
class MessageStrip;
class Stories;
class ModelPages;
class PageTabs;
class PlanFiles;
class Puzzles;
class StartPage;
class StatusLine;
class TitleMenuBar;
class ToolRow;
class WindowSessions;
class Workspace;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Opens a model, a plan, costs, a session, a lesson or a puzzle in the background; `title` is what the window
    /// calls a model.
    void openFile(const QString &path, const QString &title = {});
    /// False when there is no sample of that name.
    bool openSample(const QString &name);
    QStringList sampleNames() const;
    /// A lesson's file, or the name of one that comes with the program, at a step from 1; 0 goes where it was left.
    /// False when it cannot be read; the window says why.
    bool openLesson(const QString &lesson, int step);
    /// A puzzle's file, or the name of one that comes with the program. False when it cannot be read; the window says
    /// why.
    bool openPuzzle(const QString &puzzle);
    /// What to do once the model that is being opened is there; empty texts and false do nothing.
    void afterOpening(const QString &budget, bool solve);
    /// The plan follows.
    void setBudget(std::int64_t bytes);
    void solve();
    /// Shows the trade-off and sweeps with the planners chosen there.
    void sweep();
    void savePlanTo(const QString &path);
    void saveSessionTo(const QString &path);
    /// Looks for sessions that killed programs left, in the background, and offers them; with `openNewest` that one is
    /// opened instead.
    void recover(bool openNewest);
    /// Another window in this program, which deletes itself when it is closed.
    static MainWindow *openAnother(const MainWindow *beside = nullptr);
    void showStartPage();
    /// Back to the open model.
    void showWorkspace();

    Session &session() { return *m_session; }
    Workspace *workspace() const { return m_workspace; }
    const Commands &commands() const { return *m_commands; }
    Autosave &autosave();
    ModelPages &pages() { return *m_pages; }
    MessageStrip *messages() const { return m_messages; }
    Exports &exports() { return *m_exports; }
    Lessons &lessons() { return *m_lessons; }
    Stories &stories() { return *m_stories; }
    Puzzles &puzzles() { return *m_puzzles; }
    /// Over the centre, until it ends, is closed, or another model is shown.
    void say(const Notice &notice);
    /// Nothing runs, and what is shown is complete.
    bool idle() const;

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dragLeaveEvent(QDragLeaveEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void makeMenus();
    void makeHead();
    void makeCenter();
    void wireCommands();
    void wireJobs();
    void wireViews();
    QMenu *makeRecentMenu();
    void makePages();
    void chooseModel();
    void choosePlanFile();
    void chooseProfile();
    /// The costs of the model that is shown.
    void useProfile(const QString &path);
    void findModelOf(int pageId);
    void closeModel();
    void reopenClosed();
    void modelShown();
    void showKeys();
    void showTracer();
    void showAbout();
    void stop();
    void modelOpened(const QString &path);
    void doAfterOpening();
    void showActivity();
    void showDocument();
    /// Takes back what was said of a model that is not shown any more.
    void dropStaleMessage();

    std::unique_ptr<Session> m_session;
    std::unique_ptr<ModelPages> m_pages;
    std::unique_ptr<WindowSessions> m_sessions;
    std::unique_ptr<PlanFiles> m_planFiles;
    QObject *m_features = new QObject(this);    ///< features are its children
    QObject *m_connections = new QObject(this); ///< what the window hears of the session is heard through it
    Commands *m_commands;
    std::vector<Sample> m_samples;
    TitleMenuBar *m_menuBar = nullptr;
    QStackedWidget *m_stack = nullptr;
    ActivityBar *m_activityBar = nullptr;
    MessageStrip *m_messages = nullptr;
    std::weak_ptr<const OpenModel> m_saidOf; ///< the model that was shown when the message came
    StartPage *m_startPage = nullptr;
    Workspace *m_workspace = nullptr;
    Exports *m_exports = nullptr;
    Lessons *m_lessons = nullptr;
    Puzzles *m_puzzles = nullptr;
    Stories *m_stories = nullptr;
    StatusLine *m_status = nullptr;
    ToolRow *m_tools = nullptr;
    PageTabs *m_pageTabs = nullptr;
    QString m_layoutText;  ///< what the graph is laying out
    QString m_budgetAfter; ///< for the model that is being opened
    bool m_solveAfter = false;
};

} // namespace remat::studio
