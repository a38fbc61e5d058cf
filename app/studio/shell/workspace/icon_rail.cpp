// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/icon_rail.h"

#include "app/studio/base/widgets/building_blocks.h"

#include <QPainter>
#include <QVBoxLayout>

namespace remat::studio {

IconRail::IconRail(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("iconRail"));
    setFixedWidth(kWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(4, 6, 4, 6);
    column->setSpacing(4);
    const auto add = [&](Part part, const QString &icon, const QString &name, const QString &tooltip) {
        auto *button = new StudioButton({}, icon, ButtonKind::Quiet, this);
        button->setObjectName(QStringLiteral("rail.") + name);
        button->setFixedSize(32, 32);
        button->setToolTip(tooltip);
        button->setAccessibleName(tooltip);
        connect(button, &QAbstractButton::clicked, this, [this, part] { Q_EMIT chosen(part); });
        column->addWidget(button);
        m_buttons.append(button);
    };
    add(Part::Modules, QStringLiteral("list-tree"), QStringLiteral("modules"), tr("Modules"));
    add(Part::Partition, QStringLiteral("network"), QStringLiteral("partition"), tr("Partition"));
    add(Part::Plans, QStringLiteral("table-2"), QStringLiteral("plans"), tr("Plans"));
    column->addStretch(1);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void IconRail::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Token::Panel));
}

} // namespace remat::studio
