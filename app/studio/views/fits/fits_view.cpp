// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/fits/fits_view.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/views/shared/other_batch.h"
#include "app/studio/work/document/chunks_text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

constexpr int kFitIcon = 14;

/// The mark of the verdict before its words.
class FitDelegate : public PlainDelegate
{
public:
    FitDelegate(const FitsModel &model, QObject *parent) : PlainDelegate(parent), m_model(model) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        if (index.column() != FitsModel::Verdict) return PlainDelegate::paint(painter, option, index);
        paintRow(*painter, option);
        const auto [icon, token] = markOf(m_model.row(index.row()));
        const Theme &theme = Theme::instance();
        painter->drawPixmap(option.rect.left() + 4, option.rect.center().y() - kFitIcon / 2,
                            theme.iconPixmap(icon, kFitIcon, token, painter->device()->devicePixelRatioF()));
        paintName(*painter, option, index.data().toString(), kFitIcon + 12);
    }

private:
    static std::pair<QString, Token> markOf(const FitRow &row)
    {
        if (!row.fit) return {QStringLiteral("circle-dashed"), Token::Text3};
        switch (row.fit->verdict) {
        case FitVerdict::Fits:
            return {QStringLiteral("circle-check"), Token::Ok};
        case FitVerdict::FitsWithPlan:
            return {QStringLiteral("rotate-ccw"), Token::Accent};
        case FitVerdict::NoPlanFound:
            return {QStringLiteral("circle-help"), Token::Warn};
        case FitVerdict::CannotFit:
            break;
        }
        return {QStringLiteral("circle-x"), Token::Error};
    }

    const FitsModel &m_model;
};

} // namespace

class FitsTable : public QTableView
{
public:
    using QTableView::QTableView;
    void showBatch(bool shown)
    {
        setColumnHidden(FitsModel::Batch, !shown);
        share();
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QTableView::resizeEvent(event);
        share();
    }

private:
    void share() { setWidths(*this, {240, 76, 116, 136, 76, isColumnHidden(FitsModel::Batch) ? 1 : 130, 0}, 220); }
};

