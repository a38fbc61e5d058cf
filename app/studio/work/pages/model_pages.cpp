// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/pages/model_pages.h"

#include "app/studio/work/document/chunks_text.h"
#include "app/studio/work/session/session.h"
#include "core/model/plan_entry.h"

#include <QFileInfo>

#include <algorithm>

namespace remat::studio {

namespace {

int planCount(const Document &document)
{
    const auto &plans = document.plans();
    return static_cast<int>(std::count_if(plans.begin(), plans.end(), [](const auto &plan) { return !plan->quick; }));
}

bool sameFile(const QString &a, const QString &b)
{
    return QFileInfo(a).absoluteFilePath() == QFileInfo(b).absoluteFilePath();
}

/// The graph, whatever of it runs in chunks.
bool hasGraph(const Document &document, const std::string &fingerprint)
{
    return document.model() && document.model()->open->unchunked().model->graph.fingerprint == fingerprint;
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
    connect(&session.solver, &SolveRunner::foundInChunks, this,
            [this](const auto &model, const auto &entry) { takeFound(m_shownId, model, entry); });
    connect(&session.solver, &SolveRunner::jobsChanged, this, &ModelPages::changed);
    connect(&session.document, &Document::plansChanged, this, &ModelPages::changed);
    connect(&session.solver, &SolveRunner::reportChanged, this, &ModelPages::noteWorking);
    connect(&session.sweeps, &SweepRunner::reportChanged, this, &ModelPages::noteWorking);
}

ModelPages::Page ModelPages::makePage()
{
    auto page = std::make_unique<ModelPage>(m_nextId++, m_session.pool);
    ModelPage *made = page.get();
    const auto watch = [this, made](auto *sender, auto signal, bool isNews) {
        connect(sender, signal, this, [this, made, isNews] { noteChange(*made, isNews); });
    };
    watch(&made->document, &Document::plansChanged, true);
    watch(&made->document, &Document::currentPlanChanged, false);
    watch(&made->solver, &SolveRunner::jobsChanged, false);
    connect(&made->solver, &SolveRunner::reportChanged, this, &ModelPages::noteWorking);
    connect(&made->sweeps, &SweepRunner::reportChanged, this, &ModelPages::noteWorking);
    connect(&made->solver, &SolveRunner::foundInChunks, this,
            [this, made](const auto &model, const auto &entry) { takeFound(made->id, model, entry); });
    connect(&made->solver, &SolveRunner::jobChanged, this, [this, made](int job) {
        const SolveJob *changed = made->solver.job(job);
        if (changed && changed->report().ended()) noteChange(*made, false);
    });
    return page;
}

void ModelPages::noteChange(ModelPage &page, bool isNews)
{
    if (isShown(page) || page.asleep) return;
    page.state = nullptr;
    page.hasNews = page.hasNews || isNews;
    Q_EMIT changed();
    Q_EMIT kept();
}

bool ModelPages::working(const ModelPage &page) const
{
    if (isShown(page)) return m_session.solver.running() || m_session.sweeps.running();
    return page.solver.running() || page.sweeps.running();
}

void ModelPages::noteWorking()
{
    std::vector<bool> now;
    now.reserve(m_pages.size());
    for (const Page &page : m_pages)
        now.push_back(working(*page));
    if (now == m_working) return;
    m_working = std::move(now);
    Q_EMIT changed();
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
        const QString &own = isShown(*page) ? m_session.loader.modelPath() : page->origin.path;
        if (!page->asleep && sameFile(own, path) && page->fileTime == QFileInfo(path).lastModified()) return page->id;
    }
    return 0;
}

int ModelPages::withGraph(const std::string &fingerprint, const Chunking &chunking) const
{
    const auto holdsIt = [&](const Document &document) {
        return hasGraph(document, fingerprint) && document.model()->open->from.chunking == chunking;
    };
    if (m_shownId != 0 && holdsIt(m_session.document)) return m_shownId;
    for (const Page &page : m_pages)
        if (!isShown(*page) && holdsIt(page->document)) return page->id;
    return 0;
}

QString ModelPages::fileWithGraph(const std::string &fingerprint) const
{
    if (m_shownId != 0 && hasGraph(m_session.document, fingerprint)) return m_session.loader.modelPath();
    for (const Page &page : m_pages)
        if (!isShown(*page) && hasGraph(page->document, fingerprint)) return page->origin.path;
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
        tab.working = working(*page);
        if (isShown(*page)) {
            tab.title = m_session.loader.modelTitle();
            tab.path = m_session.loader.modelPath();
            tab.plans = planCount(m_session.document);
        } else if (page->asleep) {
            const SessionModel &file = page->state->file;
            tab.title = page->title();
            tab.path = QString::fromStdString(file.modelPath);
            tab.plans = static_cast<int>(
                std::count_if(file.plans.begin(), file.plans.end(), [](const auto &plan) { return !plan.quick; }));
        } else {
            tab.title = page->title();
            tab.path = page->origin.path;
            tab.plans = planCount(page->document);
        }
        tabs.push_back(std::move(tab));
    }
    return tabs;
}

