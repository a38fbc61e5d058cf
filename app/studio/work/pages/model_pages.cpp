// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/pages/model_pages.h"

#include "app/studio/work/document/chunks_text.h"
#include "app/studio/work/document/lasting_plans.h"
#include "app/studio/work/session/session.h"
#include "core/model/plan_entry.h"

#include <QFileInfo>

#include <algorithm>

namespace remat::studio {

namespace {

bool sameFile(const QString &a, const QString &b)
{
    return QFileInfo(a).absoluteFilePath() == QFileInfo(b).absoluteFilePath();
}

/// The graph, whatever of it runs in chunks.
bool hasGraph(const ModelWork &work, const std::string &fingerprint)
{
    return work.model && work.model->open->unchunked().model->graph.fingerprint == fingerprint;
}

bool isWorking(const ModelPage &page)
{
    return isRunning(*page.solves) || page.sweep->report.running;
}

} // namespace

ModelPages::ModelPages(Session &session, PagesWindow window, QObject *parent)
    : QObject(parent), m_session(session), m_window(std::move(window)), m_waking(session.pool)
{
    connect(&session.loader, &ModelLoader::opening, this, &ModelPages::makeRoom);
    connect(&session.loader, &ModelLoader::opened, this, [this](const QString &path) {
        if (ModelPage *page = find(m_shownId)) page->fileTime = QFileInfo(path).lastModified();
        if (std::exchange(m_madeRoom, false)) {
            m_history->resume(nullptr);
            m_trail->resume(nullptr);
        }
        Q_EMIT changed();
        Q_EMIT shown();
    });
    connect(&session.runner, &PlanRunner::validatedBeside, this, &ModelPages::takeVerdict);
    connect(&session.solver, &SolveRunner::foundInChunks, this, &ModelPages::takeFound);
    connect(&session.solver, &SolveRunner::jobsChanged, this, &ModelPages::changed);
    connect(&session.document, &Document::plansChanged, this, &ModelPages::changed);
    connect(&session.solver, &SolveRunner::reportChanged, this, &ModelPages::noteWorking);
    connect(&session.sweeps, &SweepRunner::reportChanged, this, &ModelPages::noteWorking);
    connect(&session.document, &Document::changedElsewhere, this, &ModelPages::noteChange);
    connect(&session.solver, &SolveRunner::changedElsewhere, this, [this](const SolveQueue *queue) {
        noteChange(queue->work.get(), false);
        noteWorking();
    });
    connect(&session.sweeps, &SweepRunner::changedElsewhere, this, &ModelPages::noteWorking);
}

ModelPages::Page ModelPages::makePage()
{
    return std::make_unique<ModelPage>(m_nextId++, m_session.pool);
}

void ModelPages::noteChange(const ModelWork *work, bool isNews)
{
    for (const Page &page : m_pages) {
        if (page->work.get() != work || page->asleep) continue;
        page->state = nullptr;
        page->hasNews = page->hasNews || isNews;
        Q_EMIT changed();
        Q_EMIT kept();
        return;
    }
}

void ModelPages::noteWorking()
{
    std::vector<bool> now;
    now.reserve(m_pages.size());
    for (const Page &page : m_pages)
        now.push_back(isWorking(*page));
    if (now == m_working) return;
    m_working = std::move(now);
    Q_EMIT changed();
}

ModelOrigin ModelPages::originOf(const ModelPage &page) const
{
    if (!isShown(page)) return page.origin;
    return {m_session.loader.modelPath(), m_session.loader.modelTitle(), m_session.loader.costChoice()};
}

ModelPage *ModelPages::find(int id) const
{
    const std::size_t at = indexOf(id);
    return at < m_pages.size() ? m_pages[at].get() : nullptr;
}

std::size_t ModelPages::indexOf(int id) const
{
    const auto place = std::find_if(m_pages.begin(), m_pages.end(), [id](const Page &page) { return page->id == id; });
    return static_cast<std::size_t>(place - m_pages.begin());
}

int ModelPages::shownId() const
{
    return m_shownId;
}

int ModelPages::find(const QString &path) const
{
    for (const Page &page : m_pages) {
        if (!page->asleep && sameFile(originOf(*page).path, path) && page->fileTime == QFileInfo(path).lastModified())
            return page->id;
    }
    return 0;
}

int ModelPages::withGraph(const std::string &fingerprint, const Chunking &chunking) const
{
    const auto holdsIt = [&](const ModelWork &work) {
        return hasGraph(work, fingerprint) && work.model->open->from.chunking == chunking;
    };
    if (m_shownId != 0 && holdsIt(*m_session.document.work())) return m_shownId;
    for (const Page &page : m_pages)
        if (holdsIt(*page->work)) return page->id;
    return 0;
}

QString ModelPages::fileWithGraph(const std::string &fingerprint) const
{
    if (m_shownId != 0 && hasGraph(*m_session.document.work(), fingerprint)) return m_session.loader.modelPath();
    for (const Page &page : m_pages)
        if (hasGraph(*page->work, fingerprint)) return page->origin.path;
    return {};
}

std::vector<ModelTab> ModelPages::tabs() const
{
    std::vector<ModelTab> tabs;
    for (const Page &page : m_pages) {
        ModelTab tab;
        tab.id = page->id;
        tab.hasNews = page->hasNews;
        tab.problem = page->problem;
        tab.working = isWorking(*page);
        if (page->asleep) {
            const SessionModel &file = page->state->file;
            tab.title = page->title();
            tab.path = QString::fromStdString(file.modelPath);
            tab.plans = countLasting(file.plans);
        } else {
            const ModelOrigin origin = originOf(*page);
            tab.title = origin.title;
            tab.path = origin.path;
            tab.plans = countLasting(page->work->plans);
        }
        tabs.push_back(std::move(tab));
    }
    return tabs;
}

void ModelPages::makeRoom(const QString &path, const std::shared_ptr<const CostedModel> &model)
{
    // The same graph from a file that was written anew: its plans still fit, so it stays one page.
    for (const Page &page : m_pages) {
        const auto &known = page->work->model;
        if (!known || !sameFile(originOf(*page).path, path) || known->graph().fingerprint != model->graph().fingerprint)
            continue;
        if (!isShown(*page)) show(page->id);
        return;
    }
    if (m_shownId != 0)
        park();
    else {
        m_history->park();
        m_trail->park();
    }
    m_madeRoom = true;
    m_pages.push_back(makePage());
    m_shownId = m_pages.back()->id;
    showWork(*m_pages.back());
}

void ModelPages::park()
{
    ModelPage &page = *find(m_shownId);
    if (m_session.loader.recosting())
        m_window.say(Notice::news(tr("%1 keeps the times it had: another model was shown before the new ones were "
                                     "there. Show it and choose them again.")
                                      .arg(m_session.loader.modelTitle())));
    page.wantsQuick = m_session.quick.running();
    m_session.quick.cancel();
    page.views = m_session.viewStates.save();
    page.origin = originOf(page);
    page.past = m_history->park();
    page.trail = m_trail->park();
    m_shownId = 0;
    page.state = nullptr;
    page.hasNews = false;
}

void ModelPages::resume(ModelPage &page)
{
    m_shownId = page.id;
    page.hasNews = false;
    page.state = nullptr;
    m_session.loader.adopt(page.origin.path, page.origin.title, page.origin.costs);
    showWork(page);
    m_session.viewStates.restore(page.views);
    m_session.quick.cancel(); // pins and budget that come back ask for no new plan
    m_history->resume(std::move(page.past));
    m_trail->resume(std::move(page.trail));
    if (page.wantsQuick) m_session.quick.refresh();
}

void ModelPages::showWork(const ModelPage &page)
{
    m_session.document.show(page.work);
    m_session.solver.show(page.solves);
    m_session.sweeps.show(page.sweep);
}

void ModelPages::show(int id)
{
    ModelPage *page = find(id);
    if (!page) return;
    if (page->asleep) {
        wake(id, {}, true);
        return;
    }
    m_wanted = 0;
    m_showFirst = false;
    m_window.showModel(); // views lay out what comes next for the room they have
    if (id == m_shownId) return;
    if (m_shownId != 0)
        park();
    else {
        m_history->park();
        m_trail->park();
    }
    resume(*page);
    Q_EMIT changed();
    Q_EMIT shown();
}

void ModelPages::showNext(int by)
{
    if (m_pages.empty()) return;
    const auto count = static_cast<int>(m_pages.size());
    const int now = m_shownId != 0 ? static_cast<int>(indexOf(m_shownId)) : (by > 0 ? -1 : 0);
    for (int step = 1; step <= count; ++step) {
        const int next = ((now + by * step) % count + count) % count;
        const ModelPage &page = *m_pages[static_cast<std::size_t>(next)];
        if (page.problem.isEmpty()) return show(page.id); // what cannot be opened is passed over
    }
}

void ModelPages::showNothing()
{
    m_session.loader.adopt({}, {}, m_session.loader.costChoice());
    showWork(ModelPage(0, m_session.pool));
    m_history->resume(nullptr);
    m_trail->resume(nullptr);
}

void ModelPages::close(int id)
{
    const std::size_t at = indexOf(id);
    if (at >= m_pages.size()) return;
    const bool wasShown = id == m_shownId;
    if (wasShown) park();
    Page closed = std::move(m_pages[at]);
    m_pages.erase(m_pages.begin() + static_cast<std::ptrdiff_t>(at));
    m_session.solver.setHeld(closed->solves, true);
    m_session.sweeps.end(*closed->sweep);
    if (!closed->problem.isEmpty()) m_window.unsay(closed->problem);
    m_closed.push_back(std::move(closed));
    if (m_closed.size() > kMostClosed) m_closed.erase(m_closed.begin());
    if (wasShown) {
        // The next one, or the one before: of those that are awake.
        ModelPage *next = nullptr;
        for (std::size_t i = at; i < m_pages.size() && !next; ++i)
            if (!m_pages[i]->asleep) next = m_pages[i].get();
        for (std::size_t i = std::min(at, m_pages.size()); i > 0 && !next; --i)
            if (!m_pages[i - 1]->asleep) next = m_pages[i - 1].get();
        next ? resume(*next) : showNothing();
    }
    Q_EMIT changed();
    Q_EMIT kept();
    if (wasShown) Q_EMIT shown();
}

void ModelPages::reopenClosed()
{
    if (m_closed.empty()) return;
    Page page = std::move(m_closed.back());
    m_closed.pop_back();
    m_session.solver.setHeld(page->solves, false);
    const int id = page->id;
    m_pages.push_back(std::move(page));
    Q_EMIT changed();
    Q_EMIT kept();
    show(id);
}

void ModelPages::move(int from, int to)
{
    const auto count = static_cast<int>(m_pages.size());
    if (from < 0 || to < 0 || from >= count || to >= count || from == to) return;
    Page page = std::move(m_pages[static_cast<std::size_t>(from)]);
    m_pages.erase(m_pages.begin() + from);
    m_pages.insert(m_pages.begin() + to, std::move(page));
    Q_EMIT changed();
    Q_EMIT kept();
}

std::set<int> &ModelPages::saved()
{
    ModelPage *page = find(m_shownId);
    return page ? page->saved : m_noneSaved;
}

bool ModelPages::hasWork() const
{
    const auto any = [](const std::vector<Page> &pages) {
        return std::any_of(pages.begin(), pages.end(),
                           [](const Page &page) { return page->asleep || studio::hasWork(*page); });
    };
    return any(m_pages) || any(m_closed);
}

bool ModelPages::busy() const
{
    return waking() || std::any_of(m_pages.begin(), m_pages.end(), [](const Page &page) { return isWorking(*page); });
}

void ModelPages::takeVerdict(const std::shared_ptr<const CostedModel> &model,
                             const std::shared_ptr<const PlanEntry> &entry)
{
    for (const auto *list : {&m_pages, &m_closed})
        for (const Page &page : *list)
            if (page->work->model == model) m_session.document.replacePlan(*page->work, entry);
}

void ModelPages::takeFound(const ModelWork *work, const std::shared_ptr<const CostedModel> &model,
                           const std::shared_ptr<const PlanEntry> &entry)
{
    const auto from =
        std::find_if(m_pages.begin(), m_pages.end(), [work](const Page &page) { return page->work.get() == work; });
    if (from == m_pages.end()) return;
    const bool wasShown = isShown(**from);
    const OpenModel &open = *model->open;
    if (const int known = withGraph(open.unchunked().model->graph.fingerprint, open.from.chunking)) {
        ModelWork &other = *find(known)->work;
        auto own = std::make_shared<PlanEntry>(*entry);
        own->id = other.nextPlanId++;
        // The page may have got other costs in between.
        const auto fitting = recostPlanEntry(*other.model, *own);
        if (!fitting) return;
        m_session.document.addPlan(other, *fitting);
        if (wasShown) show(known);
        if (wasShown) m_session.document.loadPlan(own->id);
        return;
    }
    const ModelOrigin origin = originOf(**from);
    OpenedModel opened;
    opened.file.modelTitle =
        titleInChunks(titleWithoutChunks(origin.title, work->model->open->from.chunking), open.from.chunking)
            .toStdString();
    opened.file.budgetBytes = entry->plan->budgetBytes;
    opened.file.currentPlan = entry->id;
    opened.modelPath = origin.path;
    opened.model = model;
    opened.costs = model->choice;
    opened.plans = {entry};
    Page page = makePage();
    wakePage(*page, std::move(opened), m_session.solver);
    page->hasNews = !wasShown;
    const int id = page->id;
    m_pages.insert(from + 1, std::move(page));
    if (wasShown) show(id);
    Q_EMIT changed();
    Q_EMIT kept();
}

bool ModelPages::holds(const std::shared_ptr<const CostedModel> &model) const
{
    return m_session.document.model() == model ||
           std::any_of(m_pages.begin(), m_pages.end(), [&](const Page &page) { return page->work->model == model; });
}

} // namespace remat::studio
