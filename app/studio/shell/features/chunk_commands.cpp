// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/chunk_commands.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/plan/planner_box.h"
#include "app/studio/work/session/session.h"
#include "core/chunk/rewrite.h"

#include <algorithm>

namespace remat::studio {

ChunkCommands::ChunkCommands(const FeatureHost &host) : QObject(host.owner), m_host(host)
{
    for (const int chunks : {2, 4, 8, 16, 32}) {
        QAction *action =
            add(QString::number(chunks), tr("In %1 chunks").arg(chunks),
                tr("Opens the model with the selected op, and what has to be cut with it, in %1 pieces").arg(chunks));
        connect(action, &QAction::triggered, this,
                [this, chunks] { m_host.session.loader.openInChunks(toQString(selected()), chunks); });
        m_pieces.push_back(action);
    }
    m_never = add(QStringLiteral("never"), tr("Never in chunks"), tr("Solve leaves the selected op whole"), true);
    connect(m_never, &QAction::triggered, this, [this] { decideNever(true); });
    m_may = add(QStringLiteral("may"), tr("May run in chunks"), tr("Leaves the selected op to Solve again"));
    connect(m_may, &QAction::triggered, this, [this] { decideNever(false); });

    Document &document = host.session.document;
    connect(&document, &Document::selectionChanged, this, &ChunkCommands::showEnabled);
    connect(&document, &Document::modelChanged, this, &ChunkCommands::showEnabled);
    connect(host.workspace.planPanel()->plannerBox()->chunkBox(), &ChunkBox::stateChanged, this,
            &ChunkCommands::showEnabled);
    showEnabled();
}

QAction *ChunkCommands::add(const QString &name, const QString &text, const QString &tooltip, bool separator)
{
    return m_host.commands.add({.id = QStringLiteral("chunk.") + name,
                                .section = Section::Plan,
                                .text = text,
                                .icon = QStringLiteral("grid-3x3"),
                                .keys = {},
                                .tooltip = tooltip,
                                .separatorBefore = separator,
                                .group = tr("Chunks")});
}

std::string ChunkCommands::selected() const
{
    const Document &document = m_host.session.document;
    if (!document.model()) return {};
    const Graph &graph = document.model()->graph();
    const Selection selection = document.selection();
    const OpId op = selection.op        ? selection.op
                    : selection.storage ? graph.storage(selection.storage).producer
                                        : OpId();
    return op ? chunkOf(graph.op(op).name).first : std::string();
}

void ChunkCommands::decideNever(bool never)
{
    ChunkBox *box = m_host.workspace.planPanel()->plannerBox()->chunkBox();
    QStringList whole = box->whole();
    const QString op = toQString(selected());
    if (never && !whole.contains(op)) whole << op;
    if (!never) whole.removeAll(op);
    box->setWhole(whole);
}

void ChunkCommands::showEnabled()
{
    const auto model = m_host.session.document.model();
    const std::string op = selected();
    const bool possible = !op.empty() && whyNotInChunks(*model, {}).isEmpty();
    for (QAction *action : m_pieces)
        action->setEnabled(possible);
    const ChunkBox *box = m_host.workspace.planPanel()->plannerBox()->chunkBox();
    const bool isWhole = box->whole().contains(toQString(op));
    m_never->setEnabled(possible && !isWhole);
    m_may->setEnabled(possible && isWhole);
}

} // namespace remat::studio
