// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/help/help_window.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/shell/help/features_table.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kPlaceWidth = 230, kKeyWidth = 96;
constexpr int kLabelDrop = 4; ///< brings labels to the baseline of the title

/// A title in the colour of links that runs an action.
class Link : public QAbstractButton
{
public:
    Link(const FeatureRow &feature, QAction *action, QWidget *parent) : QAbstractButton(parent)
    {
        setObjectName(QStringLiteral("helpLink.") + feature.command);
        setText(feature.title);
        setToolTip(action->toolTip());
        setFont(Theme::instance().font(FontRole::Name));
        setCursor(Qt::PointingHandCursor);
        setFocusPolicy(Qt::StrongFocus);
        setEnabled(action->isEnabled());
        connect(action, &QAction::changed, this, [this, action] { setEnabled(action->isEnabled()); });
        connect(this, &QAbstractButton::clicked, action, &QAction::trigger);
    }
    QSize sizeHint() const override { return {fontMetrics().horizontalAdvance(text()) + 2, 22}; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setFont(font());
        painter.setPen(Theme::instance().color(isEnabled() ? Token::Accent : Token::Text3));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, text());
    }
};

/// Title as a link, sentence below; place and key at the right.
QWidget *makeRow(const FeatureRow &feature, QAction *action, QWidget *parent)
{
    auto *row = new QWidget(parent);
    row->setObjectName(QStringLiteral("feature.") + feature.command);
    auto *link = new Link(feature, action, row);
    auto *sentence = new TokenLabel(feature.sentence, FontRole::Label, Token::Text2, row);
    sentence->setWordWrap(true);
    auto *place = new TokenLabel(feature.place, FontRole::Label, Token::Text3, row);
    place->setWordWrap(true);
    place->setFixedWidth(kPlaceWidth);
    place->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto *key =
        new TokenLabel(action->shortcut().toString(QKeySequence::NativeText), FontRole::Label, Token::Text, row);
    key->setFixedWidth(kKeyWidth);
    key->setAlignment(Qt::AlignRight | Qt::AlignTop);
    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(link, 0, Qt::AlignLeft);
    words->addWidget(sentence);
    auto *columns = new QHBoxLayout(row);
    columns->setContentsMargins(0, 6, 0, 6);
    columns->setSpacing(16);
    columns->addLayout(words, 1);
    place->setContentsMargins(0, kLabelDrop, 0, 0);
    key->setContentsMargins(0, kLabelDrop, 0, 0);
    columns->addWidget(place, 0, Qt::AlignTop);
    columns->addWidget(key, 0, Qt::AlignTop);
    return row;
}

} // namespace

HelpWindow::HelpWindow(const Commands &commands, QWidget *parent) : QDialog(parent), m_field(new QLineEdit(this))
{
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("Where things are"));
    resize(820, 720);
    m_field->setObjectName(QStringLiteral("helpField"));
    m_field->setAccessibleName(tr("Search the help"));
    m_field->setPlaceholderText(tr("Search"));
    auto *body = new QWidget;
    body->setObjectName(QStringLiteral("helpBody"));
    auto *rows = new QVBoxLayout(body);
    rows->setContentsMargins(6, 0, 14, 0);
    rows->setSpacing(0);
    for (const FeatureRow &feature : featureRows()) {
        QAction *action = commands.find(feature.command);
        if (!action) continue;
        m_rows << makeRow(feature, action, body);
        rows->addWidget(m_rows.back());
    }
    rows->addStretch();
    auto *area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(body);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 14, 4, 14);
    column->setSpacing(8);
    auto *fieldRow = new QHBoxLayout;
    fieldRow->setContentsMargins(0, 0, 10, 0);
    fieldRow->addWidget(m_field);
    column->addLayout(fieldRow);
    column->addWidget(area, 1);
    connect(m_field, &QLineEdit::textChanged, this, &HelpWindow::narrow);
    m_field->setFocus();
}

void HelpWindow::narrow(const QString &text)
{
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (QWidget *row : m_rows) {
        QString whole;
        for (const QAbstractButton *link : row->findChildren<QAbstractButton *>())
            whole += link->text() + QLatin1Char(' ');
        for (const QLabel *label : row->findChildren<QLabel *>())
            whole += label->text() + QLatin1Char(' ');
        row->setVisible(std::all_of(words.begin(), words.end(),
                                    [&](const QString &word) { return whole.contains(word, Qt::CaseInsensitive); }));
    }
}

} // namespace remat::studio
