// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/cost_box.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"

#include <QHBoxLayout>

namespace remat::studio {

namespace {

const QString kProfileItem = QStringLiteral("\n.profile");
const QString kMeasureItem = QStringLiteral("\n.measure");
const QString kMeasuredItem = QStringLiteral("\n.measured");

} // namespace

CostBox::CostBox(Document *document, ModelLoader *loader, QWidget *parent)
    : QWidget(parent), m_document(document), m_loader(loader), m_choice(new QComboBox(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto *label = new TokenLabel(tr("Costs of"), FontRole::Body, Token::Text2, this);
    label->setBuddy(m_choice);
    row->addWidget(label);
    row->addWidget(m_choice, 1);
    m_choice->setObjectName(QStringLiteral("costs"));
    m_choice->setAccessibleName(tr("Costs of"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setToolTip(tr("Where the time of each op comes from: a device's data sheet, or a measured profile."));
    connect(m_choice, &QComboBox::activated, this, &CostBox::choose);
    connect(m_loader, &ModelLoader::costChoiceChanged, this, &CostBox::fill);
    connect(m_document, &Document::modelChanged, this, &CostBox::fill);
    fill();
}

void CostBox::fill()
{
    const CostChoice &choice = m_loader->costChoice();
    const QSignalBlocker blocker(m_choice);
    m_choice->clear();
    for (const Device &device : m_loader->devices())
        m_choice->addItem(toQString(device.title), toQString(device.name));
    if (choice.profile) m_choice->addItem(toQString(choice.profileTitle), kMeasuredItem);
    const auto model = m_document->model();
    if (model) {
        m_choice->insertSeparator(m_choice->count());
        m_choice->addItem(tr("Profile…"), kProfileItem);
        if (model->open->asRead().program) m_choice->addItem(tr("Measure on this machine…"), kMeasureItem);
    }
    const QVariant current = choice.profile ? QVariant(kMeasuredItem) : QVariant(toQString(choice.device.name));
    m_choice->setCurrentIndex(m_choice->findData(current));
}

void CostBox::choose(int row)
{
    const QString item = m_choice->itemData(row).toString();
    if (item == kMeasuredItem) return;
    if (item == kProfileItem)
        Q_EMIT profileWanted();
    else if (item == kMeasureItem)
        m_loader->measure();
    else
        m_loader->useDevice(item);
    // Until the costs are there, the box says what is in use.
    fill();
}

} // namespace remat::studio
