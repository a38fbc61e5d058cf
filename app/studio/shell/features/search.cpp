// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/search.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/search/find_bar.h"
#include "app/studio/views/search/results_view.h"

#include <QLineEdit>
#include <QTableView>

namespace remat::studio {

Search::Search(const FeatureHost &host)
    : QObject(host.owner),
      m_session(host.session),
      m_workspace(host.workspace),
      m_results(host.workspace.view<ResultsView>()),
      m_search(&m_results->search()),
      m_bar(new FindBar(*m_search, host.session.document))
{
    setObjectName(QStringLiteral("search"));
    GraphView *graph = m_workspace.graph();
    graph->addBar(m_bar);
    const auto add = [&host](const QString &id, const QString &text, const QString &icon, const QKeySequence &key,
                             const QString &tooltip) {
        return host.commands.add({id, Section::Edit, text, icon, {key}, tooltip});
    };
    m_find = add(QStringLiteral("find"), tr("Find ops"), QStringLiteral("search"), Qt::CTRL | Qt::Key_F,
                 tr("Finds ops by name and by filters, such as size>10MiB recomputed"));
    m_next = add(QStringLiteral("findNextMatch"), tr("Next match"), QStringLiteral("chevron-down"),
                 QKeySequence(Qt::Key_F3), tr("Goes to the next op that was found"));
    m_previous = add(QStringLiteral("findPreviousMatch"), tr("Previous match"), QStringLiteral("chevron-up"),
                     Qt::SHIFT | Qt::Key_F3, tr("Goes to the op that was found before"));
    m_list = add(QStringLiteral("showResults"), tr("Results"), QStringLiteral("list-filter"),
                 Qt::CTRL | Qt::SHIFT | Qt::Key_F, tr("Lists all ops that were found"));
    connect(m_find, &QAction::triggered, this, [this] {
        m_workspace.showView(QStringLiteral("graph"));
        m_bar->open();
    });
    connect(m_next, &QAction::triggered, this, [this] { m_search->step(1); });
    connect(m_previous, &QAction::triggered, this, [this] { m_search->step(-1); });
    const auto list = [this] {
        m_workspace.showView(QStringLiteral("results"));
        m_results->table()->setFocus(Qt::ShortcutFocusReason);
    };
    connect(m_list, &QAction::triggered, this, list);
    connect(m_bar, &FindBar::listWanted, this, list);
    connect(m_bar, &FindBar::closed, graph->canvas(), qOverload<>(&QWidget::setFocus));
    connect(m_search, &SearchSession::shown, graph, &GraphView::reveal);
    connect(m_search, &SearchSession::changed, this, &Search::light);
    connect(&m_session.document, &Document::modelChanged, this, &Search::enable);
    enable();
}

void Search::lookFor(const QString &text)
{
    m_find->trigger();
    m_search->setText(text);
}

void Search::light()
{
    m_workspace.graph()->setMatches(
        m_search->active() && m_search->problem().isEmpty() ? std::optional(m_search->matches()) : std::nullopt);
    enable();
}

void Search::enable()
{
    const bool open = m_session.document.model() != nullptr;
    m_find->setEnabled(open);
    m_list->setEnabled(open);
    m_next->setEnabled(!m_search->matches().empty());
    m_previous->setEnabled(!m_search->matches().empty());
}

} // namespace remat::studio
