// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/budget_box.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/plan/budget_slider.h"
#include "core/base/budget.h"

#include <QKeyEvent>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace remat::studio {

BudgetBox::BudgetBox(Document *document, ChunkOutlook *chunks, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_chunks(chunks),
      m_field(new QLineEdit(this)),
      m_share(new TokenLabel({}, FontRole::Body, Token::Text3, m_field)),
      m_error(new TokenLabel({}, FontRole::Label, Token::Error, this)),
      m_slider(new BudgetSlider(this))
{
    m_field->setObjectName(QStringLiteral("budgetField"));
    m_field->setAccessibleName(tr("Budget"));
    m_field->setToolTip(tr("An amount such as 4GiB, a share of the keep-all peak such as 60%, or -500MiB for that much "
                           "under it."));
    m_field->setFixedHeight(30);
    m_field->setFont(Theme::instance().font(FontRole::Name));
    m_field->setAcceptDrops(false); // files dropped here are for the window
    m_field->installEventFilter(this);
    m_share->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_share->setObjectName(QStringLiteral("budgetShare"));
    m_error->setObjectName(QStringLiteral("budgetError"));
    m_error->setWordWrap(true);
    m_error->hide();
    m_slider->setObjectName(QStringLiteral("budgetSlider"));

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_field);
    column->addWidget(m_error);
    column->addWidget(m_slider);

    connect(m_field, &QLineEdit::textEdited, this, [this] { check(false); });
    connect(m_field, &QLineEdit::returnPressed, this, [this] { check(true); });
    connect(m_field, &QLineEdit::editingFinished, this, [this] { check(true); });
    connect(m_slider, &QAbstractSlider::sliderPressed, m_document, &Document::beginBudgetDrag);
    connect(m_slider, &QAbstractSlider::sliderMoved, this,
            [this](int value) { m_document->moveBudget(bytesOf(value)); });
    connect(m_slider, &QAbstractSlider::sliderReleased, m_document, &Document::endBudgetDrag);
    connect(m_slider, &BudgetSlider::steppedTo, this, [this](int value) { m_document->moveBudget(bytesOf(value)); });
    connect(m_document, &Document::budgetChanged, this, &BudgetBox::showBudget);
    connect(m_document, &Document::modelChanged, this, &BudgetBox::showModel);
    if (m_chunks)
        connect(m_chunks, &ChunkOutlook::changed, this, [this] {
            if (!m_field->isModified()) setError(floorProblem());
        });
    showModel();
}

std::int64_t BudgetBox::bytesOf(int sliderValue) const
{
    const auto model = m_document->model();
    if (!model) return 0;
    // Rounded down, so that it reads as the share that was meant.
    return static_cast<std::int64_t>(static_cast<double>(model->keepAllPeakBytes) * static_cast<double>(sliderValue) /
                                     1000.0);
}

void BudgetBox::showModel()
{
    const auto model = m_document->model();
    setEnabled(model != nullptr);
    m_slider->setScale(model ? model->keepAllPeakBytes : 0, model ? model->floor.bytes : 0);
    m_field->setModified(false);
    showBudget();
}

void BudgetBox::showBudget()
{
    const auto model = m_document->model();
    const std::int64_t budget = m_document->budgetBytes();
    const double share = model && model->keepAllPeakBytes > 0
                             ? static_cast<double>(budget) / static_cast<double>(model->keepAllPeakBytes)
                             : 0;
    if (!m_slider->isSliderDown()) {
        const QSignalBlocker blocker(m_slider);
        m_slider->setValue(model ? static_cast<int>(std::lround(share * 1000)) : 0);
    }
    m_slider->update();
    m_field->setText(model ? memoryText(budget) : QString());
    m_field->setModified(false);
    m_share->setText(model ? tr("%1 of keep-all").arg(memoryShareText(share)) : QString());
    setError(floorProblem());
    placeShare();
}

QString BudgetBox::floorProblem() const
{
    const auto model = m_document->model();
    if (!model || m_document->budgetBytes() >= model->floor.bytes) return {};
    const QString floor = memoryText(model->floor.bytes);
    return m_chunks && m_chunks->floor() ? tr("Whole ops need %1. Choose that or more, or chunks.").arg(floor)
                                         : tr("No plan can do with less than %1. Choose that or more.").arg(floor);
}

void BudgetBox::check(bool commit)
{
    const auto model = m_document->model();
    if (!model || !m_field->isModified()) return;
    const auto bytes = parseBudget(m_field->text().trimmed().toStdString(), model->keepAllPeakBytes);
    m_share->setText({});
    if (!bytes) {
        setError(toQString(bytes.error().message));
        return;
    }
    setError({});
    if (!commit) return;
    m_field->setModified(false);
    if (*bytes == m_document->budgetBytes())
        showBudget();
    else
        m_document->moveBudget(*bytes);
}

void BudgetBox::setError(const QString &sentence)
{
    m_error->setText(sentence);
    m_error->setVisible(!sentence.isEmpty());
    if (m_field->property("invalid").toBool() == !sentence.isEmpty()) return;
    m_field->setProperty("invalid", !sentence.isEmpty());
    m_field->style()->unpolish(m_field);
    m_field->style()->polish(m_field);
}

void BudgetBox::focusField()
{
    m_field->setFocus();
    m_field->selectAll();
}

void BudgetBox::placeShare()
{
    const int width = m_share->sizeHint().width() + 2;
    m_share->setGeometry(m_field->width() - width - 10, 0, width, m_field->height());
    m_share->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_field->setTextMargins(0, 0, width + 8, 0);
}

void BudgetBox::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    placeShare();
}

bool BudgetBox::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape && m_field->isModified()) {
        showBudget();
        return true;
    }
    // Without a letter typed since, undo is about the budget and not about the field.
    if (watched == m_field && event->type() == QEvent::ShortcutOverride && !m_field->isModified()) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    if (watched == m_field && event->type() == QEvent::Resize) placeShare();
    return QWidget::eventFilter(watched, event);
}

} // namespace remat::studio
