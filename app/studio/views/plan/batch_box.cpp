// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/batch_box.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/shared/other_batch.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kBatchWidth = 84;
constexpr std::int64_t kBeyond = 2; ///< the slider ends at so many times the largest batch that fits

/// The right end of the slider; more can be typed.
std::int64_t endOf(const OtherBatch &other, const std::optional<BatchLimits> &limits)
{
    const std::int64_t seen = std::max(other.line.batch, other.line.otherBatch);
    if (!limits) return kBeyond * seen;
    return std::min(std::max(seen, kBeyond * limits->withPlan), limits->most);
}

} // namespace

BatchBox::BatchBox(Session &session, QWidget *parent)
    : QWidget(parent),
      m_document(&session.document),
      m_batches(&session.batches),
      m_name(new TokenLabel({}, FontRole::Body, Token::Text2, this)),
      m_figures(new TokenLabel({}, FontRole::Label, Token::Text, this)),
      m_limits(new TokenLabel({}, FontRole::Label, Token::Text2, this)),
      m_slider(new QSlider(Qt::Horizontal, this)),
      m_field(new QSpinBox(this)),
      m_ask(new StudioButton(tr("Another batch…"), {}, ButtonKind::Plain, this))
{
    m_slider->setObjectName(QStringLiteral("batchSlider"));
    m_slider->setMinimum(1);
    m_field->setObjectName(QStringLiteral("batchField"));
    m_field->setFixedWidth(kBatchWidth);
    m_field->setAlignment(Qt::AlignRight);
    m_field->setMinimum(1);
    m_field->setKeyboardTracking(false);
    m_ask->setObjectName(QStringLiteral("otherBatch"));
    m_ask->setFixedHeight(24);
    m_ask->setToolTip(tr("Opens a trace of the same step with another batch, or another length. From both follows what "
                         "any batch takes"));
    m_figures->setObjectName(QStringLiteral("batchFigures"));
    m_limits->setObjectName(QStringLiteral("batchLimits"));
    for (TokenLabel *label : {m_figures, m_limits})
        label->setWordWrap(true);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_name);
    row->addWidget(m_slider, 1);
    row->addWidget(m_field);
    row->addWidget(m_ask);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_figures);
    column->addWidget(m_limits);
    connect(m_batches, &BatchOutlook::changed, this, &BatchBox::show);
    connect(m_document, &Document::modelChanged, this, &BatchBox::show);
    connect(m_slider, &QSlider::valueChanged, m_batches, &BatchOutlook::moveTo);
    connect(m_slider, &QSlider::valueChanged, m_field, [this](int batch) {
        const QSignalBlocker quiet(m_field);
        m_field->setValue(batch);
    });
    connect(m_field, &QSpinBox::valueChanged, this, [this](int batch) {
        m_batches->moveTo(batch);
        show();
    });
    connect(m_ask, &QAbstractButton::clicked, this, [this, &session] { askForOtherBatch(session, *this); });
    show();
}

void BatchBox::show()
{
    const auto model = m_document->model();
    const auto other = m_batches->other();
    setVisible(model && !model->open->whole);
    m_slider->setVisible(other != nullptr);
    m_field->setVisible(other != nullptr);
    m_ask->setVisible(!other);
    m_name->setText(other && other->line.dimension > 0 ? tr("Length") : tr("Batch"));
    m_slider->setAccessibleName(m_name->text());
    m_field->setAccessibleName(m_name->text());
    m_figures->setVisible(other || !m_batches->problem().isEmpty());
    m_limits->setVisible(other != nullptr);
    m_figures->setToken(other ? Token::Text : Token::Error);
    if (!other) {
        m_figures->setText(m_batches->problem());
        return;
    }
    const QSignalBlocker quiet(m_slider), quietToo(m_field);
    const auto batch = static_cast<int>(m_batches->batch());
    for (QWidget *widget : std::initializer_list<QWidget *>{m_slider, m_field})
        widget->setAccessibleName(m_name->text());
    if (!m_slider->isSliderDown()) m_slider->setMaximum(static_cast<int>(endOf(*other, m_batches->limits())));
    m_slider->setValue(batch);
    m_field->setMaximum(static_cast<int>(m_batches->limits() ? m_batches->limits()->most : m_slider->maximum()));
    m_field->setValue(batch);
    m_figures->setText(figuresText());
    m_limits->setText(limitsText());
    m_limits->setToolTip(tr("Sizes and times follow the straight lines through traces of %1 and %2. Quick plans are "
                            "looked at here: Solve may find a better one.")
                             .arg(countText(other->line.batch), countText(other->line.otherBatch)));
}

QString BatchBox::figuresText() const
{
    const auto &figures = m_batches->figures();
    if (!figures) return tr("Looking for a plan…");
    const QString keepAll = tr("%1 at %2: everything kept takes %3")
                                .arg(m_name->text(), countText(figures->batch), memoryText(figures->keepAllPeakBytes));
    if (figures->keepAllPeakBytes <= m_document->budgetBytes()) return tr("%1, which fits.").arg(keepAll);
    if (figures->overhead)
        return tr("%1, a plan %2 at %3 more time.")
            .arg(keepAll, memoryText(figures->planPeakBytes), shareText(*figures->overhead));
    if (figures->floorBytes > m_document->budgetBytes())
        return tr("%1, and no plan less than %2.").arg(keepAll, memoryText(figures->floorBytes));
    return tr("%1. No quick plan fits.").arg(keepAll);
}

QString BatchBox::limitsText() const
{
    const auto &limits = m_batches->limits();
    if (!limits) return tr("Looking for the largest that fits…");
    const auto count = [&](std::int64_t batch) {
        return batch == 0              ? tr("none")
               : batch == limits->most ? tr("%1 or more").arg(countText(batch))
                                       : countText(batch);
    };
    QString said = tr("Largest in this budget: %1 with everything kept, %2 with a plan.")
                       .arg(count(limits->asItIs), count(limits->withPlan));
    if (m_document->currentPlan())
        said += QLatin1Char(' ') + tr("The plan shown fits up to %1.").arg(count(limits->thisPlan));
    return said;
}

} // namespace remat::studio
