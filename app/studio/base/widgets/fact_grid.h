// SPDX-License-Identifier: Apache-2.0
// Facts below each other: what, and what it is.
#pragma once

#include <QGridLayout>

namespace remat::studio {

class TokenLabel;

/// GUI thread only.
class FactGrid : public QGridLayout
{
public:
    FactGrid();
    /// A row; its text breaks, can be selected, is shown as it stands, and is called `name`. Labels belong to `parent`.
    TokenLabel *add(const QString &what, const char *name, const QString &text, QWidget *parent);
};

} // namespace remat::studio
