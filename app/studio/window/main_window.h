// The main window: menus, tool bar, start page or workspace, status bar; passes wishes on to the jobs.
#pragma once

#include "app/studio/window/commands.h"
#include "app/studio/window/session.h"

#include <QMainWindow>

#include <set>

class QStackedWidget;

namespace remat::studio {

class ActivityBar;
class MessageStrip;
class StartPage;
class StatusLine;
class TitleMenuBar;
class ToolRow;
class Workspace;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Opens a file in the background; `title` is what the window calls it.
    void openFile(const QString &path, const QString &title = {});
    /// False when there is no sample of that name.
    bool openSample(const QString &name);
    QStringList sampleNames() const;
    /// What to do once the model that is being opened is there; empty texts and false do nothing.
    void afterOpening(const QString &budget, bool solve, bool sweep = false);
    void solve();
    /// Shows the trade-off and sweeps with the planners chosen there.
    void sweep();
    void savePlanTo(const QString &path);
    void showStartPage();
    /// Back to the open model.
    void showWorkspace();

    Session &session() { return *m_session; }
    Workspace *workspace() const { return m_workspace; }
    const Commands &commands() const { return *m_commands; }
    MessageStrip *messages() const { return m_messages; }
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
    void wireBudget();
    void addRecentActions(QMenu *menu);
    void chooseModel();
    void choosePlanFile();
    void chooseProfile();
    void showKeys();
    void showTracer();
    void stop();
    void setBudget(std::int64_t bytes);
    void modelOpened(const QString &path);
    void showActivity();
    void showDocument();
    void say(const Notice &notice);

    std::unique_ptr<Session> m_session;
    Commands *m_commands;
    std::vector<Sample> m_samples;
    TitleMenuBar *m_menuBar = nullptr;
    QStackedWidget *m_stack = nullptr;
    ActivityBar *m_activityBar = nullptr;
    MessageStrip *m_messages = nullptr;
    StartPage *m_startPage = nullptr;
    Workspace *m_workspace = nullptr;
    StatusLine *m_status = nullptr;
    ToolRow *m_tools = nullptr;
    QString m_layoutText;  ///< what the graph is laying out
    std::set<int> m_saved; ///< plans that are on disk
    QString m_budgetAfter; ///< for the model that is being opened
    bool m_solveAfter = false;
    bool m_sweepAfter = false;
};

} // namespace remat::studio
