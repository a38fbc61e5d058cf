// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/decisions/decisions_box.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/work/document/lasting_plans.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QShortcut>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

constexpr int kIcon = 13;
constexpr int kBytesWidth = 70, kRemoveWidth = 26;

/// The glyph of the decision before its name, a cross in the last column.
class DecisionDelegate : public PlainDelegate
{
public:
    DecisionDelegate(const DecisionsModel &model, QObject *parent) : PlainDelegate(parent), m_model(model) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Theme &theme = Theme::instance();
        const qreal ratio = painter->device()->devicePixelRatioF();
        const int top = option.rect.center().y() - kIcon / 2;
        if (index.column() == DecisionsModel::Remove) {
            paintRow(*painter, option);
            painter->drawPixmap(option.rect.center().x() - kIcon / 2, top,
                                theme.iconPixmap(QStringLiteral("x"), kIcon, Token::Text2, ratio));
            return;
        }
        if (index.column() != DecisionsModel::What) return PlainDelegate::paint(painter, option, index);
        paintRow(*painter, option);
        const Decision kind = m_model.row(index.row()).kind;
        painter->drawPixmap(option.rect.left() + 2, top,
                            theme.iconPixmap(DecisionsModel::iconOf(kind), kIcon, Token::Text2, ratio, 2));
        paintName(*painter, option, index.data().toString(), kIcon + 10);
    }

private:
    const DecisionsModel &m_model;
};

class DecisionsTable : public QTableView
{
public:
    using QTableView::QTableView;

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QTableView::resizeEvent(event);
        setWidths(*this, {0, kBytesWidth, kRemoveWidth}, 40);
    }
};

} // namespace

DecisionsBox::DecisionsBox(Document *document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_model(new DecisionsModel(this)),
      m_title(new TokenLabel({}, FontRole::Name, Token::Text2, this)),
      m_table(new DecisionsTable(this)),
      m_content(new QWidget(this)),
      m_empty(new TokenLabel(
          tr("Nothing is decided by hand. Select an op, a storage or a cluster, and press K to keep it, R to "
             "recompute it, N to never recompute it."),
          FontRole::Body, Token::Text2, this))
{
    setObjectName(QStringLiteral("decisionsBox"));
    setProperty("surface", QStringLiteral("panel"));
    m_title->setObjectName(QStringLiteral("decisionsTitle"));
    m_table->setObjectName(QStringLiteral("decisionsTable"));
    m_table->setAccessibleName(tr("Decisions made by hand"));
    m_table->setProperty(kRowsOfGraph, true);
    m_table->setModel(m_model);
    m_table->setItemDelegate(new DecisionDelegate(*m_model, m_table));
    makePlain(*m_table);
    m_table->horizontalHeader()->hide();
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    auto *clear = new StudioButton(tr("Clear all"), {}, ButtonKind::Quiet, this);
    clear->setObjectName(QStringLiteral("clearDecisions"));
    clear->setToolTip(tr("Takes every decision made by hand back"));
    clear->setFixedHeight(24);
    m_empty->setWordWrap(true);
    m_empty->setContentsMargins(14, 10, 14, 10);
    m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);

    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_title, 1);
    head->addWidget(clear);
    auto *column = new QVBoxLayout(m_content);
    column->setContentsMargins(14, 8, 14, 8);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_table, 1);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_content, 1);
    whole->addWidget(m_empty, 1);

    connect(clear, &StudioButton::clicked, this, [this] { m_document->setPins({}); });
    connect(m_table, &QAbstractItemView::clicked, this, [this](const QModelIndex &index) {
        const DecisionRow row = m_model->row(index.row());
        if (index.column() == DecisionsModel::Remove)
            takeBack(index.row());
        else if (row.storage())
            m_document->selectStorage(row.storage());
        else
            m_document->selectOp(row.op);
    });
    auto *remove = new QShortcut(QKeySequence(Qt::Key_Delete), m_table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, [this] { takeBack(m_table->currentIndex().row()); });
    connect(m_document, &Document::pinsChanged, this, &DecisionsBox::showPins);
    connect(m_document, &Document::modelChanged, this, &DecisionsBox::showPins);
    showPins();
}

