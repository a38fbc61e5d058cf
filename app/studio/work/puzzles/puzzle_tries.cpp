// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/puzzles/puzzle_tries.h"

#include "app/studio/base/text/text.h"
#include "core/teaching/puzzles/play.h"

#include <QJsonObject>
#include <QSettings>
#include <QStringList>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr qsizetype kMostTries = 100;
constexpr int kAllStars = 3;

/// The graph and the budget are in the key: tries at what is no longer the same puzzle are not shown.
QString keyOf(const Puzzle &puzzle)
{
    return QStringLiteral("puzzles/%1-%2-%3")
        .arg(toQString(puzzle.name), toQString(puzzle.graph.fingerprint.substr(0, 8)))
        .arg(puzzle.budgetBytes);
}

QString written(const PuzzleTry &one)
{
    return QStringLiteral("%1:%2:%3:%4:%5")
        .arg(one.figures.peakBytes)
        .arg(one.figures.extraUs, 0, 'g', 17)
        .arg(one.figures.copiedBytes)
        .arg(one.stars)
        .arg(one.hints);
}

template <class Write>
void eachTry(const std::vector<Puzzle> &puzzles, Write write)
{
    for (const Puzzle &puzzle : puzzles) {
        int number = 0;
        for (const PuzzleTry &one : keptTries(puzzle))
            write(puzzle, ++number, one);
    }
}

} // namespace

std::vector<PuzzleTry> keptTries(const Puzzle &puzzle)
{
    std::vector<PuzzleTry> tries;
    for (const QString &text : QSettings().value(keyOf(puzzle)).toStringList()) {
        const QStringList parts = text.split(QLatin1Char(':'));
        if (parts.size() != 5) continue;
        PuzzleTry one;
        one.figures = {parts[0].toLongLong(), parts[1].toDouble(), parts[2].toLongLong()};
        one.stars = std::clamp(parts[3].toInt(), 1, kAllStars);
        one.hints = std::max(parts[4].toInt(), 0);
        tries.push_back(one);
    }
    return tries;
}

void keepTry(const Puzzle &puzzle, const PuzzleTry &one)
{
    QSettings settings;
    QStringList tries = settings.value(keyOf(puzzle)).toStringList();
    tries << written(one);
    while (tries.size() > kMostTries)
        tries.removeFirst();
    settings.setValue(keyOf(puzzle), tries);
}

int bestStars(const Puzzle &puzzle)
{
    int best = 0;
    for (const PuzzleTry &one : keptTries(puzzle))
        best = std::max({best, one.stars, starsOf(puzzle, one.figures)}); // the proof may have come later
    return best;
}

QByteArray triesCsv(const std::vector<Puzzle> &puzzles)
{
    QByteArray csv;
    eachTry(puzzles, [&csv](const Puzzle &puzzle, int number, const PuzzleTry &one) {
        csv += QStringLiteral("puzzle/%1,%2,puzzle,1,%2,%3,%4\n")
                   .arg(toQString(puzzle.name))
                   .arg(number)
                   .arg(one.hints)
                   .arg(one.stars == kAllStars ? 1 : 0)
                   .toUtf8();
    });
    return csv;
}

QJsonArray triesJson(const std::vector<Puzzle> &puzzles)
{
    QJsonArray rows;
    eachTry(puzzles, [&rows](const Puzzle &puzzle, int number, const PuzzleTry &one) {
        rows.append(QJsonObject{{QStringLiteral("puzzle"), toQString(puzzle.name)},
                                {QStringLiteral("try"), number},
                                {QStringLiteral("extra_us"), one.figures.extraUs},
                                {QStringLiteral("copied_bytes"), static_cast<double>(one.figures.copiedBytes)},
                                {QStringLiteral("peak_bytes"), static_cast<double>(one.figures.peakBytes)},
                                {QStringLiteral("stars"), one.stars},
                                {QStringLiteral("hints"), one.hints}});
    });
    return rows;
}

} // namespace remat::studio
