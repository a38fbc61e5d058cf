// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/own_checkpoints_notice.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/work/session/session.h"
#include "core/model/open_model.h"
#include "core/model/plan_entry.h"
#include "solvers/uses/eager_plan.h"

#include <algorithm>
#include <utility>

namespace remat::studio {

OwnCheckpointsNotice::OwnCheckpointsNotice(const FeatureHost &host)
    : QObject(host.owner), m_host(host), m_tracker(host.session.pool)
{
    connect(&host.session.document, &Document::modelChanged, this, &OwnCheckpointsNotice::look);
}

void OwnCheckpointsNotice::look()
{
    const auto model = m_host.session.document.model();
    if (!model) return m_tracker.cancel();
    std::erase_if(m_seen, [](const auto &seen) { return seen.expired(); });
    if (std::any_of(m_seen.begin(), m_seen.end(), [&](const auto &seen) { return seen.lock() == model->open; })) return;
    m_seen.emplace_back(model->open);
    m_tracker.start(
        [model](const Job &) -> std::shared_ptr<const PlanEntry> {
            const auto today = planOfEager(*model->open->model, *model->costs);
            if (!today || !*today || !(*today)->checkpoints) return nullptr;
            auto entry = makePlanEntry(*model, (*today)->plan, 0, kEagerTitle, false);
            return entry ? *std::move(entry) : nullptr;
        },
        [this, model](const std::shared_ptr<const PlanEntry> &today) {
            const auto shown = m_host.session.document.model();
            if (today && shown && shown->open == model->open) say(*model, today);
        });
}

void OwnCheckpointsNotice::say(const CostedModel &model, const std::shared_ptr<const PlanEntry> &today)
{
    Document &document = m_host.session.document;
    const double more = model.keepAllTimeUs > 0 ? std::max(today->timeline->timeUs / model.keepAllTimeUs - 1, 0.0) : 0;
    Notice notice = Notice::news(tr("The model checkpoints its activations itself: today a step holds %1 and takes %2 "
                                    "longer than with everything kept.")
                                     .arg(memoryText(today->timeline->peakBytes), shareText(more)));
    notice.actionText = tr("Show as a plan");
    notice.action = [&document, today] {
        auto numbered = std::make_shared<PlanEntry>(*today);
        numbered->id = document.nextPlanId();
        const int id = numbered->id;
        document.addPlanBeside(std::move(numbered));
        document.loadPlan(id);
    };
    m_host.say(notice);
}

} // namespace remat::studio
