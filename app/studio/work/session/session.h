// SPDX-License-Identifier: Apache-2.0
// Everything behind a window: the document and the jobs that change it.
#pragma once

#include "app/studio/work/document/replay.h"
#include "app/studio/work/document/training_card.h"
#include "app/studio/work/document/view_states.h"
#include "app/studio/work/jobs/batch_outlook.h"
#include "app/studio/work/jobs/bound_runner.h"
#include "app/studio/work/jobs/chunk_outlook.h"
#include "app/studio/work/jobs/model_loader.h"
#include "app/studio/work/jobs/plan_runner.h"
#include "app/studio/work/jobs/quick_planner.h"
#include "app/studio/work/jobs/samples.h"
#include "app/studio/work/jobs/solve_runner.h"
#include "app/studio/work/jobs/sweep_runner.h"

namespace remat::studio {

/// GUI thread only. Destroying it stops what runs and waits for it.
struct Session {
    Session() { pool.setMaxThreadCount(8); }
    ~Session()
    {
        previews.cancel();
        bound.cancel();
        chunks.cancel();
        batches.cancel();
        sweeps.reset();
        runner.stopValidation();
        quick.cancel();
        solver.reset();
        loader.cancel();
    }

    /// True while anything runs in the background.
    bool busy() const
    {
        return loader.running() || solver.running() || quick.running() || quick.proving() || runner.validating() ||
               runner.saving() || previews.running() || bound.running() || sweeps.running() || chunks.running() ||
               batches.running();
    }

    QThreadPool pool; ///< for jobs, which block: planners bring their own threads
    Document document;
    TrainingCard card{document};
    ViewStates viewStates;
    Replay replay{&document};
    ModelLoader loader{document, pool};
    SolveRunner solver{document};
    BoundRunner bound{document, pool};
    ChunkOutlook chunks{document, pool};
    BatchOutlook batches{document, pool};
    QuickPlanner quick{document, bound, pool};
    PlanRunner runner{document, pool};
    SweepRunner sweeps{document, pool};
    SamplePreviews previews{pool};
};

} // namespace remat::studio
