// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/chunk_box.h"

#include "app/studio/views/plan/options_form.h"

#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

ChunkBox::ChunkBox(QWidget *parent)
    : QWidget(parent),
      m_choice(new QComboBox(this)),
      m_names(makeField(QStringLiteral("chunkNames"), QStringLiteral("head=8"))),
      m_whole(makeField(QStringLiteral("chunkWhole"), QStringLiteral("mm_3, gelu")))
{
    m_choice->setObjectName(QStringLiteral("chunks"));
    m_choice->addItems({tr("If needed"), tr("Automatic"), tr("By hand"), tr("Off")});
    m_choice->setFixedWidth(kFieldWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(labelledRow(tr("Chunks"), m_choice,
                                  tr("Ops that run in pieces need less memory at once. Automatic: Solve decides what "
                                     "does, and opens the model so beside this one. If needed: the planner Automatic "
                                     "does so for budgets that no plan of whole ops can meet."),
                                  this));
    m_namesRow = labelledRow(tr("In chunks"), m_names,
                             tr("head=8: the loss and what leads to it in 8 pieces. The name of an op takes what is "
                                "around it; a comma stands between several. Enter opens the model so."),
                             this);
    m_wholeRow = labelledRow(tr("Never in chunks"), m_whole,
                             tr("Names of ops, with commas between them. Solve cuts none of them, nor what would have "
                                "to be cut with them."),
                             this);
    column->addWidget(m_namesRow);
    column->addWidget(m_wholeRow);
    showRows();

    connect(m_choice, &QComboBox::currentIndexChanged, this, [this] {
        showRows();
        Q_EMIT stateChanged(tr("Chunks: %1").arg(m_choice->currentText()));
    });
    connect(m_names, &QLineEdit::returnPressed, this, [this] {
        if (!m_names->text().trimmed().isEmpty()) Q_EMIT chunksWanted(m_names->text().trimmed());
    });
    connect(m_whole, &QLineEdit::editingFinished, this, [this] {
        if (!m_whole->isModified()) return;
        m_whole->setModified(false);
        Q_EMIT stateChanged(tr("Never in chunks: %1").arg(m_whole->text()));
    });
}

QLineEdit *ChunkBox::makeField(const QString &name, const QString &example)
{
    auto *field = new QLineEdit(this);
    field->setObjectName(name);
    field->setPlaceholderText(example);
    field->setFixedSize(kFieldWidth, 26);
    return field;
}

void ChunkBox::showRows()
{
    m_namesRow->setVisible(choice() == Choice::ByHand);
    m_wholeRow->setVisible(choice() == Choice::Automatic || (choice() == Choice::IfNeeded && !whole().isEmpty()));
}

QStringList ChunkBox::whole() const
{
    static const QRegularExpression kBetween(QStringLiteral("[,\\s]+"));
    return m_whole->text().split(kBetween, Qt::SkipEmptyParts);
}

void ChunkBox::setWhole(const QStringList &ops)
{
    if (ops == whole()) return;
    m_whole->setText(ops.join(QStringLiteral(", ")));
    showRows();
    Q_EMIT stateChanged(tr("Never in chunks: %1").arg(m_whole->text()));
}

void ChunkBox::tell(SolveSettings &settings) const
{
    if (choice() == Choice::Automatic) settings.chunks = ChunkUse::Always;
    if (choice() == Choice::IfNeeded) settings.chunks = ChunkUse::BelowFloor;
    if (settings.chunks == ChunkUse::Never) return;
    for (const QString &op : whole())
        settings.whole.push_back(op.toStdString());
}

QJsonObject ChunkBox::saveState() const
{
    return {{QStringLiteral("choice"), m_choice->currentIndex()}, {QStringLiteral("whole"), m_whole->text()}};
}

void ChunkBox::restoreState(const QJsonObject &state)
{
    m_choice->setCurrentIndex(
        std::clamp(state[QStringLiteral("choice")].toInt(m_choice->currentIndex()), 0, m_choice->count() - 1));
    m_whole->setText(state[QStringLiteral("whole")].toString());
    showRows();
}

} // namespace remat::studio
