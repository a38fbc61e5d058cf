// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/compare/difference_table.h"

#include "app/studio/base/style/state_glyph.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/views/compare/compare_text.h"
#include "core/io/csv.h"

#include <QHeaderView>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr int kRowHeight = 32;
constexpr int kSide = 14; ///< before the first column
constexpr double kBarWidth = 92, kBarHeight = 8, kBarGap = 16;
constexpr double kGlyph = 13;

/// Widths of columns. With less room bars get shorter, then they and the words of states go.
struct ColumnWidths {
    int uses, state, amount;
};

ColumnWidths widthsFor(int width)
{
    if (width >= 860) return {52, 118, 196};
    if (width >= 640) return {40, 104, 98};
    return {40, 34, 92};
}

/// Width of the bar in a cell of this width.
double barWidthIn(int cell)
{
    return std::clamp(cell - 104.0, 0.0, kBarWidth);
}

/// Glyphs before states, bars behind amounts.
class DifferenceDelegate : public PlainDelegate
{
public:
    using PlainDelegate::PlainDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Theme &theme = Theme::instance();
        if (index.data(DifferenceModel::kHoveredRole).toBool() && !(option.state & QStyle::State_Selected))
            painter->fillRect(option.rect, theme.color(Token::Raised));
        painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                          theme.color(Token::Line));
        QStyleOptionViewItem rest = option;
        rest.rect.adjust(0, 0, 0, -1);
        const int column = index.column();
        if (column == DifferenceModel::Bytes || column == DifferenceModel::Time) {
            paintRow(*painter, rest);
            paintBar(*painter, rest.rect, index.data(DifferenceModel::kBarRole).toDouble());
            rest.state &= ~(QStyle::State_Selected | QStyle::State_MouseOver);
            const double bar = barWidthIn(option.rect.width());
            rest.rect.setWidth(static_cast<int>(rest.rect.width() - (bar > 0 ? bar + kBarGap + kSide : 8)));
        } else if (column == DifferenceModel::StateA || column == DifferenceModel::StateB) {
            paintRow(*painter, rest);
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            paintStateGlyph(*painter,
                            QRectF(rest.rect.left() + 4, rest.rect.center().y() - kGlyph / 2 + 0.5, kGlyph, kGlyph),
                            static_cast<NodeState>(index.data(DifferenceModel::kStateRole).toInt()));
            painter->restore();
            rest.state &= ~(QStyle::State_Selected | QStyle::State_MouseOver);
            rest.rect.adjust(20, 0, 0, 0);
        } else if (column == DifferenceModel::Module) {
            paintRow(*painter, rest);
            rest.state &= ~(QStyle::State_Selected | QStyle::State_MouseOver);
            rest.rect.adjust(kSide - 4, 0, 0, 0);
        }
        PlainDelegate::paint(painter, rest, index);
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {40, kRowHeight}; }

private:
    static void paintBar(QPainter &painter, const QRect &cell, double share)
    {
        const Theme &theme = Theme::instance();
        const double room = barWidthIn(cell.width());
        if (room <= 0) return;
        const double zero = cell.right() - kSide - room / 2;
        const double middle = cell.center().y() + 0.5;
        const double length = share * room / 2;
        const QRectF bar(std::min(zero, zero + length), middle - kBarHeight / 2, std::abs(length), kBarHeight);
        painter.fillRect(bar, theme.color(share < 0 ? Token::PlanA : Token::PlanB));
        painter.fillRect(QRectF(zero - 0.5, middle - 7, 1, 14), theme.color(Token::LineStrong));
    }
};

/// Fields in quotes where they need it.
QString csvText(const QStringList &fields)
{
    std::vector<std::string> plain;
    for (const QString &field : fields)
        plain.push_back(field.toStdString());
    return toQString(csvLine(plain));
}

} // namespace

void DifferenceModel::show(PlanComparison comparison, CompareLevel level, const QString &letter)
{
    beginResetModel();
    m_comparison = std::move(comparison);
    m_level = level;
    m_letter = letter;
    m_hovered = -1;
    endResetModel();
}

void DifferenceModel::setHovered(const Selection &hover)
{
    const int row = hover == Selection{} ? -1 : rowOf(m_comparison, m_level, hover);
    if (row == m_hovered) return;
    const int before = std::exchange(m_hovered, row);
    for (const int changed : {before, row})
        if (changed >= 0) Q_EMIT dataChanged(index(changed, 0), index(changed, kColumns - 1), {kHoveredRole});
}

int DifferenceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_comparison.rows.size());
}

int DifferenceModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant DifferenceModel::display(const DifferenceRow &row, int column) const
{
    switch (column) {
    case Module:
        return row.module.empty() ? dash() : toQString(row.module);
    case Name:
        return toQString(row.name);
    case Uses:
        return row.uses > 1 ? QStringLiteral("×%1").arg(row.uses) : QString();
    case StateA:
        return useText(row.a.state);
    case StateB:
        return useText(row.b.state);
    case Bytes:
        return signedBytesText(row.bytes());
    case Time:
        return signedTimeText(row.timeUs());
    default:
        return {};
    }
}

QVariant DifferenceModel::value(const DifferenceRow &row, int column) const
{
    switch (column) {
    case Uses:
        return row.uses;
    case Bytes:
        return static_cast<qlonglong>(row.bytes());
    case Time:
        return row.timeUs();
    default:
        return display(row, column);
    }
}

QVariant DifferenceModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const DifferenceRow &row = m_comparison.rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return display(row, column);
    case kValueRole:
        return value(row, column);
    case kStateRole:
        return static_cast<int>(column == StateB ? row.b.state : row.a.state);
    case kBarRole:
        if (column == Bytes && m_comparison.mostBytes > 0)
            return static_cast<double>(row.bytes()) / static_cast<double>(m_comparison.mostBytes);
        return column == Time && m_comparison.mostUs > 0 ? row.timeUs() / m_comparison.mostUs : 0.0;
    case kHoveredRole:
        return index.row() == m_hovered;
    case kQuietRole:
        return column != Name;
    case Qt::TextAlignmentRole:
        return static_cast<int>((column == Uses || column >= Bytes ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (column == Bytes) {
            const QString exact = exactBytesText(std::abs(row.bytes()));
            return row.bytes() < 0 ? tr("A holds %1 less at its peak").arg(exact)
                                   : tr("A holds %1 more at its peak").arg(exact);
        }
        return rowSentence(row, m_letter);
    default:
        return {};
    }
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Uses ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Bytes)
        return tr("What A holds at its peak, less what %1 holds at its own").arg(m_letter);
    if (role == Qt::ToolTipRole && section == Time)
        return tr("What A spends on computing it again, less what %1 does").arg(m_letter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Module:
        return tr("Module");
    case Name:
        return m_level == CompareLevel::Ops ? tr("Op") : tr("Storage");
    case Uses:
        return tr("Uses");
    case StateA:
        return QStringLiteral("A");
    case StateB:
        return m_letter;
    case Bytes:
        return tr("Bytes, A − %1").arg(m_letter);
    case Time:
        return tr("Time, A − %1").arg(m_letter);
    default:
        return {};
    }
}

DifferenceTable::DifferenceTable(Document *document, QWidget *parent)
    : QTableView(parent),
      m_document(document),
      m_model(new DifferenceModel(this)),
      m_proxy(new QSortFilterProxyModel(this))
{
    setObjectName(QStringLiteral("differenceTable"));
    setProperty(kRowsOfGraph, true);
    setAccessibleName(tr("Differences of the compared plans"));
    m_proxy->setSourceModel(m_model);
    m_proxy->setSortRole(DifferenceModel::kValueRole);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    setModel(m_proxy);
    setItemDelegate(new DifferenceDelegate(this));
    makePlain(*this);
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    horizontalHeader()->setSectionsClickable(true);
    horizontalHeader()->setSortIndicatorShown(false);
    horizontalHeader()->setStyleSheet(
        QStringLiteral("QHeaderView::section { padding: 0 4px; } QHeaderView::section:first { padding-left: %1px; }")
            .arg(kSide));
    setSelectionMode(QAbstractItemView::SingleSelection);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int column) {
        // A third click brings back the order by size of the difference.
        const bool same = m_proxy->sortColumn() == column;
        if (same && m_proxy->sortOrder() == Qt::AscendingOrder)
            m_proxy->sort(-1);
        else
            m_proxy->sort(column, same ? Qt::AscendingOrder : Qt::DescendingOrder);
        horizontalHeader()->setSortIndicatorShown(m_proxy->sortColumn() >= 0);
        if (m_proxy->sortColumn() >= 0) horizontalHeader()->setSortIndicator(column, m_proxy->sortOrder());
    });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &DifferenceTable::choose);
    connect(this, &QAbstractItemView::entered, this, [this](const QModelIndex &index) {
        const DifferenceRow &row = rowAt(index);
        m_document->setHover({row.ops.front(), row.storages.empty() ? StorageId() : row.storages.front()});
    });
    connect(m_document, &Document::selectionChanged, this, &DifferenceTable::followSelection);
    connect(m_document, &Document::hoverChanged, this, [this] {
        if (isVisible()) m_model->setHovered(m_document->hover());
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { viewport()->update(); });
}

