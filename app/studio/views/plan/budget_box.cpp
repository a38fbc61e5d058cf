#include "app/studio/views/plan/budget_box.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/plan/budget_slider.h"
#include "core/base/budget.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

std::int64_t residentBytes(const Graph &graph)
{
    std::int64_t bytes = 0;
    for (const Storage &storage : graph.storages)
        if (isResident(storage.kind)) bytes += storage.bytes;
    return bytes;
}

} // namespace

BudgetBox::BudgetBox(Document *document, const std::vector<Device> &devices, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_field(new QLineEdit(this)),
      m_share(new TokenLabel({}, FontRole::Body, Token::Text3, m_field)),
      m_error(new TokenLabel({}, FontRole::Label, Token::Error, this)),
      m_presets(new StudioButton({}, QStringLiteral("gpu"), ButtonKind::Plain, this)),
      m_presetMenu(new QMenu(this)),
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
    m_presets->setObjectName(QStringLiteral("budgetPresets"));
    m_presets->setAccessibleName(tr("Budget of a device"));
    m_presets->setToolTip(tr("What a device's memory leaves besides parameters and inputs"));
    m_presets->setMenuArrow(true);
    m_presets->setFixedSize(56, 30);
    m_slider->setObjectName(QStringLiteral("budgetSlider"));

    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_field, 1);
    row->addWidget(m_presets);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_error);
    column->addWidget(m_slider);

    addPresets(devices);
    connect(m_field, &QLineEdit::textEdited, this, [this] { check(false); });
    connect(m_field, &QLineEdit::returnPressed, this, [this] { check(true); });
    connect(m_field, &QLineEdit::editingFinished, this, [this] { check(true); });
    connect(m_slider, &QAbstractSlider::sliderPressed, m_document, &Document::beginBudgetDrag);
    connect(m_slider, &QAbstractSlider::sliderMoved, this,
            [this](int value) { m_document->moveBudget(bytesOf(value)); });
    connect(m_slider, &QAbstractSlider::sliderReleased, m_document, &Document::endBudgetDrag);
    connect(m_slider, &BudgetSlider::steppedTo, this, [this](int value) { m_document->moveBudget(bytesOf(value)); });
    connect(m_presets, &QAbstractButton::clicked, this,
            [this] { m_presetMenu->popup(m_presets->mapToGlobal(QPoint(0, m_presets->height() + 4))); });
    connect(m_document, &Document::budgetChanged, this, &BudgetBox::showBudget);
    connect(m_document, &Document::modelChanged, this, &BudgetBox::showModel);
    showModel();
}

void BudgetBox::addPresets(const std::vector<Device> &devices)
{
    for (const Device &device : devices) {
        if (device.memoryBytes <= 0) continue;
        QAction *action = m_presetMenu->addAction(toQString(device.title));
        connect(action, &QAction::triggered, this, [this, memory = device.memoryBytes] {
            const auto model = m_document->model();
            if (!model) return;
            // What the menu says is what is set.
            const std::string left = formatBytes(memory - residentBytes(model->graph()), Rounding::Down);
            m_document->moveBudget(parseBudget(left, 0).value_or(1));
        });
        connect(m_presetMenu, &QMenu::aboutToShow, action, [this, action, device] {
            const auto model = m_document->model();
            if (!model) return;
            const std::int64_t left = device.memoryBytes - residentBytes(model->graph());
            const QString title = toQString(device.title);
            action->setEnabled(left > 0);
            if (left <= 0)
                action->setText(tr("%1: its parameters do not fit").arg(title));
            else if (left >= model->keepAll->peakBytes)
                action->setText(tr("%1: everything fits").arg(title));
            else
                action->setText(tr("%1: leaves %2").arg(title, bytesText(left, Rounding::Down)));
        });
    }
}

std::int64_t BudgetBox::bytesOf(int sliderValue) const
{
    const auto model = m_document->model();
    if (!model) return 0;
    // Rounded down, so that it reads as the share that was meant.
    return static_cast<std::int64_t>(static_cast<double>(model->keepAll->peakBytes) * static_cast<double>(sliderValue) /
                                     1000.0);
}

void BudgetBox::showModel()
{
    const auto model = m_document->model();
    setEnabled(model != nullptr);
    m_slider->setScale(model ? model->keepAll->peakBytes : 0, model ? model->floor.bytes : 0);
    m_field->setModified(false);
    showBudget();
}

void BudgetBox::showBudget()
{
    const auto model = m_document->model();
    const std::int64_t budget = m_document->budgetBytes();
    const double share = model && model->keepAll->peakBytes > 0
                             ? static_cast<double>(budget) / static_cast<double>(model->keepAll->peakBytes)
                             : 0;
    if (!m_slider->isSliderDown()) {
        const QSignalBlocker blocker(m_slider);
        m_slider->setValue(model ? static_cast<int>(std::lround(share * 1000)) : 0);
    }
    m_slider->update();
    m_field->setText(model ? memoryText(budget) : QString());
    m_field->setModified(false);
    m_share->setText(model ? tr("%1 of keep-all").arg(memoryShareText(share)) : QString());
    setError(model && budget < model->floor.bytes
                 ? tr("No plan can do with less than %1. Choose that or more.").arg(memoryText(model->floor.bytes))
                 : QString());
    placeShare();
}

void BudgetBox::check(bool commit)
{
    const auto model = m_document->model();
    if (!model || !m_field->isModified()) return;
    const auto bytes = parseBudget(m_field->text().trimmed().toStdString(), model->keepAll->peakBytes);
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
    if (watched == m_field && event->type() == QEvent::Resize) placeShare();
    return QWidget::eventFilter(watched, event);
}

} // namespace remat::studio