FitsView::FitsView(Session &session, QWidget *parent)
    : QWidget(parent),
      m_document(session.document),
      m_card(session.card),
      m_chunks(session.chunks),
      m_model(new FitsModel(session, this)),
      m_table(new FitsTable(this)),
      m_optimizer(new QComboBox(this)),
      m_needs(new TokenLabel({}, FontRole::Body, Token::Text2, this)),
      m_batch(new TokenLabel({}, FontRole::Label, Token::Text3, this))
{
    setObjectName(QStringLiteral("fitsView"));
    setProperty("surface", QStringLiteral("panel"));
    m_table->setObjectName(QStringLiteral("fitsTable"));
    m_table->setAccessibleName(tr("Devices that training fits on"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(new FitDelegate(*m_model, m_table));
    makePlain(*m_table);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 8, 14, 8);
    column->setSpacing(6);
    column->addWidget(makeHead());
    column->addWidget(m_table, 1);
    column->addWidget(makeFoot(session));
    connect(m_model, &FitsModel::needsChanged, this, &FitsView::showNeeds);
    connect(&m_chunks, &ChunkOutlook::changed, this, &FitsView::showNeeds);
    connect(&session.batches, &BatchOutlook::changed, this, &FitsView::showBatch);
    connect(m_table, &QAbstractItemView::activated, this, [this, &loader = session.loader](const QModelIndex &index) {
        const FitRow &row = m_model->row(index.row());
        if (!row.fit || row.fit->verdict != FitVerdict::FitsWithPlan) return;
        m_card.setCard(CardModel{row.device.name, toQString(row.device.title), row.device.memoryBytes});
        m_document.moveBudget(row.fit->budgetBytes);
        // The overhead of the row is by this device's costs.
        if (!loader.costChoice().profile) loader.useDevice(toQString(row.device.name));
    });
    showNeeds();
    showBatch();
}

QTableView *FitsView::table() const
{
    return m_table;
}

QWidget *FitsView::makeFoot(Session &session)
{
    auto *foot = new QWidget(this);
    auto *row = new QHBoxLayout(foot);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto *button = new StudioButton(tr("Another batch…"), QStringLiteral("folder-open"), ButtonKind::Plain, foot);
    button->setObjectName(QStringLiteral("fitsBatch"));
    button->setToolTip(tr("Opens a trace of the same step with another batch. Without one, remat_studio.largest_batch "
                          "traces and asks by itself"));
    connect(button, &QAbstractButton::clicked, this, [this, &session] { askForOtherBatch(session, *this); });
    m_batch->setObjectName(QStringLiteral("fitsBatches"));
    m_batch->setWordWrap(true);
    row->addWidget(button);
    row->addWidget(m_batch, 1);
    return foot;
}

void FitsView::showBatch()
{
    const BatchOutlook &batches = m_model->batches();
    const auto other = batches.other();
    m_table->showBatch(other != nullptr);
    m_batch->setToken(batches.problem().isEmpty() ? Token::Text3 : Token::Warn);
    m_batch->setText(
        !batches.problem().isEmpty() ? batches.problem()
        : other ? tr("Largest batches are worked out from traces with %1 and %2 samples; workspaces stay as they are.")
                      .arg(countText(other->line.batch), countText(other->line.otherBatch))
                : tr("A second trace of the same step, with another batch, tells the largest batch that fits."));
}

QWidget *FitsView::makeHead()
{
    auto *head = new QWidget(this);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto *label = new TokenLabel(tr("Optimizer"), FontRole::Body, Token::Text2, head);
    label->setBuddy(m_optimizer);
    m_optimizer->setObjectName(QStringLiteral("fitsOptimizer"));
    m_optimizer->setAccessibleName(tr("Optimizer"));
    m_optimizer->setToolTip(tr("What it keeps of each parameter, and makes in its update, counts as memory"));
    for (const KnownOptimizer &known : knownOptimizers())
        m_optimizer->addItem(known.title ? QString::fromLatin1(known.title) : tr("None"));
    connect(m_optimizer, &QComboBox::activated, this,
            [this](int index) { m_card.setOptimizer(knownOptimizers()[static_cast<std::size_t>(index)]); });
    const auto showOptimizer = [this] {
        const auto known = knownOptimizers();
        for (std::size_t i = 0; i < known.size(); ++i)
            if (std::string_view(known[i].name) == m_card.optimizer().name)
                m_optimizer->setCurrentIndex(static_cast<int>(i));
    };
    connect(&m_card, &TrainingCard::changed, this, showOptimizer);
    showOptimizer();
    m_needs->setObjectName(QStringLiteral("fitsNeeds"));
    m_needs->setWordWrap(true);
    row->addWidget(label);
    row->addWidget(m_optimizer);
    row->addSpacing(12);
    row->addWidget(m_needs, 1);
    return head;
}

void FitsView::showNeeds()
{
    const auto &needs = m_model->needs();
    m_needs->setText(needs ? tr("%1 when everything is kept: parameters and inputs %2, states %3, the step %4, or the "
                                "update %5. %6 of each device stay free.")
                                 .arg(memoryText(needs->neededBytes()), memoryText(needs->residentBytes),
                                      memoryText(needs->optimizerBytes), memoryText(needs->stepBytes),
                                      memoryText(needs->gradientsBytes + needs->updateBytes), shareText(kFitReserve))
                           : QString());
    if (const auto model = m_document.model(); needs && model && m_chunks.leastBytes() > 0)
        m_needs->setText(m_needs->text() + QLatin1Char(' ') + floorsText(*model, m_chunks.leastBytes()));
}

void FitsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_model->setLookedAt(true);
}

void FitsView::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_model->setLookedAt(false);
}

} // namespace remat::studio
