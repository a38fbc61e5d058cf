// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/details_strip.h"

#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/op_link.h"
#include "core/base/text.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

constexpr std::size_t kLinks = 2; // so many of each kind; the others are in a menu
constexpr int kLongestLink = 26;  // letters
constexpr std::size_t kMostInMenu = 40;

QString shortened(const QString &text)
{
    return text.size() <= kLongestLink ? text : QStringLiteral("…") + text.right(kLongestLink - 1);
}

} // namespace

DetailsStrip::DetailsStrip(Document *document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_name(new TokenLabel({}, FontRole::Name, Token::Text, this)),
      m_facts(new TokenLabel({}, FontRole::Label, Token::Text2, this)),
      m_source(new TokenLabel({}, FontRole::Mono, Token::Text2, this)),
      m_links(new QHBoxLayout),
      m_copy(new StudioButton({}, QStringLiteral("copy"), ButtonKind::Quiet, this)),
      m_close(new StudioButton({}, QStringLiteral("x"), ButtonKind::Quiet, this))
{
    setObjectName(QStringLiteral("detailsStrip"));
    setAccessibleName(tr("Details of the selection"));
    QFont bold = m_name->font();
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    m_name->setObjectName(QStringLiteral("details.name"));
    m_facts->setObjectName(QStringLiteral("details.facts"));
    m_source->setObjectName(QStringLiteral("details.source"));
    for (StudioButton *button : {m_copy, m_close})
        button->setFixedSize(24, 24);
    m_copy->setObjectName(QStringLiteral("details.copy"));
    m_copy->setAccessibleName(tr("Copy the details"));
    m_copy->setToolTip(tr("Copies everything that is known of the op"));
    m_close->setObjectName(QStringLiteral("details.close"));
    m_close->setAccessibleName(tr("Hide the details"));
    m_close->setToolTip(tr("Hides the details (I)"));
    auto *first = new QHBoxLayout;
    first->setSpacing(10);
    first->addWidget(m_name);
    first->addWidget(m_facts, 1);
    first->addWidget(m_copy);
    first->addWidget(m_close);
    auto *second = new QHBoxLayout;
    second->setSpacing(10);
    second->addWidget(m_source, 1);
    m_links->setSpacing(6);
    second->addLayout(m_links);
    auto *rows = new QVBoxLayout(this);
    rows->setContentsMargins(14, 5, 8, 4);
    rows->setSpacing(1);
    rows->addLayout(first);
    rows->addLayout(second);

    connect(m_copy, &QAbstractButton::clicked, this,
            [this] { QApplication::clipboard()->setText(toQString(printableLines(m_details.text().toStdString()))); });
    connect(m_close, &QAbstractButton::clicked, this, [this] {
        setWanted(false);
        Q_EMIT closed();
    });
    connect(m_document, &Document::selectionChanged, this, &DetailsStrip::refresh);
    connect(m_document, &Document::modelChanged, this, &DetailsStrip::refresh);
    connect(m_document, &Document::currentPlanChanged, this, [this] {
        m_stale = true;
        if (isVisible()) refresh();
    });
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void DetailsStrip::setWanted(bool wanted)
{
    m_wanted = wanted;
    refresh();
}

void DetailsStrip::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_stale) refresh();
}

void DetailsStrip::refresh()
{
    const auto model = m_document->model();
    const OpId op = m_document->selection().op;
    const bool shows = m_wanted && model && op;
    if (shows) {
        m_stale = false;
        m_details = opDetails(*model, m_document->currentPlan().get(), op);
        m_name->setText(m_details.name);
        m_name->setToolTip(m_details.module);
        QStringList facts = {m_details.name.contains(m_details.kind) ? QString() : m_details.kind, m_details.makes,
                             m_details.time, m_details.plan};
        facts.removeAll(QString());
        m_facts->setText(facts.join(QStringLiteral(" · ")));
        m_facts->setToolTip(m_details.text());
        m_source->setText(m_details.source.isEmpty() ? tr("The trace has no source line for this op.")
                                                     : m_details.source);
        m_source->setToolTip(m_details.source);
        if (m_shown != op) {
            m_shown = op;
            while (QLayoutItem *item = m_links->takeAt(0)) {
                delete item->widget();
                delete item;
            }
            fillLinks(m_links, tr("Reads"), m_details.producers);
            fillLinks(m_links, tr("Feeds"), m_details.consumers);
        }
    } else {
        m_shown = {};
    }
    if (shows == isHidden()) {
        setVisible(shows);
        Q_EMIT shownChanged();
    }
}

void DetailsStrip::fillLinks(QHBoxLayout *row, const QString &title, const std::vector<OpId> &ops)
{
    if (ops.empty()) return;
    const Graph &graph = m_document->model()->graph();
    const OpLabels labels(graph);
    row->addWidget(new TokenLabel(title, FontRole::Label, Token::Text3, this));
    const std::size_t shown = ops.size() <= kLinks + 1 ? ops.size() : kLinks;
    for (std::size_t i = 0; i < shown; ++i) {
        const QString name = labels.op(graph, ops[i]);
        auto *link = new OpLink(this);
        link->setText(shortened(name));
        link->setOp(ops[i]);
        link->setObjectName(QStringLiteral("details.link"));
        link->setAccessibleName(tr("%1 %2").arg(title, name));
        link->setToolTip(name);
        row->addWidget(link);
        // Choosing it replaces the links, so it is told about later.
        connect(link, &OpLink::chosen, this, &DetailsStrip::opChosen, Qt::QueuedConnection);
    }
    if (shown == ops.size()) return;
    auto *more = new StudioButton(QStringLiteral("+%1").arg(ops.size() - shown), {}, ButtonKind::Quiet, this);
    more->setFixedHeight(22);
    row->addWidget(more);
    more->setAccessibleName(tr("%1 more").arg(ops.size() - shown));
    connect(more, &QAbstractButton::clicked, this,
            [this, more, rest = std::vector(ops.begin() + static_cast<std::ptrdiff_t>(shown), ops.end())] {
                auto *menu = new QMenu(this);
                menu->setAttribute(Qt::WA_DeleteOnClose);
                const Graph &current = m_document->model()->graph();
                const OpLabels names(current);
                for (std::size_t i = 0; i < std::min(rest.size(), kMostInMenu); ++i)
                    connect(
                        menu->addAction(names.op(current, rest[i])), &QAction::triggered, this,
                        [this, op = rest[i]] { Q_EMIT opChosen(op); }, Qt::QueuedConnection);
                menu->popup(more->mapToGlobal(QPoint(0, more->height())));
            });
}

void DetailsStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Token::Raised));
    painter.fillRect(0, 0, width(), 1, Theme::instance().color(Token::LineStrong));
}

} // namespace remat::studio
