// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/explain/explain_view.h"

#include "app/studio/base/widgets/table_look.h"
#include "app/studio/views/shared/no_plan.h"

#include <QHeaderView>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kSwatch = 9;
constexpr int kBytesWidth = 70;
constexpr int kRoomForReaders = 360;
constexpr int kVisibleRows = 10;

/// The category's swatch before the name.
class HolderDelegate : public PlainDelegate
{
public:
    HolderDelegate(const HoldersModel &model, QObject *parent) : PlainDelegate(parent), m_model(model) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        if (index.column() != HoldersModel::Name) return PlainDelegate::paint(painter, option, index);
        paintRow(*painter, option);
        painter->save();
        const QRect swatch(option.rect.left() + 2, option.rect.center().y() - kSwatch / 2, kSwatch, kSwatch);
        painter->setBrushOrigin(swatch.topLeft());
        painter->fillRect(swatch, Theme::instance().categoryBrush(m_model.category(index.row()),
                                                                  painter->device()->devicePixelRatioF()));
        painter->restore();
        paintName(*painter, option, index.data().toString(), kSwatch + 9);
    }

private:
    const HoldersModel &m_model;
};

class HoldersTable : public QTableView
{
public:
    using QTableView::QTableView;

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QTableView::resizeEvent(event);
        const int rest = std::max(viewport()->width() - kBytesWidth, 80);
        // Where both would be cut short, the name has the room and the reader stands in its tooltip.
        const bool narrow = viewport()->width() < kRoomForReaders;
        setColumnHidden(HoldersModel::Reason, narrow);
        const int name = narrow ? rest : rest / 2;
        setColumnWidth(HoldersModel::Name, name);
        setColumnWidth(HoldersModel::Bytes, kBytesWidth);
        setColumnWidth(HoldersModel::Reason, rest - name);
    }
};

} // namespace

ExplainView::ExplainView(Document *document, Explainer *explainer, QWidget *parent)
    : QScrollArea(parent), m_document(document), m_explainer(explainer), m_model(new HoldersModel(this))
{
    setObjectName(QStringLiteral("explainView"));
    setAccessibleName(tr("Explain"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget(this);
    content->setProperty("surface", QStringLiteral("panel"));
    setWidget(content);
    const auto card = [&](const QString &name) {
        auto *made = new ExplanationCard(content);
        made->setObjectName(name);
        connect(made, &ExplanationCard::followed, m_explainer, &Explainer::follow);
        return made;
    };
    m_empty = new TokenLabel({}, FontRole::Body, Token::Text2, content);
    m_empty->setObjectName(QStringLiteral("explainEmpty"));
    m_empty->setWordWrap(true);
    m_selected = card(QStringLiteral("explainSelected"));
    m_peak = card(QStringLiteral("explainPeak"));
    m_budget = card(QStringLiteral("explainBudget"));
    m_more = card(QStringLiteral("explainMore"));
    m_holders = new HoldersTable(content);
    m_holders->setObjectName(QStringLiteral("explainHolders"));
    m_holders->setAccessibleName(tr("Storages held at the peak"));
    m_holders->setProperty(kRowsOfGraph, true);
    m_holders->setModel(m_model);
    m_holders->setItemDelegate(new HolderDelegate(*m_model, m_holders));
    makePlain(*m_holders);
    m_holders->setSelectionMode(QAbstractItemView::SingleSelection);
    const auto select = [this](const QModelIndex &index) {
        if (index.isValid()) m_document->selectStorage(m_model->storage(index.row()));
    };
    connect(m_holders, &QAbstractItemView::clicked, this, select);
    connect(m_holders, &QAbstractItemView::activated, this, select);

    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(14, 10, 14, 14);
    column->setSpacing(10);
    column->addWidget(m_empty);
    column->addWidget(m_selected);
    column->addWidget(m_peak);
    column->addWidget(m_holders);
    column->addWidget(m_budget);
    column->addWidget(m_more);
    column->addStretch(1);
    connect(m_explainer, &Explainer::changed, this, &ExplainView::showStory);
    showStory();
}

void ExplainView::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    m_explainer->refresh();
}

void ExplainView::showStory()
{
    const PlanStory &story = m_explainer->story();
    const bool there = m_explainer->plan() != nullptr;
    m_empty->setText(there ? QString() : noPlanText(*m_document));
    m_empty->setVisible(!there);
    m_selected->setExplanation(story.selected);
    m_peak->setExplanation(story.peak);
    m_budget->setExplanation(story.budget);
    m_more->setExplanation(story.more);
    m_holders->setVisible(there);
    m_model->setMoment(there ? m_document->model() : nullptr, story.moment);
    m_holders->setFixedHeight(kTableRow * (std::min(m_model->rowCount(), kVisibleRows) + 1) + 2);
}

} // namespace remat::studio
