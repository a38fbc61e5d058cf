// SPDX-License-Identifier: Apache-2.0
// All puzzles, with the stars that were reached.
#pragma once

#include "core/teaching/puzzles/puzzle.h"

#include <QDialog>

#include <vector>

namespace remat::studio {

/// GUI thread only.
class PuzzleList : public QDialog
{
    Q_OBJECT
public:
    explicit PuzzleList(const std::vector<Puzzle> &puzzles, QWidget *parent = nullptr);

Q_SIGNALS:
    void wanted(const QString &path);
};

} // namespace remat::studio
