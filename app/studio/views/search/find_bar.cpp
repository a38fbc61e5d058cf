// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/search/find_bar.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/search/filter_completer.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>

namespace remat::studio {

FindBar::FindBar(SearchSession &search, const Document &document, QWidget *parent)
    : QWidget(parent),
      m_search(search),
      m_field(new QLineEdit(this)),
      m_completer(new FilterCompleter(m_field, document)),
      m_count(new TokenLabel({}, FontRole::Label, Token::Text2, this)),
      m_problem(new TokenLabel({}, FontRole::Label, Token::Error, this))
{
    setObjectName(QStringLiteral("findBar"));
    m_field->setObjectName(QStringLiteral("findField"));
    m_field->setAccessibleName(tr("Find ops"));
    m_field->setPlaceholderText(tr("Find ops: a name, or kind:addmm module:h.11 size>10MiB recomputed"));
    m_field->setMaximumWidth(560);
    m_field->installEventFilter(this);
    m_count->setObjectName(QStringLiteral("findCount"));
    m_count->setMinimumWidth(84);
    m_problem->setObjectName(QStringLiteral("findProblem"));
    m_previous = button("findPrevious", tr("Previous match (Shift+F3)"), QStringLiteral("chevron-up"));
    m_next = button("findNext", tr("Next match (F3)"), QStringLiteral("chevron-down"));
    StudioButton *list = button("findList", tr("Lists all matches"), QStringLiteral("list-filter"));
    StudioButton *away = button("findClose", tr("Close and forget the search (Esc)"), QStringLiteral("x"));

    auto *row = new QHBoxLayout;
    row->setContentsMargins(14, 4, 8, 4);
    row->setSpacing(4);
    row->addWidget(new IconLabel(QStringLiteral("search"), 15, Token::Text3, this));
    row->addSpacing(4);
    row->addWidget(m_field, 1);
    row->addSpacing(8);
    row->addWidget(m_count);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(list);
    row->addStretch();
    row->addWidget(away);
    auto *rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 1);
    rows->setSpacing(0);
    rows->addLayout(row);
    auto *problemRow = new QHBoxLayout;
    problemRow->setContentsMargins(38, 0, 14, 6);
    problemRow->addWidget(m_problem);
    rows->addLayout(problemRow);

    connect(m_field, &QLineEdit::textEdited, &m_search, &SearchSession::setText);
    connect(m_previous, &QAbstractButton::clicked, this, [this] { m_search.step(-1); });
    connect(m_next, &QAbstractButton::clicked, this, [this] { m_search.step(1); });
    connect(list, &QAbstractButton::clicked, this, &FindBar::listWanted);
    connect(away, &QAbstractButton::clicked, this, &FindBar::close);
    connect(&m_search, &SearchSession::changed, this, [this] { showFound(true); });
    connect(&m_search, &SearchSession::currentChanged, this, [this] { showFound(false); });
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    showFound(true);
    hide();
}

StudioButton *FindBar::button(const char *name, const QString &text, const QString &icon)
{
    auto *made = new StudioButton({}, icon, ButtonKind::Quiet, this);
    made->setObjectName(QString::fromLatin1(name));
    made->setFixedSize(28, 28);
    made->setAccessibleName(text);
    made->setToolTip(text);
    return made;
}

void FindBar::open()
{
    show();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void FindBar::close()
{
    hide();
    m_search.clear();
    Q_EMIT closed();
}

void FindBar::showFound(bool followText)
{
    if (followText && m_field->text() != m_search.text()) m_field->setText(m_search.text());
    const auto count = static_cast<std::int64_t>(m_search.matches().size());
    const bool asked = m_search.active() && m_search.problem().isEmpty();
    m_count->setText(!asked                    ? QString()
                     : count == 0              ? tr("No op")
                     : m_search.current() >= 0 ? tr("%1 of %2").arg(countText(m_search.current() + 1), countText(count))
                     : count == 1              ? tr("1 op")
                                               : tr("%1 ops").arg(countText(count)));
    m_previous->setEnabled(count > 0);
    m_next->setEnabled(count > 0);
    m_problem->setText(m_search.problem());
    m_problem->setVisible(!m_search.problem().isEmpty());
    m_field->setProperty("invalid", !m_search.problem().isEmpty());
    m_field->setStyleSheet(m_field->styleSheet()); // the style looks at properties when the sheet is set
    update();
}

bool FindBar::eventFilter(QObject *watched, QEvent *event)
{
    const bool pressed = event->type() == QEvent::KeyPress, overrides = event->type() == QEvent::ShortcutOverride;
    if (watched != m_field || (!pressed && !overrides)) return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    if (overrides) {
        // Closing the bar comes before stopping what runs, which has the same key.
        if (key->key() != Qt::Key_Escape) return false;
        event->accept();
        return true;
    }
    switch (key->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_completer->popup()->popup()->isVisible()) return false;
        m_search.step(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
        return true;
    case Qt::Key_Escape:
        close();
        return true;
    default:
        return false;
    }
}

void FindBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Token::Raised));
    painter.fillRect(0, height() - 1, width(), 1, Theme::instance().color(Token::Line));
}

} // namespace remat::studio
