// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/fits/fits_model.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/work/session/session.h"

#include <QThread>

#include <algorithm>

namespace remat::studio {

namespace {

/// What the judging of all devices shares.
struct FitAsked {
    std::shared_ptr<const CostedModel> model;
    std::shared_ptr<const Profile> profile; ///< may be none
    KnownOptimizer optimizer;
    Pins pins;
    std::shared_ptr<const OtherBatch> other; ///< may be none
};

FitNeeds needsOf(const FitAsked &asked)
{
    return fitNeeds(asked.model->graph(), *asked.model->costs, asked.model->keepAll->peakBytes, asked.optimizer);
}

/// Calls `question(planner, request, context)` with what is asked of a device.
template <class Question>
auto ask(const FitAsked &asked, const Device &device, const StopToken &stop, const Question &question)
    -> decltype(question(std::declval<const Planner &>(), SolveRequest(), SolveContext()))
{
    const Model &model = *asked.model->open->model;
    const auto planner = findPlanner("auto");
    if (!planner) return tl::unexpected(planner.error());
    auto options = makeOptions((*planner)->info.options, {});
    if (!options) return tl::unexpected(options.error());
    auto costs = asked.profile ? profileCosts(model.graph, *asked.profile, device)
                               : Expected<CostTable>(rooflineCosts(model, device));
    if (!costs) return tl::unexpected(costs.error());
    SolveRequest request;
    request.graph = &model.graph;
    request.costs = &*costs;
    if (model.program) request.program = &*model.program;
    request.options = std::move(*options);
    request.pins = asked.pins;
    SolveContext context;
    context.stop = &stop;
    context.threads = std::max(1, QThread::idealThreadCount());
    context.deadline = Deadline(kFitSeconds);
    return question(**planner, request, context);
}

Expected<DeviceFit> judge(const FitAsked &asked, const FitNeeds &needs, const Device &device, const StopToken &stop)
{
    return ask(asked, device, stop,
               [&](const Planner &planner, const SolveRequest &request, const SolveContext &context) {
                   return judgeFit(needs, device.memoryBytes, kFitReserve, planner, request, context);
               });
}

Expected<LargestBatches> batchesOf(const FitAsked &asked, const FitNeeds &needs, const Device &device,
                                   const StopToken &stop)
{
    return ask(
        asked, device, stop, [&](const Planner &planner, const SolveRequest &request, const SolveContext &context) {
            return largestBatches(asked.other->line, needs, device.memoryBytes, kFitReserve, planner, request, context);
        });
}

} // namespace

FitsModel::FitsModel(Session &session, QObject *parent)
    : RowTable({{tr("Device")},
                {tr("Memory"), true},
                {tr("Left for the step"), true},
                {tr("Training")},
                {tr("Overhead"), true},
                {tr("Largest batch"), true},
                {tr("Why not")}},
               parent),
      m_document(session.document),
      m_loader(session.loader),
      m_card(session.card),
      m_batches(session.batches),
      m_other(session.batches.other()),
      m_tracker(session.pool)
{
    connect(&m_batches, &BatchOutlook::changed, this, &FitsModel::forgetBatches);
    connect(&m_card, &TrainingCard::changed, this, &FitsModel::restart); // with each model, too
    connect(&m_document, &Document::pinsChanged, this, &FitsModel::restart);
    connect(&m_loader, &ModelLoader::costChoiceChanged, this, &FitsModel::restart);
    restart();
}

void FitsModel::setLookedAt(bool lookedAt)
{
    m_lookedAt = lookedAt;
    if (!lookedAt)
        m_tracker.cancel();
    else if (!m_tracker.running())
        judgeRest();
}

void FitsModel::forgetBatches()
{
    if (m_other == m_batches.other()) return;
    m_other = m_batches.other();
    m_tracker.cancel();
    for (FitRow &row : m_rows)
        row.batches.reset();
    cellsChanged();
    if (m_lookedAt) judgeRest();
}

void FitsModel::restart()
{
    m_tracker.cancel();
    beginResetModel();
    m_rows.clear();
    if (m_document.model())
        for (const Device &device : m_loader.devices())
            if (device.name != "reference") m_rows.push_back({device, {}, {}, {}});
    std::stable_sort(m_rows.begin(), m_rows.end(),
                     [](const FitRow &a, const FitRow &b) { return a.device.memoryBytes > b.device.memoryBytes; });
    m_needs.reset();
    endResetModel();
    Q_EMIT needsChanged();
    if (m_lookedAt) judgeRest();
}

void FitsModel::judgeRest()
{
    const auto model = m_document.model();
    if (!model) return;
    std::vector<std::pair<std::size_t, Device>> rest, unbatched;
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (!m_rows[row].problem.isEmpty()) continue;
        if (!m_rows[row].fit) rest.emplace_back(row, m_rows[row].device);
        if (m_other && !m_rows[row].batches) unbatched.emplace_back(row, m_rows[row].device);
    }
    if (rest.empty() && unbatched.empty()) return;
    const auto profile = model->roofline ? m_loader.costChoice().profile : nullptr;
    const FitAsked asked{model, profile, m_card.countedOptimizer(), m_document.pins(), m_other};
    m_tracker.start(
        [this, asked, rest = std::move(rest), unbatched = std::move(unbatched)](const Job &job) {
            const FitNeeds needs = needsOf(asked);
            job.post([this, needs] {
                m_needs = needs;
                Q_EMIT needsChanged();
            });
            for (const auto &[row, device] : rest) {
                if (job.stop().stopRequested()) return false;
                job.post([this, row = row, fit = judge(asked, needs, device, job.stop())] { take(row, fit); });
            }
            for (const auto &[row, device] : unbatched) {
                if (job.stop().stopRequested()) return false;
                job.post([this, row = row, batches = batchesOf(asked, needs, device, job.stop())] {
                    takeBatches(row, batches);
                });
            }
            return true;
        },
        [this](bool) { cellsChanged(); });
}

