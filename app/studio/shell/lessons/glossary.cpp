// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/lessons/glossary.h"

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/shell/start_page/start_rows.h"
#include "app/studio/work/lessons/glossary_words.h"

#include <QLineEdit>
#include <QVBoxLayout>

namespace remat::studio {

Glossary::Glossary(const std::vector<Lesson> &lessons, QWidget *parent) : QDialog(parent), m_field(new QLineEdit(this))
{
    setObjectName(QStringLiteral("glossary"));
    setWindowTitle(tr("Glossary"));
    resize(620, 680);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 18);
    column->setSpacing(10);
    column->addWidget(new TokenLabel(tr("Words, and where a lesson shows what they mean"), FontRole::SectionTitle,
                                     Token::Text, this));
    m_field->setObjectName(QStringLiteral("glossaryField"));
    m_field->setPlaceholderText(tr("Search words and sentences"));
    m_field->setAccessibleName(m_field->placeholderText());
    column->addWidget(m_field);
    auto *rows = new CardScroll(this);
    const GlossaryWords words(lessons);
    for (const GlossaryWord &entry : words.all()) {
        auto *row = new HelpRow(QStringLiteral("graduation-cap"), entry.word, entry.means, m_rows.empty());
        row->setObjectName(QStringLiteral("word.") + entry.word);
        connect(row, &QAbstractButton::clicked, this, [this, path = entry.lesson, step = entry.step] {
            Q_EMIT wanted(path, step);
            close();
        });
        rows->add(row);
        m_rows.push_back(row);
    }
    column->addWidget(rows, 1);
    connect(m_field, &QLineEdit::textChanged, this, &Glossary::narrow);
    m_field->setFocus();
}

void Glossary::narrow(const QString &text)
{
    for (CardRow *row : m_rows)
        row->setVisible(row->text().contains(text, Qt::CaseInsensitive) ||
                        row->accessibleDescription().contains(text, Qt::CaseInsensitive));
}

} // namespace remat::studio