void ModelPages::makeRoom(const QString &path, const std::shared_ptr<const CostedModel> &model)
{
    // The same graph from a file that was written anew: its plans still fit, so it stays one page.
    for (const Page &page : m_pages) {
        const bool isIt = isShown(*page);
        const auto known = isIt ? m_session.document.model() : page->document.model();
        const QString &own = isIt ? m_session.loader.modelPath() : page->origin.path;
        if (!known || !sameFile(own, path) || known->graph().fingerprint != model->graph().fingerprint) continue;
        if (!isIt) show(page->id);
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
    page.origin = {m_session.loader.modelPath(), m_session.loader.modelTitle(), m_session.loader.costChoice()};
    page.past = m_history->park();
    page.trail = m_trail->park();
    page.solver.setAtOnce(m_session.solver.atOnce());
    // Documents go first: a sweep ends with its model.
    page.document.trade(m_session.document);
    page.solver.trade(m_session.solver);
    page.sweeps.trade(m_session.sweeps);
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
    m_session.document.trade(page.document);
    m_session.solver.trade(page.solver);
    m_session.sweeps.trade(page.sweeps);
    m_session.viewStates.restore(page.views);
    m_session.quick.cancel(); // pins and budget that come back ask for no new plan
    m_history->resume(std::move(page.past));
    m_trail->resume(std::move(page.trail));
    if (page.wantsQuick) m_session.quick.refresh();
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
    m_session.document.setModel(nullptr);
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
    closed->solver.setHeld(true);
    closed->sweeps.stop();
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
    page->solver.setHeld(false);
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
    const auto any = [this](const std::vector<Page> &pages) {
        return std::any_of(pages.begin(), pages.end(), [this](const Page &page) {
            if (page->asleep) return true;
            return isShown(*page) ? studio::hasWork(m_session.document, m_session.solver)
                                  : studio::hasWork(page->document, page->solver);
        });
    };
    return any(m_pages) || any(m_closed);
}

bool ModelPages::busy() const
{
    return waking() || std::any_of(m_pages.begin(), m_pages.end(), [this](const Page &page) { return working(*page); });
}

void ModelPages::takeVerdict(const std::shared_ptr<const CostedModel> &model,
                             const std::shared_ptr<const PlanEntry> &entry)
{
    for (const auto *list : {&m_pages, &m_closed})
        for (const Page &page : *list)
            if (page->document.model() == model) page->document.replacePlan(entry);
}

void ModelPages::takeFound(int pageId, const std::shared_ptr<const CostedModel> &model,
                           const std::shared_ptr<const PlanEntry> &entry)
{
    const ModelPage *from = find(pageId);
    if (!from) return;
    const bool wasShown = pageId == m_shownId;
    const OpenModel &open = *model->open;
    if (const int known = withGraph(open.unchunked().model->graph.fingerprint, open.from.chunking)) {
        Document &document = known == m_shownId ? m_session.document : find(known)->document;
        auto own = std::make_shared<PlanEntry>(*entry);
        own->id = document.nextPlanId();
        // The page may have got other costs in between.
        const auto fitting = recostPlanEntry(*document.model(), *own);
        if (!fitting) return;
        document.addPlan(*fitting);
        if (wasShown) show(known);
        if (wasShown) m_session.document.loadPlan(own->id);
        return;
    }
    const auto &source = wasShown ? *m_session.document.model() : *from->document.model();
    OpenedModel opened;
    opened.file.modelTitle = titleInChunks(titleWithoutChunks(wasShown ? m_session.loader.modelTitle() : from->title(),
                                                              source.open->from.chunking),
                                           open.from.chunking)
                                 .toStdString();
    opened.file.budgetBytes = entry->plan->budgetBytes;
    opened.file.currentPlan = entry->id;
    opened.modelPath = wasShown ? m_session.loader.modelPath() : from->origin.path;
    opened.model = model;
    opened.costs = model->choice;
    opened.plans = {entry};
    Page page = makePage();
    wakePage(*page, std::move(opened));
    page->hasNews = !wasShown;
    const int id = page->id;
    m_pages.insert(m_pages.begin() + static_cast<std::ptrdiff_t>(indexOf(pageId) + 1), std::move(page));
    if (wasShown) show(id);
    Q_EMIT changed();
    Q_EMIT kept();
}

bool ModelPages::holds(const std::shared_ptr<const CostedModel> &model) const
{
    return m_session.document.model() == model || std::any_of(m_pages.begin(), m_pages.end(), [&](const Page &page) {
               return page->document.model() == model;
           });
}

} // namespace remat::studio