void FitsModel::takeBatches(std::size_t row, const Expected<LargestBatches> &batches)
{
    if (batches)
        m_rows[row].batches = *batches;
    else
        m_rows[row].problem = toQString(batches.error().message);
    cellsChanged();
}

void FitsModel::take(std::size_t row, const Expected<DeviceFit> &fit)
{
    if (fit)
        m_rows[row].fit = *fit;
    else
        m_rows[row].problem = toQString(fit.error().message);
    cellsChanged();
}

int FitsModel::rows() const
{
    return static_cast<int>(m_rows.size());
}

QString FitsModel::batchText(const FitRow &row) const
{
    if (!m_other) return {};
    if (!row.batches) return tr("Looking…");
    const auto [asItIs, withPlan] = *row.batches;
    if (withPlan == asItIs) return asItIs > 0 ? countText(asItIs) : tr("none");
    if (asItIs == 0) return tr("%1 with a plan").arg(countText(withPlan));
    return tr("%1, %2 with a plan").arg(countText(asItIs), countText(withPlan));
}

QString FitsModel::text(const FitRow &row, int column) const
{
    if (column == Name) return toQString(row.device.title);
    if (column == Memory) return memoryText(row.device.memoryBytes);
    if (!row.problem.isEmpty()) return column == Verdict ? tr("Not known") : column == Why ? row.problem : QString();
    if (!row.fit) return column == Verdict ? tr("Looking…") : QString();
    const FitVerdict verdict = row.fit->verdict;
    switch (column) {
    case Left:
        return bytesText(row.fit->budgetBytes, Rounding::Down); // as the reason says it
    case Verdict:
        return verdict == FitVerdict::Fits           ? tr("Fits as it is")
               : verdict == FitVerdict::FitsWithPlan ? tr("Fits with a plan")
               : verdict == FitVerdict::NoPlanFound  ? tr("No plan found")
                                                     : tr("Cannot fit");
    case Overhead:
        return verdict == FitVerdict::FitsWithPlan ? shareText(row.fit->overhead) : dash();
    case Batch:
        return batchText(row);
    case Why:
        return toQString(row.fit->reason);
    default:
        return {};
    }
}

QVariant FitsModel::cell(int row, int column, int role) const
{
    const FitRow &one = m_rows[static_cast<std::size_t>(row)];
    if (role == kQuietRole) return column != Name;
    if (role == Qt::DisplayRole) return text(one, column);
    if (role != Qt::ToolTipRole) return {};
    if (column == Verdict && one.fit && one.fit->verdict == FitVerdict::FitsWithPlan)
        return tr("Double-click takes this card: its budget, its costs, and a plan follows");
    return text(one, column);
}

} // namespace remat::studio
