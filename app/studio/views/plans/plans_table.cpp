// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plans/plans_table.h"

#include "app/studio/base/style/letters.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/views/shared/no_plan.h"
#include "app/studio/views/shared/verdict.h"

#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kNumberColumn = 50;
constexpr int kOverheadColumn = 68;
constexpr int kSide = 12;       ///< before the first column
constexpr int kIconRoom = 27;   ///< before a planner's name
constexpr int kLetterRoom = 32; ///< the same where the plan has a letter

/// Proof icon before the planner's name, or the plan's letter while it is compared.
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
        const auto look = index.data(PlansModel::kVerdictRole).value<VerdictLook>();
        QStyleOptionViewItem rest = option;
        const int letter = index.data(PlansModel::kLetterRole).toInt();
        rest.rect.adjust(letter < 0 ? kIconRoom : kLetterRoom, 0, 0, 0);
        rest.state &= ~QStyle::State_HasFocus; // the whole row has the mark
        PlainDelegate::paint(painter, rest, index);
        if (letter >= 0) {
            paintLetter(*painter,
                        QRectF(option.rect.left() + 9, option.rect.center().y() - kLetterBox / 2.0 + 0.5, kLetterBox,
                               kLetterBox),
                        letter);
            return;
        }
        painter->drawPixmap(option.rect.left() + kSide, option.rect.center().y() - 6,
                            theme.iconPixmap(look.icon, 13, look.ink, painter->device()->devicePixelRatioF()));
    }
};

} // namespace

PlansModel::PlansModel(Document *document, QObject *parent)
    : RowTable({{tr("Planner")}, {tr("Peak"), true}, {tr("Overhead"), true}}, parent), m_document(document)
{
    connect(m_document, &Document::plansChanged, this, &PlansModel::take);
    for (const auto signal : {&Document::budgetChanged, &Document::comparedChanged})
        connect(m_document, signal, this, [this] { cellsChanged(); });
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
        cellsChanged();
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

int PlansModel::rows() const
{
    return static_cast<int>(m_plans.size());
}

QVariant PlansModel::cell(int row, int column, int role) const
{
    const auto model = m_document->model();
    if (!model) return {};
    const PlanEntry &entry = entryAt(row);
    const std::int64_t peak = entry.timeline->peakBytes;
    const bool over = peak > m_document->budgetBytes();
    switch (role) {
    case kVerdictRole:
        return QVariant::fromValue(verdictLook(*m_document, entry));
    case kLetterRole: {
        const std::vector<int> &compared = m_document->compared();
        const auto place = std::find(compared.begin(), compared.end(), entry.id);
        return place == compared.end() ? -1 : static_cast<int>(place - compared.begin());
    }
    case kQuietRole:
        return column != Planner || entry.quick;
    case kGreyedRole:
        return over;
    case Qt::ToolTipRole: {
        QString text = entry.quick ? tr("%1, a quick plan made while the budget moves. Solve finds better ones.")
                                         .arg(toQString(entry.title))
                                   : toQString(entry.title);
        return text + QLatin1Char('\n') + verdictLook(*m_document, entry).sentence;
    }
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    const double keepAllPeak = static_cast<double>(model->keepAllPeakBytes);
    switch (column) {
    case Planner:
        return toQString(entry.title);
    case Peak:
        return memoryShareText(keepAllPeak > 0 ? static_cast<double>(peak) / keepAllPeak : 1);
    default:
        return shareText(model->keepAllTimeUs > 0 ? std::max(entry.timeline->timeUs / model->keepAllTimeUs - 1, 0.0)
                                                  : 0);
    }
}

Qt::ItemFlags PlansModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = RowTable::flags(index);
    return index.isValid() ? flags | Qt::ItemIsDragEnabled : flags;
}

QStringList PlansModel::mimeTypes() const
{
    return {planMimeType()};
}

QMimeData *PlansModel::mimeData(const QModelIndexList &indexes) const
{
    return indexes.isEmpty() ? nullptr : planMime(planId(indexes.front()));
}

PlansTable::PlansTable(Document *document, QWidget *parent)
    : QTableView(parent), m_document(document), m_model(new PlansModel(document, this))
{
    setObjectName(QStringLiteral("plansTable"));
    setAccessibleName(tr("Plans"));
    setModel(m_model);
    setItemDelegate(new PlansDelegate(this));
    makePlain(*this);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setDragEnabled(true);
    setAcceptDrops(true);
    setDropIndicatorShown(false);
    horizontalHeader()->setStyleSheet(
        QStringLiteral("QHeaderView::section { padding: 0 4px; } QHeaderView::section:first { padding-left: %1px; }")
            .arg(kSide));
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        if (m_following || !index.isValid()) return;
        // The click itself selects; following it would take back what is selected beside.
        m_following = true;
        m_document->loadPlan(m_model->planId(index));
        m_following = false;
    });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        std::vector<int> now;
        for (const QModelIndex &row : selectionModel()->selectedRows())
            now.push_back(m_model->planId(row));
        std::erase_if(m_selected, [&](int id) { return std::find(now.begin(), now.end(), id) == now.end(); });
        for (const int id : now)
            if (std::find(m_selected.begin(), m_selected.end(), id) == m_selected.end()) m_selected.push_back(id);
    });
    connect(m_model, &QAbstractItemModel::modelReset, this, &PlansTable::followCurrent);
    connect(m_document, &Document::currentPlanChanged, this, &PlansTable::followCurrent);
    connect(&Theme::instance(), &Theme::changed, this, [this] { viewport()->update(); });
    connect(m_document, &Document::budgetChanged, this, [this] {
        if (m_model->rowCount() == 0) viewport()->update();
    });
    followCurrent();
}

