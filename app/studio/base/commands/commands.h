// SPDX-License-Identifier: Apache-2.0
// Every action of a window: text, key, tooltip, icon. Menus, tool bar and the key list are made from this one registry.
#pragma once

#include "app/studio/base/commands/command_ids.h"

#include <QAction>
#include <QObject>

#include <map>
#include <vector>

namespace remat::studio {

/// The menu a command stands in.
enum class Section { File, Edit, View, Plan, Run, Window, Help };

/// A command as it is added.
struct CommandSpec {
    QString id; ///< stable object name: `exportView`
    Section section = Section::View;
    QString text;
    QString icon;             ///< Lucide name; may be empty
    QList<QKeySequence> keys; ///< none for what is rare enough for the palette
    QString tooltip;
    bool checkable = false;
    bool separatorBefore = false; ///< in its menu
    QString group = {};           ///< title of the menu within that menu; empty: none
};

/// The text of an action as people read it, without the dots of a dialog and the mark of a mnemonic.
QString plainText(const QAction &action);

/// GUI thread only.
class Commands : public QObject
{
    Q_OBJECT
public:
    struct Item {
        Section section;
        QAction *action;
        bool separatorBefore = false;
        QString group = {};
    };

    explicit Commands(QWidget *window);
    /// Adds a command to menus, palette and key list. Ids and keys must be free.
    QAction *add(const CommandSpec &spec);
    /// By an id that is there.
    QAction *action(QLatin1String id) const { return m_byId.at(id); }
    /// By id; none when there is no such command.
    QAction *find(const QString &id) const;
    /// In the order of menus.
    const std::vector<Item> &items() const { return m_items; }
    static QString sectionTitle(Section section);
    /// In the order of the menu bar.
    static const std::vector<Section> &sections();

private:
    QWidget *m_window;
    std::vector<Item> m_items;
    std::map<QString, QAction *> m_byId;
};

} // namespace remat::studio
