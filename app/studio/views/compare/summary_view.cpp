// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/compare/summary_view.h"

#include "app/studio/base/style/letters.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/compare/compare_text.h"
#include "app/studio/work/document/words.h"
#include "core/views/compare_verdict.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

SummaryView::SummaryView(Document *document, CompareView *view, QWidget *parent)
    : QScrollArea(parent),
      m_document(document),
      m_view(view),
      m_body(new QWidget),
      m_content(new QWidget(m_body)),
      m_empty(new QLabel(m_body)),
      m_figures(new FigureTable(m_content)),
      m_verdict(new VerdictBox(m_content)),
      m_unequal(new TokenLabel({}, FontRole::Body, Token::Warn, m_content)),
      m_bars(new PeakBars(m_content)),
      m_rowTitle(new TokenLabel({}, FontRole::Name, Token::Text, m_content)),
      m_row(new QLabel(m_content)),
      m_useA(new StudioButton(tr("Use A"), QStringLiteral("copy"), ButtonKind::Plain, m_content)),
      m_useOther(new StudioButton(tr("Use B"), QStringLiteral("copy"), ButtonKind::Plain, m_content)),
      m_buttons(new QVBoxLayout)
{
    setObjectName(QStringLiteral("summaryView"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_body->setProperty("surface", QStringLiteral("panel"));
    setWidget(m_body);
    auto *outer = new QVBoxLayout(m_body);
    outer->setContentsMargins(14, 10, 14, 14);
    outer->addWidget(m_empty);
    outer->addWidget(m_content);
    outer->addStretch(1);
    m_empty->setText(tr("Nothing is compared. Select two plans in the list and press C."));
    m_empty->setProperty("tone", QStringLiteral("text2"));
    m_empty->setWordWrap(true);

    auto *column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    for (int place = 0; place < kMostCompared; ++place) {
        auto *card = new PlanCard(place, m_content);
        m_cards.push_back(card);
        column->addWidget(card);
        connect(card, &PlanCard::planDropped, this,
                [this, place](int plan) { m_document->setCompared(withLetter(m_document->compared(), place, plan)); });
    }
    column->addWidget(m_figures);
    column->addWidget(m_verdict);
    m_unequal->setObjectName(QStringLiteral("compareUnequal"));
    m_unequal->setWordWrap(true);
    column->addWidget(m_unequal);
    column->addSpacing(8);
    column->addWidget(new TokenLabel(tr("Memory at the peak, by category"), FontRole::Name, Token::Text2, m_content));
    column->addWidget(m_bars);
    column->addSpacing(8);
    column->addWidget(m_rowTitle);
    m_row->setObjectName(QStringLiteral("summaryRow"));
    m_row->setProperty("tone", QStringLiteral("text2"));
    m_row->setWordWrap(true);
    column->addWidget(m_row);
    column->addSpacing(4);
    column->addLayout(m_buttons);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    m_useA->setObjectName(QStringLiteral("useA"));
    m_useOther->setObjectName(QStringLiteral("useOther"));
    m_useA->setToolTip(tr("Makes A the current plan of all views"));
    row->addWidget(m_useA, 1);
    row->addWidget(m_useOther, 1);
    m_buttons->setSpacing(8);
    m_buttons->addLayout(row);

    const auto use = [this](int place) {
        const std::vector<int> &compared = m_document->compared();
        if (place < static_cast<int>(compared.size())) m_document->loadPlan(compared[static_cast<std::size_t>(place)]);
    };
    connect(m_useA, &QAbstractButton::clicked, this, [use] { use(0); });
    connect(m_useOther, &QAbstractButton::clicked, this, [this, use] { use(m_view->other()); });
    connect(view, &CompareView::compared, this, &SummaryView::take);
    connect(view->table(), &DifferenceTable::chosenChanged, this, &SummaryView::takeRow);
    for (const auto signal : {&Document::modelChanged, &Document::comparedChanged, &Document::currentPlanChanged,
                              &Document::budgetChanged, &Document::boundsChanged})
        connect(document, signal, this, &SummaryView::follow);
    take();
}

void SummaryView::follow()
{
    if (!isVisible()) return;
    const auto &shown = m_view->canvas()->scene().plans;
    const std::vector<int> &compared = m_document->compared();
    const bool same = m_view->canvas()->scene().model == m_document->model() &&
                      std::equal(shown.begin(), shown.end(), compared.begin(), compared.end(),
                                 [](const ComparedPlan &plan, int id) { return plan.plan->id == id; });
    same || m_view->isVisible() ? take() : m_view->refresh(); // which tells when it is done
}

void SummaryView::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    follow();
}

void SummaryView::addAction(QAction *action)
{
    auto *button =
        new StudioButton(action->text(), action->property("iconName").toString(), ButtonKind::Plain, m_content);
    button->setObjectName(QStringLiteral("summary.") + action->objectName());
    button->followAction(action);
    m_buttons->addWidget(button);
}

PlanFigures SummaryView::figuresOf(const CompareScene &scene, std::size_t place) const
{
    const PlanEntry &plan = *scene.plans[place].plan;
    PlanFigures figures = planFigures(*scene.model, plan, m_view->uses()[place]);
    // What the other plan's solve has proven holds for this one, too, where budgets and kinds of plans are the same.
    if (const double boundUs = m_document->boundTimeUs(plan); boundUs > 0)
        figures.boundOverhead = std::max(boundUs / scene.model->keepAllTimeUs - 1, 0.0);
    return figures;
}

void SummaryView::take()
{
    const CompareScene &scene = m_view->canvas()->scene();
    const bool ready = scene.ready() && m_view->uses().size() == scene.plans.size();
    m_content->setVisible(ready);
    m_empty->setVisible(!ready);
    if (!ready) return;
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_cards[i]->setVisible(i < scene.plans.size());
        if (i < scene.plans.size()) m_cards[i]->setPlan(*m_document, *scene.plans[i].plan);
    }
    const std::size_t other = scene.other;
    const QString letter = letterOf(static_cast<int>(other));
    const PlanFigures a = figuresOf(scene, 0), b = figuresOf(scene, other);
    m_figures->setRows(figureRows(a, b, windowWords()), letter);

    const CompareVerdict verdict =
        compareVerdict(*scene.model, {*scene.plans[0].plan, a, "A"},
                       {*scene.plans[other].plan, b, letter.toStdString()}, m_view->differences(), windowWords());
    QStringList sentences = {toQString(verdict.sentence)};
    for (const std::string &why : verdict.why)
        sentences << QStringLiteral("• ") + toQString(why);
    const bool one = verdict.better != BetterPlan::Neither;
    m_verdict->setLook({one ? QStringLiteral("circle-check") : QStringLiteral("git-compare"), toQString(verdict.title),
                        sentences.join(QLatin1Char('\n')), one ? Token::Ok : Token::Text,
                        one ? Token::OkSoft : Token::Raised});
    QStringList unequal;
    for (const std::string &condition : verdict.unequal)
        unequal << toQString(condition);
    m_unequal->setVisible(!unequal.isEmpty());
    m_unequal->setText(tr("Made under unequal conditions: %1").arg(unequal.join(QLatin1Char(' '))));
    m_bars->setPlans({m_view->uses()[0], m_view->uses()[other]}, {0, static_cast<int>(other)});

    const auto current = m_document->currentPlan();
    m_useOther->setText(tr("Use %1").arg(letter));
    m_useOther->setToolTip(tr("Makes %1 the current plan of all views").arg(letter));
    m_useA->setEnabled(!current || current->id != scene.plans[0].plan->id);
    m_useOther->setEnabled(!current || current->id != scene.plans[other].plan->id);
    takeRow();
}

void SummaryView::takeRow()
{
    const DifferenceRow *row = m_view->table()->chosen();
    m_rowTitle->setVisible(row != nullptr);
    m_row->setVisible(row != nullptr);
    if (!row) {
        m_row->clear();
        return;
    }
    QString name = toQString(row->name.empty() ? row->module : row->name);
    if (row->uses > 1) name += QStringLiteral(" ×%1").arg(row->uses);
    m_rowTitle->setText(tr("Selected: %1").arg(name));
    m_row->setText(rowSentence(*row, letterOf(m_view->other())));
}

QString SummaryView::rowText() const
{
    return m_row->text();
}

} // namespace remat::studio