void PlansTable::followCurrent()
{
    if (m_following) return;
    const auto current = m_document->currentPlan();
    const int row = current ? m_model->rowOf(current->id) : -1;
    // What was chosen here beside the current one stays chosen.
    if (row >= 0 && currentIndex().row() == row && selectionModel()->isRowSelected(row)) return;
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
    setWidths(*this, {0, kNumberColumn, kOverheadColumn});
}

void PlansTable::keyPressEvent(QKeyEvent *event)
{
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (event->key() == Qt::Key_Delete && plain) {
        for (const int id : std::vector<int>(m_selected))
            m_document->removePlan(id);
        return;
    }
    if (event->key() == Qt::Key_C && plain) {
        compareSelected();
        return;
    }
    QTableView::keyPressEvent(event);
}

bool PlansTable::event(QEvent *event)
{
    // Here these keys mean the plans, whatever they mean to the window.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->modifiers() == Qt::NoModifier && (key->key() == Qt::Key_C || key->key() == Qt::Key_Delete)) {
            event->accept();
            return true;
        }
    }
    return QTableView::event(event);
}

void PlansTable::compareSelected()
{
    std::vector<int> ids = m_selected;
    if (ids.empty()) return;
    // One alone is laid beside what is compared already.
    if (ids.size() == 1) ids = withLetter(m_document->compared(), m_document->compared().empty() ? 0 : 1, ids.front());
    m_document->setCompared(ids);
    Q_EMIT compareWanted();
}

QMenu *PlansTable::menuFor(int planId)
{
    auto *menu = new QMenu(this);
    const std::vector<int> &compared = m_document->compared();
    const auto most = std::clamp(static_cast<int>(compared.size()) + 1, 2, kMostCompared);
    for (int place = 0; place < most; ++place)
        connect(menu->addAction(tr("Compare as %1").arg(letterOf(place))), &QAction::triggered, this,
                [this, place, planId] {
                    m_document->setCompared(withLetter(m_document->compared(), place, planId));
                    Q_EMIT compareWanted();
                });
    if (m_selected.size() > 1) {
        QAction *both = menu->addAction(tr("Compare the selected plans\tC"));
        connect(both, &QAction::triggered, this, &PlansTable::compareSelected);
    }
    if (std::find(compared.begin(), compared.end(), planId) != compared.end())
        connect(menu->addAction(tr("Take out of the comparison")), &QAction::triggered, this,
                [this, planId] { m_document->setCompared(withoutLetter(m_document->compared(), planId)); });
    menu->addSeparator();
    connect(menu->addAction(tr("Remove\tDel")), &QAction::triggered, this,
            [this, planId] { m_document->removePlan(planId); });
    return menu;
}

void PlansTable::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const QModelIndex index = byKey ? currentIndex() : indexAt(event->pos());
    if (!index.isValid()) return;
    QMenu *menu = menuFor(m_model->planId(index));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(byKey ? viewport()->mapToGlobal(visualRect(index).bottomLeft()) : event->globalPos());
}

int PlansTable::letterAt(const QPoint &position) const
{
    const QModelIndex index = indexAt(position);
    return index.isValid() ? index.data(PlansModel::kLetterRole).toInt() : -1;
}

void PlansTable::dragEnterEvent(QDragEnterEvent *event)
{
    if (planOf(event->mimeData()) != 0) event->acceptProposedAction();
}

void PlansTable::dragMoveEvent(QDragMoveEvent *event)
{
    event->setAccepted(letterAt(event->position().toPoint()) >= 0);
}

void PlansTable::dropEvent(QDropEvent *event)
{
    const int place = letterAt(event->position().toPoint());
    const int plan = planOf(event->mimeData());
    if (place < 0 || plan == 0) return;
    event->acceptProposedAction();
    m_document->setCompared(withLetter(m_document->compared(), place, plan));
}

void PlansTable::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    if (m_model->rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setFont(Theme::instance().font(FontRole::Body));
    painter.setPen(Theme::instance().color(Token::Text3));
    painter.drawText(viewport()->rect().adjusted(14, 8, -14, -8), Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap,
                     noPlanText(*m_document));
}

} // namespace remat::studio
