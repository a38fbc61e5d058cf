// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/pages/plan_files.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/document/chunks_text.h"
#include "app/studio/work/jobs/samples.h"
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/session/session.h"
#include "core/base/file.h"
#include "core/base/limits.h"
#include "core/io/plan_header.h"
#include "core/io/plan_text.h"
#include "solvers/interface/solver.h"

#include <QFileInfo>

#include <algorithm>
#include <optional>

namespace remat::studio {

namespace {

struct Read {
    PlanHeader header;
    std::shared_ptr<const std::string> text;
};

Expected<Read> readHeader(const std::filesystem::path &path)
{
    auto text = readFile(path, kMaxJsonBytes);
    if (!text) return tl::unexpected(text.error());
    auto header = parsePlanHeader(*text, path.filename().string());
    if (!header) return tl::unexpected(header.error());
    return Read{std::move(*header), std::make_shared<const std::string>(std::move(*text))};
}

QString titleOf(const QString &path, const PlanHeader &header)
{
    const auto planner = findPlanner(header.solver);
    return planner ? toQString((*planner)->info.title) : QFileInfo(path).completeBaseName();
}

/// The sample that a plan is for, by the name of its graph; whether it is the very graph is seen when it is opened.
std::optional<Sample> sampleOf(const PlanHeader &header)
{
    const auto samples = readSamples();
    if (!samples) return std::nullopt;
    const auto sample = std::find_if(samples->begin(), samples->end(), [&header](const Sample &each) {
        return each.name.toStdString() == header.graphName || each.title.toStdString() == header.graphName;
    });
    return sample == samples->end() ? std::nullopt : std::optional(*sample);
}

} // namespace

PlanFiles::PlanFiles(Session &session, ModelPages &pages, QObject *parent)
    : QObject(parent), m_session(session), m_pages(pages), m_reading(session.pool)
{
    connect(&m_reading, &JobTracker::runningChanged, this, &PlanFiles::progressChanged);
}

void PlanFiles::open(const QString &path)
{
    m_reading.start([path = toPath(path)](const Job &) { return readHeader(path); },
                    [this, path](Expected<Read> result) {
                        if (!result)
                            failWith(toQString(result.error().message));
                        else
                            place(path, result->header, std::move(result->text));
                    });
}

void PlanFiles::place(const QString &path, const PlanHeader &header, std::shared_ptr<const std::string> text)
{
    if (const int page = m_pages.withGraph(header.fingerprint, header.chunking)) {
        if (page != m_pages.shownId()) m_pages.show(page);
        read(path, titleOf(path, header), std::move(text));
        return;
    }
    SessionModel model;
    model.modelTitle = titleInChunks(toQString(header.graphName), header.chunking).toStdString();
    model.fingerprint = header.fingerprint;
    model.chunking = header.chunking;
    model.device = header.device;
    model.budgetBytes = header.budgetBytes;
    model.plans = {{1, titleOf(path, header).toStdString(), false, std::move(text)}};
    model.currentPlan = 1;
    const QString known = m_pages.fileWithGraph(header.fingerprint);
    if (!known.isEmpty()) {
        model.modelPath = known.toStdString();
        m_pages.addAndOpen(model, path);
        return;
    }
    if (const auto sample = sampleOf(header)) {
        model.modelPath = sample->path.toStdString();
        m_pages.addAndOpen(model, path);
        return;
    }
    const QString sentence = tr("%1 is a plan for %2, which is not open. Choose the model that it was made for.")
                                 .arg(QFileInfo(path).fileName(), toQString(header.graphName));
    SessionFile file;
    file.models = {std::move(model)};
    m_pages.add(std::move(file), path, tl::unexpected(SessionProblem{sentence, true}), true);
}

void PlanFiles::read(const QString &path, const QString &title, std::shared_ptr<const std::string> text)
{
    const auto model = m_session.document.model();
    const int id = m_session.document.nextPlanId();
    m_reading.start(
        [model, id, text = std::move(text), title = title.toStdString(),
         file = QFileInfo(path).fileName().toStdString()](const Job &) -> Expected<std::shared_ptr<const PlanEntry>> {
            auto plan = parsePlan(*text, file, model->graph(), model->open->from);
            if (!plan) return tl::unexpected(plan.error());
            return makePlanEntry(*model, std::make_shared<const Plan>(std::move(*plan)), id, title, false);
        },
        [this, model, path, id](Expected<std::shared_ptr<const PlanEntry>> entry) {
            if (!entry) return failWith(toQString(entry.error().message));
            if (m_session.document.model() != model)
                return failWith(tr("%1 was not opened: another model came to be shown first. Open it again.")
                                    .arg(QFileInfo(path).fileName()));
            m_session.document.addPlanBeside(std::move(*entry));
            m_session.document.loadPlan(id);
            m_pages.saved().insert(id);
            Q_EMIT opened(path);
        });
}

void PlanFiles::failWith(const QString &sentence)
{
    Q_EMIT failed(Notice::failure(sentence));
}

} // namespace remat::studio
