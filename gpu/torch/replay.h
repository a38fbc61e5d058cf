// SPDX-License-Identifier: Apache-2.0
// Runs the steps of a plan and measures memory and time.
#pragma once

#include "core/plan/plan.h"
#include "gpu/peak_explanation.h"
#include "gpu/torch/runs.h"

namespace remat {

/// Part of a whole job, for its progress bar.
struct ProgressSpan {
    std::string stage;
    double begin = 0, end = 1;
};

/// Drops what a former run left, then runs the steps of a plan of `graph`, which has planned parameters exactly when
/// the interpreter does; those that begin in host memory are freed first. The outputs stay in the interpreter. Fails at
/// the first step that cannot run. `observer` is called after each computation.
Expected<Replay> replay(Interpreter &interpreter, MemoryMeter &meter, const Graph &graph,
                        const std::vector<Step> &steps, const RunSetting &setting, const ProgressSpan &span,
                        const std::function<void(OpId)> &observer = {});

/// A step that does not compute, op by op. Fails with a sentence.
Expected<void> moveStep(Interpreter &interpreter, const Graph &graph, const Step &step);

/// Right after a reset: lets go of the planned parameters that these steps fetch first.
void freeWhatBeginsOnHost(Interpreter &interpreter, const Graph &graph, const std::vector<Step> &steps);

/// Waits until the device has done all that was asked of it.
void synchronize(c10::Device device);

} // namespace remat
