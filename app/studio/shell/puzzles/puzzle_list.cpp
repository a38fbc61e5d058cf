// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/puzzles/puzzle_list.h"

#include "app/studio/base/style/translation.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/puzzles/puzzle_window.h"
#include "app/studio/shell/start_page/start_rows.h"

namespace remat::studio {

PuzzleList::PuzzleList(const std::vector<Puzzle> &puzzles, QWidget *parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("puzzleListWindow"));
    setWindowTitle(tr("Puzzles"));
    resize(620, 720);
    int reached = 0;
    for (const Puzzle &puzzle : puzzles)
        reached += bestStars(puzzle);
    QVBoxLayout *column =
        beginListWindow(this, tr("Schedule by hand"),
                        tr("Small graphs that do not fit: compute, free and compute again within the budget. The "
                           "best play of each is proven. You have %1 of %2 stars.")
                            .arg(reached)
                            .arg(3 * puzzles.size()));
    auto *rows = new CardScroll(this);
    const std::string language = translationLanguage().toStdString();
    for (std::size_t i = 0; i < puzzles.size(); ++i) {
        const Puzzle &puzzle = puzzles[i];
        const PuzzleText texts = puzzleText(puzzle, language);
        const int stars = bestStars(puzzle);
        const QString title = tr("%1. %2").arg(puzzle.number).arg(toQString(texts.title));
        const QString icon = stars == 3  ? QStringLiteral("circle-check")
                             : stars > 0 ? QStringLiteral("play")
                                         : QStringLiteral("circle");
        auto *row = new HelpRow(icon, title, starsText(stars) + QStringLiteral("  ") + toQString(texts.text), i == 0);
        row->setObjectName(QStringLiteral("puzzle.") + toQString(puzzle.name));
        row->setAccessibleDescription(tr("%n stars of three", nullptr, stars));
        connect(row, &QAbstractButton::clicked, this, [this, path = toQString(puzzle.path.string())] {
            Q_EMIT wanted(path);
            close();
        });
        rows->add(row);
    }
    column->addWidget(rows, 1);
}

} // namespace remat::studio
