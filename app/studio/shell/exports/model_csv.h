// SPDX-License-Identifier: Apache-2.0
// Any item model as CSV.
#pragma once

#include <QString>

class QAbstractItemModel;
class QWidget;

namespace remat::studio {

/// Headers and every row as people see them; of a tree every level, children below their parent with the depth in a
/// first column of its own. GUI thread; O(cells).
QString csvOf(const QAbstractItemModel &model);

/// The table of a view: the one it shows, else the twin of what it paints; none when there is neither.
QAbstractItemModel *tableOf(const QWidget &view);

} // namespace remat::studio
