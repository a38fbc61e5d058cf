// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/history/view_trail.h"

#include "app/studio/work/document/time_window.h"
#include "app/studio/work/session/session.h"

namespace remat::studio {

namespace {

constexpr int kOnePlaceMs = 1000; ///< what is left sooner is on the way, not a place

} // namespace

bool ViewTrail::Place::operator==(const Place &other) const
{
    const bool sameSeen = seen.has_value() == other.seen.has_value() &&
                          (!seen || (seen->from == other.seen->from && seen->to == other.seen->to));
    return sameSeen && axis == other.axis && selection == other.selection && views == other.views;
}

std::unique_ptr<ViewTrail::Trail> ViewTrail::park()
{
    m_going = true;
    return std::exchange(m_trail, std::make_unique<Trail>());
}

void ViewTrail::resume(std::unique_ptr<Trail> trail)
{
    m_going = false;
    if (trail)
        m_trail = std::move(trail);
    else
        clear();
    m_sinceLast.invalidate();
    Q_EMIT changed();
}

ViewTrail::ViewTrail(Session &session, QObject *parent)
    : QObject(parent), m_session(session), m_trail(std::make_unique<Trail>())
{
    connect(&session.viewStates, &ViewStates::touched, this, &ViewTrail::note);
    connect(&session.document.time(), &TimeWindow::viewChanged, this, &ViewTrail::note);
    connect(&session.document, &Document::selectionChanged, this, &ViewTrail::note);
    connect(&session.document, &Document::modelChanged, this, [this] {
        if (m_going) return;
        const auto model = m_session.document.model();
        if ((model ? model->open : nullptr) != m_trail->model) clear();
    });
    clear();
}

ViewTrail::Place ViewTrail::here() const
{
    Place place;
    place.views = m_session.viewStates.save(ViewStates::Use::Trail);
    const TimeWindow &time = m_session.document.time();
    place.axis = time.kind();
    if (!time.view().all()) place.seen = Span{time.view().from, time.view().to};
    place.selection = m_session.document.selection();
    return place;
}

void ViewTrail::clear()
{
    const auto model = m_session.document.model();
    m_trail->model = model ? model->open : nullptr;
    m_trail->places = {here()};
    m_trail->at = 0;
    m_sinceLast.invalidate();
    Q_EMIT changed();
}

void ViewTrail::note()
{
    const auto model = m_session.document.model();
    if (m_going || !model || model->open != m_trail->model) return;
    Place place = here();
    if (place == m_trail->places[m_trail->at]) return;
    const bool passing = m_trail->at > 0 && m_sinceLast.isValid() && m_sinceLast.elapsed() < kOnePlaceMs;
    m_trail->places.resize(m_trail->at + 1);
    if (passing)
        m_trail->places.back() = std::move(place);
    else
        m_trail->places.push_back(std::move(place));
    if (m_trail->places.size() > kMost) m_trail->places.erase(m_trail->places.begin());
    m_trail->at = m_trail->places.size() - 1;
    m_sinceLast.start();
    Q_EMIT changed();
}

bool ViewTrail::canGo(int by) const
{
    return by < 0 ? m_trail->at > 0 : m_trail->at + 1 < m_trail->places.size();
}

void ViewTrail::go(int by)
{
    if (!canGo(by)) return;
    m_going = true;
    m_trail->at += by < 0 ? std::size_t(-1) : std::size_t(1);
    const Place place = m_trail->places[m_trail->at];
    m_session.viewStates.restore(place.views);
    TimeWindow &time = m_session.document.time();
    time.setKind(place.axis);
    place.seen ? time.show(place.seen->from, place.seen->to) : time.fit();
    const Selection &selected = place.selection;
    // An op selects its first output with it; a storage that is another one was selected itself.
    const bool firstOutput =
        selected.op &&
        (!selected.storage || m_trail->model->model->graph.op(selected.op).outputs.front() == selected.storage);
    if (firstOutput)
        m_session.document.selectOp(selected.op);
    else if (selected.storage)
        m_session.document.selectStorage(selected.storage);
    else
        m_session.document.clearSelection();
    m_going = false;
    m_sinceLast.invalidate();
    Q_EMIT changed();
}

} // namespace remat::studio
