// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/addresses/address_view.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/work/document/time_window.h"

#include <algorithm>

namespace remat::studio {

namespace {
constexpr std::size_t kKept = 8;
constexpr int kRestMs = 150, kLongMs = 2000;
} // namespace

AddressView::AddressView(Document *document, Replay *replay, QThreadPool &pool)
    : AddressView(document, replay, pool, new AddressCanvas(document))
{
}

AddressView::AddressView(Document *document, Replay *replay, QThreadPool &pool, AddressCanvas *canvas)
    : TimeView(document, canvas, QStringLiteral("map"), tr("Open a model to see where its storages lie in memory.")),
      m_canvas(canvas),
      m_table(new AddressTable(canvas, this)),
      m_replay(replay),
      m_play(nullptr),
      m_job(pool, this)
{
    QToolButton *back = addButton(QStringLiteral("chevron-left"), tr("Step back"), tr("One computation back (,)"));
    m_play = addButton(QStringLiteral("play"), tr("Play"), tr("Replays the plan from the cursor on (Space)"));
    m_play->setObjectName(QStringLiteral("replayPlay"));
    QToolButton *on = addButton(QStringLiteral("step-forward"), tr("Step on"), tr("One computation on (.)"));
    connect(back, &QToolButton::clicked, m_replay, [this] { m_replay->step(-1); });
    connect(on, &QToolButton::clicked, m_replay, [this] { m_replay->step(1); });
    connect(m_play, &QToolButton::clicked, m_replay, &Replay::toggle);
    connect(m_canvas, &AddressCanvas::replayToggled, m_replay, &Replay::toggle);
    connect(m_replay, &Replay::playingChanged, this, [this] {
        const bool playing = m_replay->playing();
        m_canvas->setReplaying(playing);
        m_play->setIcon(Theme::instance().icon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
        m_play->setAccessibleName(playing ? tr("Pause") : tr("Play"));
    });

    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &AddressView::startJob);
    m_long.setSingleShot(true);
    m_long.setInterval(kLongMs);
    connect(&m_long, &QTimer::timeout, this, &AddressView::showSummary);
    connect(document, &Document::budgetChanged, m_canvas, [this] {
        if (isVisible()) m_canvas->setScene(m_canvas->scene());
    });
}

QToolButton *AddressView::addButton(const QString &icon, const QString &name, const QString &tooltip)
{
    auto *button = new QToolButton(this);
    button->setIcon(Theme::instance().icon(icon));
    button->setIconSize({16, 16});
    button->setFixedSize(28, 26);
    button->setToolTip(tooltip);
    button->setAccessibleName(name);
    header()->addControl(button);
    return button;
}

const AddressView::Made *AddressView::made(const PlanEntry &plan) const
{
    const auto found = std::find_if(m_cache.begin(), m_cache.end(), [&](const Made &each) {
        return each.plan == plan.plan && each.costs == document()->model()->costs;
    });
    return found == m_cache.end() ? nullptr : &*found;
}

void AddressView::takeScene()
{
    TimeView::takeScene();
    const auto plan = document()->currentPlan();
    m_wanted = nullptr;
    m_rest.stop();
    if (!plan || !document()->model()) {
        showMap(nullptr);
    } else if (const Made *found = made(*plan)) {
        showMap(found->map);
    } else {
        m_wanted = plan;
        if (m_canvas->scene().model != document()->model()) {
            showMap(nullptr);
        } else {
            AddressScene before = m_canvas->scene();
            before.current = false;
            m_canvas->setScene(before);
        }
        m_long.start();
        // The first plan is laid out at once; those that follow when the hand rests.
        m_canvas->scene().map ? m_rest.start() : startJob();
    }
    header()->setBusy(pending());
    showSummary();
}

void AddressView::startJob()
{
    // One at a time: a layout cannot be stopped, so what came in between waits for it.
    if (!m_wanted || m_job.running()) return;
    m_job.start(
        [model = document()->model(), entry = m_wanted](const Job &) {
            return Made{entry->plan, model->costs, makeAddressMap(*model, *entry->plan, *entry->timeline)};
        },
        [this](const Made &found) {
            m_cache.push_back(found);
            if (m_cache.size() > kKept) m_cache.erase(m_cache.begin());
            const bool shown = m_wanted && m_wanted->plan == found.plan && document()->model() &&
                               document()->model()->costs == found.costs;
            if (shown) {
                m_wanted = nullptr;
                showMap(found.map);
                header()->setBusy(false);
                showSummary();
            } else if (m_wanted) {
                m_rest.start();
            }
        });
}

void AddressView::showMap(const std::shared_ptr<const AddressMap> &map)
{
    m_long.stop();
    const auto plan = document()->currentPlan();
    m_canvas->setScene({document()->model(), plan ? plan->timeline : nullptr, map, true});
    m_table->take();
}

void AddressView::showSummary()
{
    const AddressScene &scene = m_canvas->scene();
    if (pending() && !m_long.isActive() && m_job.running()) {
        header()->setSummary(tr("Looking for addresses for %1 steps")
                                 .arg(countText(static_cast<std::int64_t>(m_wanted->plan->steps.size()))));
        return;
    }
    if (!scene.map) {
        header()->setSummary({});
        return;
    }
    const AddressMap &map = *scene.map;
    const QString gaps = map.heightBytes > map.loadBytes
                             ? tr("%1 lost to gaps").arg(shareText(map.fragmentation, Rounding::Up))
                             : tr("no gaps at the peak");
    header()->setSummary(tr("Takes %1 in one piece · %2 in use at the peak · %3")
                             .arg(memoryText(map.heightBytes), memoryText(map.loadBytes), gaps));
}

} // namespace remat::studio
