// Every action of the window: text, key, tooltip, icon. Menus, tool bar and the key list are made from this one list.
#pragma once

#include <QAction>
#include <QObject>

#include <map>
#include <vector>

namespace remat::studio {

enum class Command {
    Open,
    SavePlan,
    StartPage,
    Quit,
    EditBudget,
    GoToFloor,
    RemovePlan,
    Solve,
    Stop,
    Validate,
    Measure,
    Sweep,
    ShowGraph,
    ShowCurve,
    Fit,
    LeftPanel,
    MemoryPanel,
    PlanPanel,
    NextPanel,
    PreviousPanel,
    ResetLayout,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    ThemeContrast,
    Keys,
    Tracer
};

/// The menu a command stands in.
enum class Section { File, Plan, Run, View, Help };

/// GUI thread only.
class Commands : public QObject
{
    Q_OBJECT
public:
    struct Item {
        Command command;
        Section section;
        QAction *action;
    };

    explicit Commands(QWidget *window);
    QAction *action(Command command) const { return m_byCommand.at(command); }
    /// In the order of menus.
    const std::vector<Item> &items() const { return m_items; }
    static QString sectionTitle(Section section);

private:
    struct Spec;
    void add(QWidget *window, const Spec &spec);

    std::vector<Item> m_items;
    std::map<Command, QAction *> m_byCommand;
};

} // namespace remat::studio
