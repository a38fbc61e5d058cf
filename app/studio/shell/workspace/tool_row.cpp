// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/tool_row.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/search_field.h"
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/views/shared/verdict.h"

#include <QMenu>
#include <QPainter>
#include <QToolButton>

namespace remat::studio {

namespace {

constexpr int kButton = 32;
constexpr int kToolIcon = 18;
constexpr int kTightRow = 1000;   ///< below, verdict and device are icons
constexpr int kTightestRow = 720; ///< below, what the menus have besides has no button

} // namespace

ToolRow::ToolRow(Session &session, const Commands &commands, QWidget *parent)
    : QWidget(parent),
      m_session(session),
      m_measure(commands.action(command::kMeasure)),
      m_row(new QHBoxLayout(this)),
      m_file(new QHBoxLayout),
      m_middle(new QHBoxLayout),
      m_end(new QHBoxLayout),
      m_badge(new VerdictBadge(this)),
      m_device(new StudioButton({}, QStringLiteral("gpu"), ButtonKind::Plain, this)),
      m_devices(new QMenu(this))
{
    setObjectName(QStringLiteral("toolRow"));
    setFixedHeight(44);
    m_row->setContentsMargins(12, 5, 12, 6);
    m_row->setSpacing(4);
    addButton(commands.action(command::kOpen));
    addButton(commands.action(command::kSavePlan));
    m_row->addLayout(m_file);
    addSeparator();
    addButton(commands.action(command::kSolve));
    addButton(commands.action(command::kStop));
    addButton(commands.action(command::kValidate));
    m_row->addStretch(1);
    m_row->addLayout(m_middle);
    m_row->addStretch(1);

    m_badge->setObjectName(QStringLiteral("verdictBadge"));
    m_device->setObjectName(QStringLiteral("deviceChip"));
    m_device->setFixedHeight(28);
    m_device->setElided(true);
    m_device->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_device->setFont(Theme::instance().font(FontRole::Body));
    m_device->setToolTip(tr("Where the time of each op comes from"));
    m_row->addWidget(m_badge);
    m_row->addSpacing(8);
    m_row->addWidget(m_device);
    m_row->addSpacing(8);
    m_row->addLayout(m_end);
    for (QHBoxLayout *part : {m_file, m_middle, m_end})
        part->setSpacing(4);
    addButton(commands.action(command::kLeftPanel));
    addButton(commands.action(command::kMemoryPanel));
    addButton(commands.action(command::kPlanPanel));

    connect(m_device, &QAbstractButton::clicked, this, &ToolRow::popUpDevices);
    connect(&m_session.loader, &ModelLoader::costChoiceChanged, this, &ToolRow::showDevice);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    showDevice();
    showVerdict(nullptr);
}

QWidget *ToolRow::makeButton(QAction *action)
{
    auto *button = new QToolButton(this);
    button->setObjectName(QStringLiteral("tool.") + action->objectName());
    button->setDefaultAction(action);
    button->setIconSize({kToolIcon, kToolIcon});
    button->setFixedSize(kButton, kButton);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text());
    return button;
}

void ToolRow::addTo(Place place, QWidget *widget)
{
    (place == Place::File ? m_file : place == Place::Middle ? m_middle : m_end)->addWidget(widget);
}

QWidget *ToolRow::addTo(Place place, QAction *action)
{
    QWidget *button = makeButton(action);
    addTo(place, button);
    return button;
}

void ToolRow::addSeparator()
{
    auto *line = new Rule(this);
    line->setFixedSize(1, 20);
    m_row->addSpacing(4);
    m_row->addWidget(line);
    m_row->addSpacing(4);
}

void ToolRow::showVerdict(const VerdictLook *look)
{
    m_badge->setVisible(look != nullptr);
    if (look) m_badge->setLook(*look);
}

void ToolRow::showDevice()
{
    const CostChoice &choice = m_session.loader.costChoice();
    QString text = toQString(choice.profile ? choice.profileTitle : choice.device.title);
    if (m_narrow) text = text.section(QStringLiteral(" ("), 0, 0);
    // Makers' names often say the memory already.
    if (!choice.profile && choice.device.memoryBytes > 0 && !text.contains(QLatin1String("GB")))
        text += QStringLiteral(" · ") + bytesText(choice.device.memoryBytes);
    m_device->setText(text);
    m_device->setAccessibleName(tr("Costs of %1").arg(text));
    m_device->setVisible(!text.isEmpty());
    m_device->updateGeometry();
}

void ToolRow::popUpDevices()
{
    m_devices->clear();
    const CostChoice &choice = m_session.loader.costChoice();
    for (const Device &device : m_session.loader.devices()) {
        QAction *action = m_devices->addAction(toQString(device.title));
        action->setCheckable(true);
        action->setChecked(!choice.profile && choice.device.name == device.name);
        connect(action, &QAction::triggered, this,
                [this, name = toQString(device.name)] { m_session.loader.useDevice(name); });
    }
    if (m_session.document.model()) {
        m_devices->addSeparator();
        connect(m_devices->addAction(tr("Profile…")), &QAction::triggered, this, &ToolRow::profileWanted);
        m_devices->addAction(m_measure);
    }
    m_devices->popup(m_device->mapToGlobal(QPoint(0, m_device->height() + 4)));
}

void ToolRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_badge->setCompact(width() < kTightRow);
    m_device->setMaximumWidth(width() < kTightRow ? m_device->minimumSizeHint().width() : QWIDGETSIZE_MAX);
    for (int i = 0; i < m_file->count(); ++i)
        if (auto *button = qobject_cast<QToolButton *>(m_file->itemAt(i)->widget()))
            button->setVisible(width() >= kTightestRow);
    const bool narrow = width() < SearchField::kNarrowWindow;
    if (narrow == m_narrow) return;
    m_narrow = narrow;
    for (auto *choice : findChildren<SegmentedControl *>())
        choice->setCompact(narrow);
    showDevice();
}

void ToolRow::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Token::Window));
    painter.fillRect(0, height() - 1, width(), 1, Theme::instance().color(Token::Line));
}

} // namespace remat::studio