void DecisionsBox::takeBack(int row)
{
    if (row < 0 || row >= m_model->rowCount()) return;
    m_document->setPins(DecisionsModel::without(m_document->pins(), m_model->row(row)));
}

void DecisionsBox::showPins()
{
    const Pins &pins = m_document->pins();
    m_content->setVisible(!pins.empty());
    m_empty->setVisible(pins.empty());
    m_model->setPins(m_document->model(), pins);
    m_title->setText(tr("Decisions · %1").arg(countText(m_model->rowCount())));
}

DecisionsLine::DecisionsLine(Document *document, QuickPlanner *quick, QAction *showAll, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_quick(quick),
      m_count(new StudioButton({}, QStringLiteral("pin"), ButtonKind::Quiet, this)),
      m_cost(new TokenLabel({}, FontRole::Label, Token::Text2, this)),
      m_sentence(new TokenLabel({}, FontRole::Body, Token::Error, this))
{
    setObjectName(QStringLiteral("decisionsLine"));
    m_count->setObjectName(QStringLiteral("decisionsCount"));
    m_count->setFlush(true);
    m_count->setFixedHeight(24);
    m_count->followAction(showAll);
    m_cost->setObjectName(QStringLiteral("decisionsCost"));
    m_cost->setWordWrap(true);
    m_sentence->setObjectName(QStringLiteral("decisionsSentence"));
    m_sentence->setWordWrap(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_count, 0, Qt::AlignLeft);
    column->addWidget(m_cost);
    column->addWidget(m_sentence);
    connect(m_document, &Document::pinsChanged, this, &DecisionsLine::showPins);
    connect(m_document, &Document::modelChanged, this, &DecisionsLine::showPins);
    for (const auto signal : {&Document::currentPlanChanged, &Document::budgetChanged})
        connect(m_document, signal, this, &DecisionsLine::showPins);
    connect(m_quick, &QuickPlanner::whyNoneChanged, this, &DecisionsLine::showPins);
    showPins();
}

QString DecisionsLine::costText() const
{
    const auto current = m_document->currentPlan();
    const auto model = m_document->model();
    if (!current || !model || model->keepAllTimeUs <= 0) return {};
    const auto follows = [&](const PlanEntry &plan) {
        return !pinsViolated(model->graph(), plan.plan->steps, m_document->pins());
    };
    if (!follows(*current)) return {};
    // Against the fastest solved plan within the budget that was free to do otherwise.
    std::shared_ptr<const PlanEntry> freely;
    for (const auto &plan : lastingPlans(m_document->plans()))
        if (plan->timeline->peakBytes <= m_document->budgetBytes() &&
            (!freely || plan->timeline->timeUs < freely->timeline->timeUs) && !follows(*plan))
            freely = plan;
    if (!freely) return {};
    const double moreUs = current->timeline->timeUs - freely->timeline->timeUs;
    if (current->quick) return tr("What that costs is known once this is solved.");
    if (moreUs <= kEqualShare * model->keepAllTimeUs) return tr("That costs nothing: no step takes longer.");
    return tr("That costs %1 of every step, %2 of its time with everything kept.")
        .arg(timeText(moreUs), shareText(moreUs / model->keepAllTimeUs));
}

void DecisionsLine::showPins()
{
    const Pins &pins = m_document->pins();
    setVisible(!pins.empty());
    const auto model = m_document->model();
    const std::size_t count = model ? decisionRows(model->graph(), pins).size() : 0;
    m_count->setText(tr("%n decided by hand", nullptr, static_cast<int>(count)));
    const QString cost = pins.empty() ? QString() : costText();
    m_cost->setText(cost);
    m_cost->setVisible(!cost.isEmpty());
    const QString why = pins.empty() ? QString() : m_quick->whyNone();
    m_sentence->setText(why.isEmpty() ? why : tr("%1 The plan shown is the one from before.").arg(why));
    m_sentence->setVisible(!why.isEmpty());
}

} // namespace remat::studio
