// SPDX-License-Identifier: Apache-2.0
// Models from session files, and what session files say of models.
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/session/session.h"

#include <QFileInfo>

#include <algorithm>

namespace remat::studio {

ModelPages::Page ModelPages::makeSleeping(const SessionModel &file, const QString &sessionPath, bool inFile)
{
    Page page = makePage();
    auto state = std::make_shared<ModelState>();
    state->file = file;
    page->state = std::move(state);
    page->asleep = true;
    page->sessionPath = sessionPath;
    if (inFile)
        for (const SessionPlan &plan : file.plans)
            page->saved.insert(plan.id);
    return page;
}

void ModelPages::dropIdle(const SessionModel &file)
{
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        const bool isIt = isShown(*m_pages[i]);
        const auto &model = m_pages[i]->work->model;
        if (!model || model->open->unchunked().model->graph.fingerprint != file.fingerprint ||
            model->open->from.chunking != file.chunking ||
            QFileInfo(originOf(*m_pages[i]).path).absoluteFilePath() != QString::fromStdString(file.modelPath) ||
            studio::hasWork(*m_pages[i]))
            continue;
        if (isIt) park();
        m_pages.erase(m_pages.begin() + static_cast<std::ptrdiff_t>(i));
        if (isIt) showNothing();
        return;
    }
}

void ModelPages::add(SessionFile session, const QString &sessionPath, tl::expected<OpenedModel, SessionProblem> shown,
                     bool inFile)
{
    for (const SessionModel &file : session.models)
        dropIdle(file);
    int front = 0;
    for (std::size_t i = 0; i < session.models.size(); ++i) {
        m_pages.push_back(makeSleeping(session.models[i], sessionPath, inFile));
        if (i == session.shown) front = m_pages.back()->id;
    }
    std::vector<Page> closed;
    closed.reserve(session.closed.size());
    for (const SessionModel &file : session.closed)
        closed.push_back(makeSleeping(file, sessionPath, inFile));
    m_closed.insert(m_closed.begin(), std::make_move_iterator(closed.begin()), std::make_move_iterator(closed.end()));
    if (ModelPage *page = find(front); page && shown) {
        wakePage(*page, std::move(*shown), m_session.solver);
        show(front);
    } else if (page) {
        page->problem = shown.error().sentence;
        page->wantsModel = shown.error().wantsModel;
        sayProblem(*page);
        m_showFirst = !m_session.document.model();
    } else {
        reopenClosed(); // nothing was open any more
    }
    Q_EMIT changed();
    Q_EMIT kept();
    wakeNext();
}

void ModelPages::addAndOpen(const SessionModel &file, const QString &sessionPath)
{
    dropIdle(file);
    m_pages.push_back(makeSleeping(file, sessionPath, true));
    Q_EMIT kept();
    wake(m_pages.back()->id, {}, true);
}

void ModelPages::wake(int id, const QString &modelPath, bool show)
{
    ModelPage *page = find(id);
    if (!page || !page->asleep) return;
    if (show) m_wanted = id;
    m_wakingId = id;
    using Result = tl::expected<OpenedModel, SessionProblem>;
    m_waking.start([state = page->state, path = page->sessionPath, modelPath, devices = m_session.loader.devices()](
                       const Job &job) { return readSessionModel(state->file, path, modelPath, devices, job.stop()); },
                   [this, id](Result result) {
                       m_wakingId = 0;
                       if (ModelPage *opened = find(id); opened && result) {
                           wakePage(*opened, std::move(*result), m_session.solver);
                           opened->hasNews = false;
                           if (m_wanted == id || m_showFirst) this->show(id);
                       } else if (opened) {
                           opened->problem = result.error().sentence;
                           opened->wantsModel = result.error().wantsModel;
                           if (m_wanted == id) m_wanted = 0;
                           sayProblem(*opened);
                       }
                       Q_EMIT changed();
                       wakeNext();
                   });
    Q_EMIT changed();
}

void ModelPages::wakeNext()
{
    if (m_wakingId != 0) return;
    const auto next = std::find_if(m_pages.begin(), m_pages.end(),
                                   [](const Page &page) { return page->asleep && page->problem.isEmpty(); });
    if (next != m_pages.end()) wake((*next)->id, {}, false);
}

void ModelPages::sayProblem(const ModelPage &page)
{
    Notice notice = Notice::failure(page.problem);
    if (page.wantsModel) {
        notice.actionText = tr("Choose the model…");
        notice.action = [this, id = page.id] { m_window.findModel(id); };
    }
    m_window.say(notice);
}

std::shared_ptr<const ModelState> ModelPages::stateOf(ModelPage &page)
{
    const auto capture = [&](const QJsonObject &views) {
        return captureModel(*page.work, originOf(page), recordsOf(*page.solves), views);
    };
    if (isShown(page)) return capture(m_session.viewStates.save());
    if (!page.state) page.state = capture(page.views);
    return page.state;
}

SessionState ModelPages::state()
{
    SessionState state;
    for (const Page &page : m_pages) {
        if (isShown(*page)) state.shown = state.models.size();
        state.models.push_back(stateOf(*page));
    }
    for (const Page &page : m_closed)
        state.closed.push_back(stateOf(*page));
    return state;
}

void ModelPages::noteSaved(const ModelWork *work, int planId)
{
    for (const auto *list : {&m_pages, &m_closed})
        for (const Page &page : *list)
            if (page->work.get() == work) page->saved.insert(planId);
}

} // namespace remat::studio
