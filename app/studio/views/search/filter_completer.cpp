// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/search/filter_completer.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/work/document/words.h"
#include "core/graph/phase_name.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QCoreApplication>
#include <QLineEdit>
#include <QPainter>

#include <algorithm>
#include <map>

namespace remat::studio {

namespace {

constexpr qsizetype kMost = 40;
constexpr int kWidth = 340;

/// Where the token at the cursor begins.
qsizetype tokenStart(const QString &text, int cursor)
{
    qsizetype start = cursor;
    while (start > 0 && !text[start - 1].isSpace())
        --start;
    return start;
}

/// The values of a text filter in a graph with how many ops have them.
std::map<QString, int> valuesOf(FilterField field, const Graph &graph)
{
    std::map<QString, int> counts;
    for (const Op &op : graph.ops) {
        if (field == FilterField::Kind) {
            ++counts[toQString(op.kind)];
        } else if (field == FilterField::Dtype) {
            for (const StorageId output : op.outputs) {
                const std::string &type = graph.storage(output).type;
                if (!type.empty()) ++counts[toQString(type.substr(0, type.find('[')))];
            }
        } else if (field == FilterField::Module) {
            for (auto dot = op.module.find('.'); !op.module.empty(); dot = op.module.find('.', dot + 1)) {
                ++counts[toQString(op.module.substr(0, dot))];
                if (dot == std::string::npos) break;
            }
        } else if (field == FilterField::Source && !op.source.empty()) {
            ++counts[toQString(op.source.substr(0, op.source.find(':')))];
        }
    }
    if (field == FilterField::Phase)
        for (const Op &op : graph.ops)
            ++counts[QLatin1String(phaseName(op.phase))];
    return counts;
}

/// Completion at the left, what it means at the right.
class CompletionDelegate : public PlainDelegate
{
public:
    using PlainDelegate::PlainDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Theme &theme = Theme::instance();
        painter->save();
        paintRow(*painter, option);
        const QRect cell = option.rect.adjusted(10, 0, -10, 0);
        const QString text = index.data().toString(), meaning = index.data(Qt::UserRole).toString();
        painter->setFont(theme.font(FontRole::Label));
        const int meaningWidth = std::min(painter->fontMetrics().horizontalAdvance(meaning), cell.width() / 2);
        painter->setPen(theme.color(Token::Text3));
        painter->drawText(cell, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                          painter->fontMetrics().elidedText(meaning, Qt::ElideRight, meaningWidth));
        painter->setFont(theme.font(FontRole::Body));
        painter->setPen(theme.color(Token::Text));
        const int width = cell.width() - meaningWidth - 12;
        painter->drawText(QRect(cell.topLeft(), QSize(width, cell.height())),
                          Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          painter->fontMetrics().elidedText(text, Qt::ElideMiddle, width));
        painter->restore();
    }
};

} // namespace

QList<FilterCompletion> filterCompletions(const QString &text, int cursor, const Graph *graph)
{
    QString token = text.mid(tokenStart(text, cursor), cursor - tokenStart(text, cursor));
    const bool negated = token.startsWith(QLatin1Char('-'));
    if (negated) token.remove(0, 1);
    const QString before = negated ? QStringLiteral("-") : QString();
    QList<FilterCompletion> result;
    if (token.isEmpty()) return result;
    for (const FilterWord &word : filterWords(windowWords())) {
        const QString name = QString::fromUtf8(word.word);
        const bool valued = word.form == FilterForm::Text && token.startsWith(name + QLatin1Char(':'));
        if (valued && graph) {
            const QString value = token.mid(name.size() + 1).toLower();
            std::vector<std::pair<int, QString>> fitting;
            for (const auto &[known, count] : valuesOf(word.field, *graph))
                if (known.contains(value, Qt::CaseInsensitive) && known.toLower() != value)
                    fitting.emplace_back(-count, known);
            std::stable_sort(fitting.begin(), fitting.end(),
                             [](const auto &a, const auto &b) { return a.first < b.first; });
            for (const auto &[count, known] : fitting)
                if (result.size() < kMost)
                    result << FilterCompletion{before + name + QLatin1Char(':') + known,
                                               QCoreApplication::translate("Filter", "%1 ops").arg(countText(-count))};
        } else if (name.startsWith(token, Qt::CaseInsensitive) && name != token) {
            const QString sign = word.form == FilterForm::Text   ? QStringLiteral(":")
                                 : word.form == FilterForm::Flag ? QString()
                                                                 : QStringLiteral(">");
            result << FilterCompletion{before + name + sign, toQString(word.meaning)};
        }
    }
    return result;
}

FilterCompleter::FilterCompleter(QLineEdit *field, const Document &document)
    : QObject(field), m_field(field), m_document(document), m_completer(new QCompleter(&m_model, this))
{
    m_completer->setWidget(field);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setMaxVisibleItems(10);
    m_completer->popup()->setItemDelegate(new CompletionDelegate(this));
    m_completer->popup()->setAccessibleName(tr("Completions"));
    connect(m_completer, qOverload<const QString &>(&QCompleter::activated), this, &FilterCompleter::insert);
    connect(m_field, &QLineEdit::textEdited, this, &FilterCompleter::offer);
}

void FilterCompleter::offer()
{
    const auto model = m_document.model();
    const auto completions =
        filterCompletions(m_field->text(), m_field->cursorPosition(), model ? &model->graph() : nullptr);
    m_model.clear();
    for (const FilterCompletion &completion : completions) {
        auto *item = new QStandardItem(completion.text);
        item->setData(completion.meaning, Qt::UserRole);
        m_model.appendRow(item);
    }
    if (completions.isEmpty()) {
        m_completer->popup()->hide();
        return;
    }
    m_completer->complete(QRect(0, 0, kWidth, m_field->height()));
}

void FilterCompleter::insert(const QString &completion)
{
    const QString text = m_field->text();
    const int cursor = m_field->cursorPosition();
    const qsizetype start = tokenStart(text, cursor);
    m_field->setText(text.left(start) + completion + text.mid(cursor));
    m_field->setCursorPosition(static_cast<int>(start + completion.size()));
    Q_EMIT m_field->textEdited(m_field->text());
}

} // namespace remat::studio
