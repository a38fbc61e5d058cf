// SPDX-License-Identifier: Apache-2.0
// The style sheet of the standard widgets.
#pragma once

#include "app/studio/base/style/theme.h"

#include <QString>

namespace remat::studio {

/// The style sheet in the colours of a scheme. Widgets ask for variants by dynamic properties:
/// QPushButton `primary`, `compact` (28 high), `large` (36 high); QLabel `tone` (`text2`, `text3`, `error`, `ok`,
/// `warn`, `accent`); QLineEdit, QSpinBox and QDoubleSpinBox `invalid`; QFrame `card`; QWidget `surface` (`panel`,
/// `window`, `raised`); QToolButton `chip`.
QString styleSheet(Scheme scheme);

/// Replaces `@token` by its colour and `@token~40` by its colour at 40 % opacity.
QString withTokens(const QString &text, Scheme scheme);

} // namespace remat::studio
