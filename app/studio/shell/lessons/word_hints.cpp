// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/lessons/word_hints.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/plots/painted_texts.h"
#include "app/studio/base/style/translation.h"
#include "app/studio/shell/help/help.h"
#include "core/teaching/lessons/lesson_json.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QTextDocument>

namespace remat::studio {

namespace {

constexpr qsizetype kShort = 48;        ///< a text that is one thing, and not read word by word
constexpr std::size_t kMost = 6;        ///< words on a card that keys ask for
constexpr std::size_t kMostByMouse = 2; ///< a card that comes by itself stays small

bool isRich(const QLabel &label)
{
    return label.textFormat() == Qt::RichText ||
           (label.textFormat() == Qt::AutoText && Qt::mightBeRichText(label.text()));
}

void fill(QTextDocument &document, const QLabel &label)
{
    document.setDocumentMargin(0);
    document.setDefaultFont(label.font());
    if (isRich(label))
        document.setHtml(label.text());
    else
        document.setPlainText(label.text());
    if (label.wordWrap()) document.setTextWidth(label.contentsRect().width());
}

std::vector<GlossaryWord> inLabel(const GlossaryWords &words, const QLabel &label, const QPoint &at, bool everyday)
{
    QTextDocument document;
    fill(document, label);
    const QString text = document.toPlainText();
    if (text.size() <= kShort) return words.in(text, everyday);
    QPointF place = at - label.contentsRect().topLeft();
    if (!(label.alignment() & Qt::AlignTop))
        place.ry() -= (label.contentsRect().height() - document.size().height()) / 2;
    const int character = document.documentLayout()->hitTest(place, Qt::FuzzyHit);
    return character < 0 ? std::vector<GlossaryWord>() : words.at(text, character, everyday);
}

/// What a widget that is no label says at a place.
QString textAt(const QWidget &widget, const QPoint &at)
{
    if (const auto *button = qobject_cast<const QAbstractButton *>(&widget)) return button->text();
    const auto *header = qobject_cast<const QHeaderView *>(widget.parentWidget());
    if (!header || !header->model()) return {};
    const int section = header->orientation() == Qt::Horizontal ? header->logicalIndexAt(at.x()) : -1;
    return section < 0 ? QString() : header->model()->headerData(section, Qt::Horizontal).toString();
}

/// Plots, their headers and legends: not what shows a document's own names, such as tables and the drawn graph.
bool paintsItsTexts(const QWidget &widget)
{
    return !qobject_cast<const QAbstractButton *>(&widget) && !qobject_cast<const QLabel *>(&widget) &&
           !qobject_cast<const QAbstractScrollArea *>(&widget) &&
           !qobject_cast<const QAbstractScrollArea *>(widget.parentWidget());
}

/// What a widget has painted at a place, the topmost last; nothing painted is an empty text.
PaintedText paintedAt(QWidget &widget, const QPoint &at)
{
    PaintedText found;
    if (paintsItsTexts(widget))
        for (PaintedText &each : paintedTexts(widget))
            if (each.rect.contains(at)) found = std::move(each);
    return found;
}

/// Everything that is written in a widget, and what it says to a screen reader.
QString textsOf(QWidget &widget)
{
    QStringList texts = {widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()};
    if (const auto *button = qobject_cast<const QAbstractButton *>(&widget)) texts << button->text();
    if (paintsItsTexts(widget))
        for (const PaintedText &each : paintedTexts(widget))
            texts << each.text;
    QList<const QLabel *> labels;
    for (const QLabel *each : widget.findChildren<QLabel *>())
        if (each->isVisible()) labels << each;
    if (const auto *own = qobject_cast<const QLabel *>(&widget)) labels << own;
    for (const QLabel *label : labels) {
        QTextDocument document;
        fill(document, *label);
        texts << document.toPlainText();
    }
    return texts.join(QLatin1Char('\n'));
}

QRect globalRect(const QWidget &widget)
{
    return {widget.mapToGlobal(QPoint(0, 0)), widget.size()};
}

} // namespace

WordHints::WordHints(const FeatureHost &host, QWidget *lessons)
    : QObject(host.owner), m_window(host.window), m_lessons(lessons)
{
    setObjectName(QStringLiteral("wordHints"));
    QAction *here = host.commands.add({QStringLiteral("glossary.here"),
                                       Section::Help,
                                       tr("What do the words here mean?"),
                                       QStringLiteral("info"),
                                       {Qt::ALT | Qt::Key_F1},
                                       tr("A sentence for each word of the glossary where the keyboard is; the mouse "
                                          "on a word shows the same")});
    connect(here, &QAction::triggered, this, &WordHints::showForKeyboard);
    qApp->installEventFilter(this);
}

const GlossaryWords &WordHints::words()
{
    if (!m_words) m_words = std::make_unique<GlossaryWords>(readLessons(translationLanguage().toStdString()));
    return *m_words;
}

void WordHints::show(const std::vector<GlossaryWord> &found, const QString &before, WordCard::By by, const QPoint &at,
                     const QRect &around)
{
    if (m_card) m_card->close();
    const std::size_t most = by == WordCard::By::Mouse ? kMostByMouse : kMost;
    m_card = new WordCard({found.begin(), found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), most))},
                          before, by, m_window);
    connect(m_card, &WordCard::wanted, this, &WordHints::wanted);
    m_card->showAt(at, around);
}

bool WordHints::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::ToolTip || !watched->isWidgetType()) return false;
    // What is dragged is being looked at.
    if (QApplication::mouseButtons() != Qt::NoButton) return true;
    auto *widget = static_cast<QWidget *>(watched);
    if (widget->window() != m_window || qobject_cast<const QMenu *>(widget)) return false;
    const auto *help = static_cast<const QHelpEvent *>(event);
    const bool everyday = m_lessons->isAncestorOf(widget);
    const auto *label = qobject_cast<const QLabel *>(widget);
    std::vector<GlossaryWord> found =
        label ? inLabel(words(), *label, help->pos(), everyday) : words().in(textAt(*widget, help->pos()), everyday);
    const QString tip = tooltipAt(*widget, help->pos());
    QRect around = globalRect(*widget);
    if (found.empty()) {
        const PaintedText painted = paintedAt(*widget, help->pos());
        found = words().in(painted.text, false);
        if (!found.empty()) around = painted.rect.toAlignedRect().translated(around.topLeft());
    }
    if (found.empty()) found = words().in(tip, false);
    if (found.empty()) return false;
    show(found, tip, WordCard::By::Mouse, help->globalPos(), around);
    return true;
}

void WordHints::showForKeyboard()
{
    QWidget *widget = m_window->focusWidget() ? m_window->focusWidget() : m_window;
    std::vector<GlossaryWord> found;
    const QPoint at = widget->mapToGlobal(widget->rect().center());
    for (QWidget *each = widget; found.empty() && each; each = each->isWindow() ? nullptr : each->parentWidget())
        found = words().in(textsOf(*each), m_lessons->isAncestorOf(widget) || each == m_lessons);
    if (!found.empty()) show(found, {}, WordCard::By::Keys, at, globalRect(*widget));
}

} // namespace remat::studio
