// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/left_panel.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/shell/workspace/dock_header.h"
#include "app/studio/views/plans/plans_table.h"

#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

/// Says why plans are grey, while any are.
class GreyNote : public TokenLabel
{
public:
    GreyNote(Document *document, QWidget *parent) : TokenLabel({}, FontRole::Label, Token::Text3, parent)
    {
        setObjectName(QStringLiteral("greyNote"));
        setWordWrap(true);
        setContentsMargins(12, 2, 12, 6);
        const auto show = [this, document] {
            const std::int64_t budget = document->budgetBytes();
            const auto &plans = document->plans();
            const bool any = std::any_of(plans.begin(), plans.end(),
                                         [budget](const auto &plan) { return plan->timeline->peakBytes > budget; });
            setVisible(any);
            setText(LeftPanel::tr("Grey plans need more than the budget of %1.").arg(memoryText(budget)));
        };
        for (const auto signal : {&Document::plansChanged, &Document::budgetChanged, &Document::modelChanged})
            connect(document, signal, this, show);
        show();
    }
};

} // namespace

LeftPanel::LeftPanel(Document *document, QWidget *parent)
    : QWidget(parent),
      m_tabs(new HeaderTabs({tr("Modules"), tr("Partition")}, this)),
      m_tree(new ClusterTreeView(document, this)),
      m_plans(new PlansTable(document, this)),
      m_splitter(new QSplitter(Qt::Vertical, this))
{
    setObjectName(QStringLiteral("leftPanel"));
    m_tabs->setObjectName(QStringLiteral("hierarchyTabs"));
    m_tabs->setToolTip(tr("Modules as the model's author wrote them, or the blocks that are planned one by one"));
    const auto stacked = [this](QWidget *header, QWidget *body) {
        auto *part = new QWidget(m_splitter);
        auto *column = new QVBoxLayout(part);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addWidget(header);
        column->addWidget(body, 1);
        m_splitter->addWidget(part);
    };
    stacked(m_tabs, m_tree);
    auto *plans = new QWidget(this);
    auto *rows = new QVBoxLayout(plans);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_plans, 1);
    rows->addWidget(new GreyNote(document, plans));
    stacked(new DockHeader({}, tr("Plans"), this), plans);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 300);
    m_splitter->setStretchFactor(1, 250);
    m_splitter->setSizes({300, 250});
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_splitter);
    connect(m_tabs, &HeaderTabs::currentChanged, this,
            [this](int tab) { setHierarchy(tab == 0 ? Hierarchy::Modules : Hierarchy::Partition); });
    connect(m_tree, &ClusterTreeView::clusterChosen, this, &LeftPanel::clusterChosen);
}

void LeftPanel::setHierarchy(Hierarchy hierarchy)
{
    if (m_tree->hierarchy() == hierarchy) return;
    m_tree->setHierarchy(hierarchy);
    m_tabs->setCurrent(hierarchy == Hierarchy::Modules ? 0 : 1);
    Q_EMIT hierarchyChanged(hierarchy);
}

} // namespace remat::studio
