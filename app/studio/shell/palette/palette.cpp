// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/palette/palette.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/search_field.h"
#include "app/studio/shell/features/search.h"
#include "app/studio/shell/palette/palette_box.h"
#include "app/studio/shell/workspace/tool_row.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/work/document/words.h"
#include "app/studio/work/session/session.h"

#include <QLineEdit>
#include <QListView>
#include <QMainWindow>
#include <QSettings>

namespace remat::studio {

namespace {

constexpr qsizetype kMostRecent = 5;

QString recentKey()
{
    return QStringLiteral("palette/recent");
}

} // namespace

Palette::Palette(const FeatureHost &host, Search &search)
    : QObject(host.owner),
      m_session(host.session),
      m_commands(host.commands),
      m_workspace(host.workspace),
      m_search(search),
      m_box(new PaletteBox(host.window)),
      m_index(host.session.document),
      m_gathering(host.session.pool)
{
    QAction *action = m_commands.add({QStringLiteral("palette"),
                                      Section::Edit,
                                      tr("Command palette"),
                                      QStringLiteral("command"),
                                      {Qt::CTRL | Qt::SHIFT | Qt::Key_P},
                                      tr("Runs any command, and goes to any op or storage")});
    connect(action, &QAction::triggered, this, [this] { m_box->isVisible() ? m_box->close() : open({}); });
    auto *field = new SearchField(action->shortcut().toString(QKeySequence::NativeText));
    host.tools.addTo(ToolRow::Place::Middle, field);
    connect(field, &SearchField::opened, this, &Palette::open);

    connect(m_box, &PaletteBox::asked, this, &Palette::ask);
    connect(m_box, &PaletteBox::chosen, this, &Palette::choose);
    connect(m_box, &PaletteBox::allWanted, this, [this](const QString &text) {
        if (m_session.document.model()) m_search.lookFor(paletteQuestion(text).pattern);
    });
    connect(&m_box->list(), &PaletteList::ranked, this, &Palette::showCount);
    connect(&m_session.document, &Document::currentPlanChanged, this, [this] { m_index.forgetPlan(); });
    connect(&m_session.document, &Document::modelChanged, this, [this] {
        m_index.forgetPlan();
        m_box->close();
        m_items.reset();
        m_gathered.reset();
        gather();
    });
    gather();
}

void Palette::gather()
{
    const auto model = m_session.document.model();
    if (!model || model->open == m_gathered) return;
    m_gathered = model->open;
    m_gathering.start([open = model->open](const Job &) { return modelItems(*open); },
                      [this](std::vector<PaletteItem> items) {
                          m_items = std::make_shared<const std::vector<PaletteItem>>(std::move(items));
                          if (m_box->isVisible()) open(m_box->field()->text());
                      });
}

void Palette::open(const QString &text)
{
    std::vector<PaletteItem> commands = commandItems(m_commands);
    std::vector<PaletteItem> help = helpItems(m_commands);
    commands.insert(commands.end(), std::make_move_iterator(help.begin()), std::make_move_iterator(help.end()));
    m_box->list().setItems(std::move(commands), m_items);
    m_box->list().setRecent(QSettings().value(recentKey()).toStringList());
    m_box->open(text);
}

void Palette::ask(const QString &text)
{
    PaletteQuestion question = paletteQuestion(text);
    std::optional<std::vector<std::uint8_t>> allowed;
    m_problem.clear();
    if (question.scope == PaletteScope::Ops) {
        const auto filter = parseFilter(question.pattern.toStdString(), windowWords());
        if (!filter) {
            m_problem = toQString(filter.error().message);
        } else if (!filter->terms.empty()) {
            Filter terms = *filter;
            terms.words.clear();
            allowed.emplace(m_index.facts().size(), std::uint8_t(0));
            for (const OpId op : m_index.find(terms))
                (*allowed)[op.index()] = 1;
            QStringList words;
            for (const std::string &word : filter->words)
                words << toQString(word);
            question.pattern = words.join(QLatin1Char(' '));
        }
    }
    m_box->view()->setCurrentIndex({});
    m_box->list().ask(question, std::move(allowed));
}

void Palette::showCount()
{
    const int fitting = m_box->list().fitting();
    if (!m_problem.isEmpty())
        m_box->setSentence(m_problem, true);
    else if (m_box->field()->text().trimmed().isEmpty())
        m_box->setSentence({}, false);
    else if (fitting == 0 && !m_box->list().ranking())
        m_box->setSentence(tr("Nothing found. Begin with > for commands, @ for ops, # for storages, ? for help."),
                           false);
    else if (paletteQuestion(m_box->field()->text()).scope == PaletteScope::Ops)
        m_box->setSentence(tr("%1 found · Enter goes there · Ctrl+Enter finds all").arg(countText(fitting)), false);
    else
        m_box->setSentence(tr("%1 found    > commands    @ ops    # storages    ? help").arg(countText(fitting)),
                           false);
}

void Palette::choose(const PaletteItem &item)
{
    switch (item.kind) {
    case PaletteItem::Kind::Command: {
        QStringList recent = QSettings().value(recentKey()).toStringList();
        recent.removeAll(item.title);
        recent.prepend(item.title);
        QSettings().setValue(recentKey(), recent.mid(0, kMostRecent));
        if (item.action) item.action->trigger();
        break;
    }
    case PaletteItem::Kind::Help:
        if (item.action) item.action->trigger();
        break;
    case PaletteItem::Kind::Op:
        m_workspace.showView(QStringLiteral("graph"));
        m_workspace.graph()->reveal(item.op);
        break;
    case PaletteItem::Kind::Storage: {
        const auto model = m_session.document.model();
        if (!model) return;
        m_workspace.showView(QStringLiteral("graph"));
        m_workspace.graph()->reveal(model->graph().storage(item.storage).producer);
        m_session.document.selectStorage(item.storage);
        break;
    }
    }
}

} // namespace remat::studio