void DifferenceTable::show(PlanComparison comparison, CompareLevel level, const QString &letter)
{
    m_compares = !letter.isEmpty();
    m_model->show(std::move(comparison), level, m_compares ? letter : QStringLiteral("B"));
    setColumnHidden(DifferenceModel::Name, level == CompareLevel::Clusters);
    fitColumns();
    followSelection();
}

void DifferenceTable::setFilter(const QString &text)
{
    m_proxy->setFilterFixedString(text);
    followSelection();
}

const DifferenceRow &DifferenceTable::rowAt(const QModelIndex &proxyIndex) const
{
    return m_model->comparison().rows[static_cast<std::size_t>(m_proxy->mapToSource(proxyIndex).row())];
}

const DifferenceRow *DifferenceTable::chosen() const
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    return rows.isEmpty() ? nullptr : &rowAt(rows.front());
}

void DifferenceTable::choose()
{
    if (const DifferenceRow *row = chosen(); row && !m_following) {
        m_following = true;
        if (m_model->level() == CompareLevel::Storages && !row->storages.empty())
            m_document->selectStorage(row->storages.front());
        else
            m_document->selectOp(row->ops.front());
        m_following = false;
    }
    Q_EMIT chosenChanged();
}

void DifferenceTable::followSelection()
{
    if (m_following) return;
    m_following = true;
    const int row = rowOf(m_model->comparison(), m_model->level(), m_document->selection());
    const QModelIndex index = row < 0 ? QModelIndex() : m_proxy->mapFromSource(m_model->index(row, 0));
    if (index.isValid()) {
        setCurrentIndex(index);
        scrollTo(index);
    } else {
        setCurrentIndex({});
        clearSelection();
    }
    m_following = false;
}

QString DifferenceTable::csv() const
{
    QStringList head;
    for (int column = 0; column < DifferenceModel::kColumns; ++column)
        head << m_model->headerData(column, Qt::Horizontal).toString();
    head[DifferenceModel::Bytes] += tr(" (bytes)");
    head[DifferenceModel::Time] += tr(" (µs)");
    QString text = csvText(head);
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        QStringList fields;
        for (int column = 0; column < DifferenceModel::kColumns; ++column)
            fields << m_proxy->index(row, column).data(DifferenceModel::kValueRole).toString();
        text += csvText(fields);
    }
    return text;
}

void DifferenceTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void DifferenceTable::fitColumns()
{
    const int width = viewport()->width();
    const ColumnWidths widths = widthsFor(width);
    setColumnWidth(DifferenceModel::Uses, widths.uses);
    setColumnWidth(DifferenceModel::StateA, widths.state);
    setColumnWidth(DifferenceModel::StateB, widths.state);
    setColumnWidth(DifferenceModel::Bytes, widths.amount);
    setColumnWidth(DifferenceModel::Time, widths.amount);
    const int rest = std::max(width - widths.uses - 2 * widths.state - 2 * widths.amount, 120);
    const bool named = !isColumnHidden(DifferenceModel::Name);
    setColumnWidth(DifferenceModel::Module, named ? rest * 2 / 5 : rest);
    setColumnWidth(DifferenceModel::Name, rest - rest * 2 / 5);
}

void DifferenceTable::leaveEvent(QEvent *event)
{
    QTableView::leaveEvent(event);
    m_document->setHover({});
}

void DifferenceTable::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    if (!m_compares || m_proxy->rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setFont(Theme::instance().font(FontRole::Body));
    painter.setPen(Theme::instance().color(Token::Text3));
    painter.drawText(viewport()->rect().adjusted(kSide, 10, -kSide, -10), Qt::AlignTop | Qt::TextWordWrap,
                     m_model->rowCount() > 0 ? tr("Nothing has this in its name or state.")
                                             : tr("The two plans hold and recompute the same."));
}

} // namespace remat::studio
