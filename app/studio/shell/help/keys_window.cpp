// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/help/keys_window.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/shell/help/gestures.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

QString keysOf(const QAction &action)
{
    QStringList keys;
    for (const QKeySequence &key : action.shortcuts())
        keys << key.toString(QKeySequence::NativeText);
    return keys.join(KeysWindow::tr(" or "));
}

void addGroup(QTreeWidget &list, const QString &title, const QList<QStringList> &rows)
{
    auto *group = new QTreeWidgetItem(&list, {title});
    group->setFont(0, Theme::instance().font(FontRole::Name));
    group->setFlags(Qt::ItemIsEnabled);
    for (const QStringList &row : rows) {
        auto *item = new QTreeWidgetItem(group, row);
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    }
    group->setExpanded(true);
    group->setFirstColumnSpanned(true);
}

} // namespace

KeysWindow::KeysWindow(const Commands &commands, QWidget *parent)
    : QDialog(parent), m_field(new QLineEdit(this)), m_list(new QTreeWidget(this))
{
    setObjectName(QStringLiteral("keysWindow"));
    setWindowTitle(tr("Keys and commands"));
    resize(600, 680);
    m_field->setObjectName(QStringLiteral("keyField"));
    m_field->setAccessibleName(tr("Search keys and commands"));
    m_field->setPlaceholderText(tr("Search, by name or by key"));
    m_list->setObjectName(QStringLiteral("keyList"));
    m_list->setAccessibleName(windowTitle());
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setIndentation(14);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    fill(commands);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 14, 14, 14);
    column->setSpacing(8);
    column->addWidget(m_field);
    column->addWidget(m_list, 1);
    connect(m_field, &QLineEdit::textChanged, this, &KeysWindow::narrow);
    m_field->setFocus();
}

void KeysWindow::fill(const Commands &commands)
{
    for (const Section section : Commands::sections()) {
        QList<QStringList> rows;
        for (const Commands::Item &item : commands.items())
            if (item.section == section) rows << QStringList{plainText(*item.action), keysOf(*item.action)};
        if (section == Section::File) rows << QStringList{tr("Open a recent file"), tr("Ctrl+1 to Ctrl+9")};
        if (!rows.isEmpty()) addGroup(*m_list, Commands::sectionTitle(section), rows);
    }
    for (const GestureGroup &group : gestureGroups()) {
        if (!commands.find(group.command)) continue;
        QList<QStringList> rows;
        for (const Gesture &gesture : group.gestures)
            rows << QStringList{gesture.what, gesture.keys};
        addGroup(*m_list, group.view, rows);
    }
}

void KeysWindow::narrow(const QString &text)
{
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem *group = m_list->topLevelItem(i);
        bool any = false;
        for (int row = 0; row < group->childCount(); ++row) {
            QTreeWidgetItem *item = group->child(row);
            const QString whole = item->text(0) + QLatin1Char(' ') + item->text(1) + QLatin1Char(' ') + group->text(0);
            const bool fits = std::all_of(words.begin(), words.end(), [&](const QString &word) {
                return whole.contains(word, Qt::CaseInsensitive);
            });
            item->setHidden(!fits);
            any |= fits;
        }
        group->setHidden(!any);
    }
}

} // namespace remat::studio
