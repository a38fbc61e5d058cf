// SPDX-License-Identifier: Apache-2.0
// What a person does in the window, measured.
#pragma once

#include "tests/benchmarks/window/bench.h"

#include <QTemporaryDir>

namespace remat::bench {

/// Frames of panning and zooming the graph that is open, at several scales.
std::vector<Measure> graphFrames(Bench &bench);
/// Frames of the memory view, and of its cursor, which all views show.
std::vector<Measure> timelineFrames(Bench &bench);
/// From asking for each file to the picture of its graph, with timeline and first plan, against `most` ms.
Measure opening(Bench &bench, const QString &title, const QStringList &paths, double most);
/// From the click to the picture of a cluster of 400 nodes.
Measure expanding(Bench &bench, const QTemporaryDir &folder);
/// Each lesson in a window of its own, from asking for it until its panel and views stand there and nothing is left to
/// do: the model read, its first plan made, all painted.
Measure openingLessons(Bench &bench);
/// How long an event posted from outside waits, and how long until it is painted, while a solve runs on all threads.
Measure answering(Bench &bench);
/// Plans that reach the screen in each second of dragging the budget line.
Measure dragging(Bench &bench);
/// What a graph of so many layers costs: opening it, expanding 200 of its blocks one after the other, scrolling and
/// panning with these open, dragging the budget and the batch, and what the trade-off computes in the background.
std::vector<Measure> largeGraph(Bench &bench, const QTemporaryDir &folder, int layers, double leastPlans);

} // namespace remat::bench
