// SPDX-License-Identifier: Apache-2.0
// The open models of a window: one is shown, the others keep all the work on them until they are.
#pragma once

#include "app/studio/base/widgets/notice.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "app/studio/work/pages/model_page.h"

#include <QObject>

namespace remat::studio {

class History;
struct Session;
class ViewTrail;

/// What the window does when another model comes to be shown.
struct PagesWindow {
    std::function<void()> showModel;           ///< docks and views instead of the start page
    std::function<void(int pageId)> findModel; ///< lets the person choose the file of a page that cannot be opened
    std::function<void(const Notice &)> say;
    std::function<void(const QString &sentence)> unsay; ///< takes that sentence away, where it still stands
};

/// GUI thread only. Opening a model that the loader reads adds a page and shows it; nothing that was open is lost. A
/// closed page can be brought back as it was, the last `kMostClosed` of them.
class ModelPages : public QObject
{
    Q_OBJECT
public:
    static constexpr std::size_t kMostClosed = 20;
    ModelPages(Session &session, PagesWindow window, QObject *parent = nullptr);

    /// Undo and the trail of views go with each model. Once, before anything is open.
    void setHistory(History *history, ViewTrail *trail)
    {
        m_history = history;
        m_trail = trail;
    }

    std::vector<ModelTab> tabs() const;
    bool empty() const { return m_pages.empty(); }
    /// A session would say something: models are open, or were and can be brought back.
    bool hasAny() const { return !m_pages.empty() || !m_closed.empty(); }
    /// Any of them, closed ones too, holds what opening its file again would not bring.
    bool hasWork() const;
    int shownId() const; ///< 0 when none is
    /// The page of that file, unless the file changed since it was opened; 0 when there is none.
    int find(const QString &path) const;
    /// A page with a graph of that fingerprint in these chunks, the shown one first; 0 when there is none.
    int withGraph(const std::string &fingerprint, const Chunking &chunking = {}) const;
    /// The file of a page with that graph, in whatever chunks; empty when there is none.
    QString fileWithGraph(const std::string &fingerprint) const;
    /// Shows a page; one that sleeps is opened first, and where that fails a sentence says why and what to do.
    void show(int id);
    /// The next (1) or the one before (-1), round and round.
    void showNext(int by);
    void close(int id);
    bool canReopen() const { return !m_closed.empty(); }
    /// The one that was closed last, as it was.
    void reopenClosed();
    /// Moves a page to another place in the row.
    void move(int from, int to);

    /// The models of a session as further pages, and its shown one in front: `shown` is that one opened already, or
    /// why it cannot be. Models that are open without any work on them give way to the session's. `inFile`: its plans
    /// count as saved.
    void add(SessionFile session, const QString &sessionPath, tl::expected<OpenedModel, SessionProblem> shown,
             bool inFile);
    /// One model as a further page, opened and brought to the front.
    void addAndOpen(const SessionModel &file, const QString &sessionPath);
    /// Tries the file that the person chose for a page that could not be opened.
    void open(int id, const QString &modelPath) { wake(id, modelPath, true); }
    /// All models as they stand, for a session file.
    SessionState state();
    /// Plans of the shown model that are in a file.
    std::set<int> &saved();
    /// A plan of that work is in a file now, whether the work is shown or not.
    void noteSaved(const ModelWork *work, int planId);
    /// True while models of a session are being opened.
    bool waking() const { return m_waking.running(); }
    /// Anything of any model that is not shown runs.
    bool busy() const;
    /// A plan of a model that is not shown was validated.
    void takeVerdict(const std::shared_ptr<const CostedModel> &model, const std::shared_ptr<const PlanEntry> &entry);
    /// A plan of a page's model in other chunks: it goes to the page that has these, or gets one. Where the page is
    /// shown, that one comes to be.
    void takeFound(const ModelWork *work, const std::shared_ptr<const CostedModel> &model,
                   const std::shared_ptr<const PlanEntry> &entry);
    /// A model that is not shown, or is.
    bool holds(const std::shared_ptr<const CostedModel> &model) const;

Q_SIGNALS:
    void changed(); ///< which there are, their order, or what their tabs say
    void shown();   ///< another one is, or none any more
    void kept();    ///< something that sessions keep, of a model that is not shown

private:
    using Page = std::unique_ptr<ModelPage>;
    Page makePage();
    Page makeSleeping(const SessionModel &file, const QString &sessionPath, bool inFile);
    ModelPage *find(int id) const;
    std::size_t indexOf(int id) const;
    bool isShown(const ModelPage &page) const { return page.id == m_shownId; }
    void makeRoom(const QString &path, const std::shared_ptr<const CostedModel> &model);
    /// Everything of the shown model that is not in its page yet goes there; the window still shows its work.
    void park();
    void resume(ModelPage &page);
    void showWork(const ModelPage &page);
    ModelOrigin originOf(const ModelPage &page) const;
    void showNothing();
    void dropIdle(const SessionModel &file);
    void wake(int id, const QString &modelPath, bool show);
    void wakeNext();
    void sayProblem(const ModelPage &page);
    void noteChange(const ModelWork *work, bool isNews);
    void noteWorking();
    std::shared_ptr<const ModelState> stateOf(ModelPage &page);

    Session &m_session;
    PagesWindow m_window;
    History *m_history = nullptr;
    ViewTrail *m_trail = nullptr;
    std::vector<Page> m_pages;
    std::vector<Page> m_closed;  ///< the newest last
    std::vector<bool> m_working; ///< as told, by page
    std::set<int> m_noneSaved;   ///< while none is shown
    int m_shownId = 0;
    bool m_madeRoom = false; ///< for a model that the loader is about to hand over
    int m_nextId = 1;
    bool m_showFirst = false; ///< whatever of a session can be opened, since its shown one could not
    int m_wanted = 0;         ///< the page to show once it is awake
    int m_wakingId = 0;
    JobTracker m_waking;
};

} // namespace remat::studio
