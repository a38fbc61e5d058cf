// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/search/results_view.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/table_look.h"

#include <QHeaderView>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStackedLayout>

namespace remat::studio {

ResultsView::ResultsView(SearchSession &search, const Document &document, QWidget *parent)
    : QWidget(parent),
      m_search(search),
      m_model(search, document),
      m_sorted(new QSortFilterProxyModel(this)),
      m_table(new QTableView(this)),
      m_summary(new TokenLabel({}, FontRole::Label, Token::Text2)),
      m_empty(new TokenLabel({}, FontRole::Body, Token::Text2, this))
{
    setObjectName(QStringLiteral("resultsView"));
    m_sorted->setSourceModel(&m_model);
    m_sorted->setSortRole(ResultsTable::kValueRole);
    m_table->setObjectName(QStringLiteral("resultsTable"));
    m_table->setAccessibleName(tr("Ops that were found"));
    m_table->setProperty(kRowsOfGraph, true);
    m_table->setModel(m_sorted);
    makePlain(*m_table);
    m_table->setItemDelegate(new PlainDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    makeSortable(*m_table);
    m_table->sortByColumn(ResultsTable::Name, Qt::AscendingOrder);
    m_table->horizontalHeader()->setSectionResizeMode(ResultsTable::Name, QHeaderView::Stretch);
    int column = ResultsTable::Kind;
    for (const int width : {150, 84, 150, 84, 84, 100, 84})
        m_table->setColumnWidth(column++, width);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    auto *stack = new QStackedLayout(this);
    setContentsMargins(10, 4, 10, 0);
    stack->addWidget(m_empty);
    stack->addWidget(m_table);

    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        if (!m_following && index.isValid()) m_search.setCurrent(m_sorted->mapToSource(index).row());
    });
    connect(&m_search, &SearchSession::changed, this, &ResultsView::showFound);
    connect(&m_search, &SearchSession::currentChanged, this, &ResultsView::showCurrent);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        update();
        m_table->viewport()->update();
    });
    showFound();
}

QWidget *ResultsView::header() const
{
    return m_summary;
}

void ResultsView::showFound()
{
    const auto count = static_cast<std::int64_t>(m_search.matches().size());
    static_cast<QStackedLayout *>(layout())->setCurrentIndex(count > 0 ? 1 : 0);
    m_empty->setText(!m_search.problem().isEmpty() ? m_search.problem()
                     : m_search.active()           ? tr("No op matches %1.").arg(m_search.text())
                                                   : tr("No search yet. Ctrl+F finds ops by name and filters."));
    m_summary->setText(
        m_search.active()
            ? tr("%1 · %2").arg(count == 1 ? tr("1 op") : tr("%1 ops").arg(countText(count)), m_search.text())
            : QString());
    showCurrent();
}

void ResultsView::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), Theme::instance().color(Token::Panel));
}

void ResultsView::showCurrent()
{
    m_following = true;
    if (m_search.current() < 0) {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
    } else {
        const QModelIndex index = m_sorted->mapFromSource(m_model.index(m_search.current(), 0));
        m_table->setCurrentIndex(index);
        m_table->scrollTo(index);
    }
    m_following = false;
}

} // namespace remat::studio
