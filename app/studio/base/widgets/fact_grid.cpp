// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/widgets/fact_grid.h"

#include "app/studio/base/widgets/building_blocks.h"

namespace remat::studio {

FactGrid::FactGrid()
{
    setHorizontalSpacing(20);
    setVerticalSpacing(6);
    setColumnStretch(1, 1);
}

TokenLabel *FactGrid::add(const QString &what, const char *name, const QString &text, QWidget *parent)
{
    const int row = rowCount();
    addWidget(new TokenLabel(what, FontRole::Body, Token::Text2, parent), row, 0, Qt::AlignTop);
    auto *value = new TokenLabel(text, FontRole::Body, Token::Text, parent);
    value->setObjectName(QString::fromLatin1(name));
    value->setWordWrap(true);
    value->setTextFormat(Qt::PlainText);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    addWidget(value, row, 1);
    return value;
}

} // namespace remat::studio
