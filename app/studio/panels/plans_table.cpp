#include "app/studio/panels/plans_table.h"

#include "app/studio/document/text.h"
#include "app/studio/panels/table_look.h"
#include "app/studio/panels/verdict.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kNumberColumn = 62;
constexpr int kOverheadColumn = 76;
constexpr int kSide = 12;     ///< before the first column
constexpr int kIconRoom = 27; ///< before a planner's name

/// Proof icon before the planner's name.
class PlansDelegate : public PlainDelegate
{
public:
    using PlainDelegate::PlainDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        if (index.column() != PlansModel::Planner) {
            PlainDelegate::paint(painter, option, index);
            return;
        }
        paintRow(*painter, option);
        const Theme &theme = Theme::instance();
        QString icon = QStringLiteral("circle-dashed");
        Token ink = Token::Text3;
        switch (static_cast<Proof>(index.data(PlansModel::kProofRole).toInt())) {
        case Proof::NotChecked:
            break;
        case Proof::Checked:
            icon = QStringLiteral("circle-check");
            ink = Token::Ok;
            break;
        case Proof::Validated:
            icon = QStringLiteral("shield-check");
            ink = Token::Ok;
            break;
        case Proof::Failed:
            icon = QStringLiteral("circle-x");
            ink = Token::Error;
            break;
        }
        QStyleOptionViewItem rest = option;
        rest.rect.adjust(kIconRoom, 0, 0, 0);
        PlainDelegate::paint(painter, rest, index);
        painter->drawPixmap(option.rect.left() + kSide, option.rect.center().y() - 6,
                            theme.iconPixmap(icon, 13, ink, painter->device()->devicePixelRatioF()));
    }
};

} // namespace

PlansModel::PlansModel(Document *document, QObject *parent) : QAbstractTableModel(parent), m_document(document)
{
    connect(m_document, &Document::plansChanged, this, &PlansModel::take);
    connect(m_document, &Document::budgetChanged, this, [this] {
        if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    });
    take();
}

void PlansModel::take()
{
    const auto &plans = m_document->plans();
    const bool sameRows =
        plans.size() == m_plans.size() && std::equal(plans.rbegin(), plans.rend(), m_plans.begin(),
                                                     [](const auto &a, const auto &b) { return a->id == b->id; });
    if (sameRows) {
        m_plans.assign(plans.rbegin(), plans.rend());
        if (!m_plans.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
        return;
    }
    beginResetModel();
    m_plans.assign(plans.rbegin(), plans.rend());
    endResetModel();
}

const PlanEntry &PlansModel::entryAt(int row) const
{
    return *m_plans[static_cast<std::size_t>(row)];
}

int PlansModel::planId(const QModelIndex &index) const
{
    return index.isValid() && index.row() < rowCount() ? entryAt(index.row()).id : 0;
}

int PlansModel::rowOf(int planId) const
{
    const auto place = std::find_if(m_plans.begin(), m_plans.end(), [&](const auto &p) { return p->id == planId; });
    return place == m_plans.end() ? -1 : static_cast<int>(place - m_plans.begin());
}

int PlansModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_plans.size());
}

int PlansModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant PlansModel::data(const QModelIndex &index, int role) const
{
    const auto model = m_document->model();
    if (!index.isValid() || index.row() >= rowCount() || !model) return {};
    const PlanEntry &entry = entryAt(index.row());
    const std::int64_t peak = entry.timeline->peakBytes;
    const bool over = peak > m_document->budgetBytes();
    switch (role) {
    case kProofRole:
        return static_cast<int>(entry.proof);
    case kQuietRole:
        return index.column() != Planner || entry.quick;
    case kGreyedRole:
        return over;
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Planner ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole: {
        QString text =
            entry.quick ? tr("%1, a quick plan: the next one takes its place").arg(entry.title) : entry.title;
        text += QLatin1Char('\n') + entry.proofSentence;
        if (over) text += QLatin1Char('\n') + tr("Over the present budget.");
        return text;
    }
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    const double keepAllPeak = static_cast<double>(model->keepAll->peakBytes);
    switch (index.column()) {
    case Planner:
        return entry.title;
    case Peak:
        return shareText(keepAllPeak > 0 ? static_cast<double>(peak) / keepAllPeak : 1, Rounding::Up);
    case Overhead:
        return shareText(model->keepAllTimeUs > 0 ? std::max(entry.timeline->timeUs / model->keepAllTimeUs - 1, 0.0)
                                                  : 0);
    default:
        return {};
    }
}

QVariant PlansModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Planner ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Planner:
        return tr("Planner");
    case Peak:
        return tr("Peak");
    case Overhead:
        return tr("Overhead");
    default:
        return {};
    }
}

PlansTable::PlansTable(Document *document, QWidget *parent)
    : QTableView(parent), m_document(document), m_model(new PlansModel(document, this))
{
    setObjectName(QStringLiteral("plansTable"));
    setAccessibleName(tr("Plans"));
    setModel(m_model);
    setItemDelegate(new PlansDelegate(this));
    makePlain(*this);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setTabKeyNavigation(false);
    horizontalHeader()->setStyleSheet(
        QStringLiteral("QHeaderView::section { padding: 0 4px; } QHeaderView::section:first { padding-left: %1px; }")
            .arg(kSide));
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        if (!m_following && index.isValid()) m_document->setCurrentPlan(m_model->planId(index));
    });
    connect(m_model, &QAbstractItemModel::modelReset, this, &PlansTable::followCurrent);
    connect(m_document, &Document::currentPlanChanged, this, &PlansTable::followCurrent);
    connect(&Theme::instance(), &Theme::changed, this, [this] { viewport()->update(); });
    followCurrent();
}

void PlansTable::followCurrent()
{
    const auto current = m_document->currentPlan();
    m_following = true;
    if (current)
        setCurrentIndex(m_model->index(m_model->rowOf(current->id), 0));
    else
        clearSelection();
    m_following = false;
}

void PlansTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    setColumnWidth(PlansModel::Peak, kNumberColumn);
    setColumnWidth(PlansModel::Overhead, kOverheadColumn);
    setColumnWidth(PlansModel::Planner, viewport()->width() - kNumberColumn - kOverheadColumn);
}

void PlansTable::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Delete && currentIndex().isValid()) {
        m_document->removePlan(m_model->planId(currentIndex()));
        return;
    }
    QTableView::keyPressEvent(event);
}

void PlansTable::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    if (m_model->rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setFont(Theme::instance().font(FontRole::Body));
    painter.setPen(Theme::instance().color(Token::Text3));
    painter.drawText(viewport()->rect().adjusted(14, 8, -14, -8), Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap,
                     tr("No plan yet. Drag the budget or press Solve."));
}

} // namespace remat::studio
