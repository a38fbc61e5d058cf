// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/source/source_view.h"

#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/table_look.h"
#include "core/base/text.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QTableView>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

constexpr int kRow = 46, kSide = 8;

/// The line of code, and below it where it stands.
class CallDelegate : public PlainDelegate
{
public:
    using PlainDelegate::PlainDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        paintRow(*painter, option);
        const QRect inside = option.rect.adjusted(kSide, 4, -kSide, -4);
        const auto line = [&](const QRect &rect, FontRole role, Token color, const QString &text,
                              Qt::TextElideMode elide) {
            painter->setFont(Theme::instance().font(role));
            painter->setPen(Theme::instance().color(color));
            painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                              painter->fontMetrics().elidedText(text, elide, rect.width()));
        };
        const QRect upper(inside.left(), inside.top(), inside.width(), inside.height() / 2);
        line(upper, FontRole::Mono, Token::Text, index.data().toString(), Qt::ElideRight);
        line(upper.translated(0, inside.height() / 2), FontRole::Label, Token::Text2,
             index.data(CallsTable::kPlaceRole).toString(), Qt::ElideLeft);
        painter->restore();
    }
};

QString baseName(const std::string &file)
{
    return toQString(file.substr(file.find_last_of("/\\") + 1));
}

} // namespace

CallsTable::CallsTable(QObject *parent) : RowTable({{tr("Call")}}, parent) {}

void CallsTable::set(std::vector<StackFrame> calls)
{
    beginResetModel();
    m_calls = std::move(calls);
    endResetModel();
}

int CallsTable::rows() const
{
    return static_cast<int>(m_calls.size());
}

const StackFrame &CallsTable::call(int row) const
{
    return m_calls[m_calls.size() - 1 - static_cast<std::size_t>(row)];
}

QVariant CallsTable::cell(int row, int, int role) const
{
    const StackFrame &frame = call(row);
    const QString place =
        frame.line > 0 ? QStringLiteral("%1:%2").arg(baseName(frame.file)).arg(frame.line) : baseName(frame.file);
    if (role == kPlaceRole)
        return frame.function.empty() ? place : tr("%1 in %2").arg(place, toQString(frame.function));
    if (role == Qt::AccessibleTextRole) return QStringLiteral("%1, %2").arg(toQString(frame.code), place);
    if (role == Qt::ToolTipRole) return QStringLiteral("%1\n%2").arg(toQString(frame.file), toQString(frame.code));
    return isSaid(role) ? QVariant(frame.code.empty() ? place : toQString(frame.code)) : QVariant();
}

QString CallsTable::text() const
{
    QStringList lines;
    for (const StackFrame &frame : m_calls) {
        QString place = QStringLiteral("  File \"%1\"").arg(toQString(frame.file));
        if (frame.line > 0) place += QStringLiteral(", line %1").arg(frame.line);
        if (!frame.function.empty()) place += QStringLiteral(", in %1").arg(toQString(frame.function));
        lines << place;
        if (!frame.code.empty()) lines << QStringLiteral("    ") + toQString(frame.code);
    }
    return toQString(printableLines(lines.join(u'\n').toStdString()));
}

SourceView::SourceView(Document *document, QThreadPool &pool, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_reader(pool),
      m_summary(new TokenLabel({}, FontRole::Body, Token::Text2, this)),
      m_copy(new StudioButton({}, QStringLiteral("copy"), ButtonKind::Quiet, this)),
      m_table(new QTableView(this))
{
    setObjectName(QStringLiteral("sourceView"));
    m_summary->setObjectName(QStringLiteral("sourceSummary"));
    m_summary->setWordWrap(true);
    m_copy->setObjectName(QStringLiteral("copyCalls"));
    m_copy->setAccessibleName(tr("Copy the calls"));
    m_copy->setToolTip(tr("Copies all calls as a stack trace of Python"));
    m_copy->setFixedSize(24, 24);
    m_table->setObjectName(QStringLiteral("callsTable"));
    m_table->setAccessibleName(tr("Calls that the selection comes from"));
    m_table->setModel(&m_calls);
    makePlain(*m_table);
    m_table->setItemDelegate(new CallDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->verticalHeader()->setDefaultSectionSize(kRow);
    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_summary, 1);
    head->addWidget(m_copy, 0, Qt::AlignTop);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 0);
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(m_table, 1);

    const auto follow = [this] {
        if (isVisible()) refresh();
    };
    connect(document, &Document::modelChanged, this, follow);
    connect(document, &Document::selectionChanged, this, follow);
    connect(m_copy, &QAbstractButton::clicked, this, [this] { QApplication::clipboard()->setText(m_calls.text()); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        update();
        m_table->viewport()->update();
    });
}

void SourceView::readStacks()
{
    const auto model = m_document->model();
    const auto open = model ? model->open : nullptr;
    if (m_stacksOf.lock() == open) return;
    m_stacksOf = open;
    m_stacks = {};
    m_reader.cancel();
    if (!open || !open->unchunked().asRead().program) return; // a graph of JSON has a line for each op at most
    m_reader.start([path = open->unchunked().asRead().path](const Job &) { return readPythonStacks(path); },
                   [this](const Expected<PythonStacks> &stacks) {
                       if (!stacks) return; // the file is gone: what the graph has stays
                       m_stacks = *stacks;
                       if (isVisible()) refresh();
                   });
}

void SourceView::refresh()
{
    readStacks();
    const auto model = m_document->model();
    const OpId op = m_document->selection().op;
    const auto module = m_document->selectedModule();
    QString name;
    std::vector<StackFrame> calls;
    if (model && op) {
        name = OpLabels(model->graph()).op(model->graph(), op);
        calls = callsOf(model->graph(), m_stacks, op);
    } else if (model && module) {
        name = toQString(module->path);
        calls = sharedCalls(model->graph(), m_stacks, module->ops);
    }
    const auto count = static_cast<std::int64_t>(calls.size());
    m_summary->setText(name.isEmpty()  ? tr("Select an op, a storage or a module. The lines of Python that it comes "
                                             "from are shown here.")
                       : calls.empty() ? (op ? tr("%1: the trace has no source line for it.")
                                             : tr("%1: its ops have no call in common."))
                                             .arg(name)
                       : !op        ? tr("%1: calls that all of its ops come from, the innermost first.").arg(name)
                       : count == 1 ? tr("%1: the line that it comes from.").arg(name)
                                    : tr("%1: %2 calls, the innermost first.").arg(name, countText(count)));
    m_calls.set(std::move(calls));
    m_table->setVisible(count > 0);
    m_copy->setVisible(count > 0);
}

void SourceView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

void SourceView::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), Theme::instance().color(Token::Panel));
}

} // namespace remat::studio
