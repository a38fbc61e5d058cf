// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/samples.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/jobs/quick_planner.h"
#include "core/base/resources.h"
#include "core/model/open_model.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kPreviewVersion = 1;
/// Shares of the keep-all peak that the picture's quick plan is tried at, lowest first.
constexpr std::array kPreviewShares = {0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9};

QString cacheFile(const Sample &sample)
{
    const QFileInfo file(sample.path);
    const QString key = QStringLiteral("%1|%2|%3|%4")
                            .arg(file.absoluteFilePath())
                            .arg(file.size())
                            .arg(file.lastModified().toMSecsSinceEpoch())
                            .arg(kPreviewVersion);
    const QByteArray digest = QCryptographicHash::hash(key.toUtf8(), QCryptographicHash::Sha1).toHex();
    return QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/previews/") +
           QString::fromLatin1(digest) + QStringLiteral(".json");
}

/// Index of the preview column that a time falls into.
std::size_t columnOf(double timeUs, double totalUs)
{
    if (totalUs <= 0) return 0;
    const auto column = static_cast<std::size_t>(std::max(timeUs / totalUs, 0.0) * double(kPreviewColumns));
    return std::min(column, kPreviewColumns - 1);
}

/// For each column the sample of the timeline with the most memory in it.
std::vector<std::size_t> highestSamples(const MemoryTimeline &timeline, double totalUs)
{
    std::vector<std::size_t> highest(kPreviewColumns, timeline.totalBytes.size());
    for (std::size_t i = 0; i < timeline.totalBytes.size(); ++i) {
        const std::size_t last = columnOf(timeline.endUs[i], totalUs);
        for (std::size_t column = columnOf(timeline.startUs[i], totalUs); column <= last; ++column)
            if (highest[column] == timeline.totalBytes.size() ||
                timeline.totalBytes[highest[column]] < timeline.totalBytes[i])
                highest[column] = i;
    }
    return highest;
}

std::vector<std::int64_t> columns(const std::vector<std::int64_t> &bytes, const std::vector<std::size_t> &samples)
{
    std::vector<std::int64_t> result;
    result.reserve(samples.size());
    for (const std::size_t sample : samples)
        result.push_back(sample < bytes.size() ? bytes[sample] : 0);
    return result;
}

QJsonArray toJson(const std::vector<std::int64_t> &values)
{
    QJsonArray array;
    for (const std::int64_t value : values)
        array.append(static_cast<qint64>(value));
    return array;
}

std::optional<std::vector<std::int64_t>> fromJson(const QJsonValue &value)
{
    const QJsonArray array = value.toArray();
    if (array.size() != static_cast<qsizetype>(kPreviewColumns)) return {};
    std::vector<std::int64_t> values;
    for (const auto &item : array)
        values.push_back(std::max<std::int64_t>(item.toInteger(), 0));
    return values;
}

} // namespace

Expected<std::vector<Sample>> readSamples()
{
    const QDir folder(toQString(resourceDir()) + QStringLiteral("/samples"));
    QFile file(folder.filePath(QStringLiteral("samples.json")));
    if (!file.open(QIODevice::ReadOnly)) return std::vector<Sample>{};
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
    const QJsonArray array =
        document.isArray() ? document.array() : document.object().value(QStringLiteral("samples")).toArray();
    if (document.isNull() || array.isEmpty())
        return fail("samples.json of the resources folder cannot be read. Install the program's resources again.");
    std::vector<Sample> samples;
    for (const auto &item : array) {
        const QJsonObject object = item.toObject();
        Sample sample;
        const QString fileName = object.value(QStringLiteral("file")).toString();
        sample.path = folder.filePath(fileName);
        sample.name = QFileInfo(fileName).completeBaseName();
        sample.title = object.value(QStringLiteral("title")).toString();
        sample.subtitle = object.value(QStringLiteral("subtitle")).toString();
        sample.tiny = object.value(QStringLiteral("tiny")).toBool();
        if (!fileName.isEmpty() && QFileInfo(sample.path).isFile()) samples.push_back(std::move(sample));
    }
    return samples;
}

Expected<SamplePreview> makePreview(const Sample &sample, const Device &device, const StopToken &stop)
{
    auto open = openModel(toPath(sample.path), device);
    if (!open) return tl::unexpected(open.error());
    CostChoice choice;
    choice.device = device;
    const auto model = costModel(std::move(*open), choice);
    if (!model) return tl::unexpected(model.error());

    SamplePreview preview;
    preview.ops = static_cast<int>((*model)->graph().ops.size());
    preview.peakBytes = (*model)->keepAll->peakBytes;
    std::shared_ptr<const PlanEntry> plan;
    for (const double share : kPreviewShares) {
        if (stop.stopRequested()) break;
        preview.budgetBytes = static_cast<std::int64_t>(share * static_cast<double>(preview.peakBytes));
        plan = makeQuickPlan(**model, preview.budgetBytes, {}, 0, 0, stop).entry;
        if (plan) break;
    }
    const MemoryTimeline &keepAll = *(*model)->keepAll;
    const double totalUs = std::max(keepAll.timeUs, plan ? plan->timeline->timeUs : 0.0);
    preview.keepAll = columns(keepAll.totalBytes, highestSamples(keepAll, totalUs));
    if (!plan) {
        preview.budgetBytes = 0;
        return preview;
    }
    const auto samples = highestSamples(*plan->timeline, totalUs);
    for (std::size_t category = 0; category < kCategoryCount; ++category)
        preview.bands[category] = columns(plan->timeline->bytes[category], samples);
    return preview;
}

std::optional<SamplePreview> readCachedPreview(const Sample &sample)
{
    QFile file(cacheFile(sample));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
    SamplePreview preview;
    preview.ops = object.value(QStringLiteral("ops")).toInt();
    preview.peakBytes = object.value(QStringLiteral("peak_bytes")).toInteger();
    preview.budgetBytes = object.value(QStringLiteral("budget_bytes")).toInteger();
    auto keepAll = fromJson(object.value(QStringLiteral("keep_all")));
    if (preview.ops <= 0 || preview.peakBytes <= 0 || preview.budgetBytes < 0 || !keepAll) return {};
    preview.keepAll = std::move(*keepAll);
    if (preview.budgetBytes == 0) return preview;
    const QJsonArray bands = object.value(QStringLiteral("bands")).toArray();
    if (bands.size() != static_cast<qsizetype>(kCategoryCount)) return {};
    for (std::size_t category = 0; category < kCategoryCount; ++category) {
        auto band = fromJson(bands.at(static_cast<qsizetype>(category)));
        if (!band) return {};
        preview.bands[category] = std::move(*band);
    }
    return preview;
}

void cachePreview(const Sample &sample, const SamplePreview &preview)
{
    QJsonObject object;
    object.insert(QStringLiteral("format"), QStringLiteral("remat-preview/1"));
    object.insert(QStringLiteral("ops"), preview.ops);
    object.insert(QStringLiteral("peak_bytes"), static_cast<qint64>(preview.peakBytes));
    object.insert(QStringLiteral("budget_bytes"), static_cast<qint64>(preview.budgetBytes));
    object.insert(QStringLiteral("keep_all"), toJson(preview.keepAll));
    QJsonArray bands;
    for (const auto &band : preview.bands)
        bands.append(toJson(band));
    object.insert(QStringLiteral("bands"), bands);
    const QString path = cacheFile(sample);
    if (!QDir().mkpath(QFileInfo(path).path())) return;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return;
    file.write(QJsonDocument(object).toJson(QJsonDocument::Compact));
    file.commit();
}

SamplePreviews::SamplePreviews(QThreadPool &pool, QObject *parent) : QObject(parent), m_tracker(pool) {}

void SamplePreviews::load(const std::vector<Sample> &samples, const Device &device)
{
    m_tracker.start(
        [this, samples, device](const Job &job) {
            for (const Sample &sample : samples) {
                if (!job.wanted()) break;
                auto preview = readCachedPreview(sample);
                if (!preview) {
                    auto made = makePreview(sample, device, job.stop());
                    if (!made || job.stop().stopRequested()) continue;
                    preview = std::move(*made);
                    cachePreview(sample, *preview);
                }
                job.post([this, name = sample.name, preview = std::move(*preview)] { Q_EMIT ready(name, preview); });
            }
            return true;
        },
        [this](bool) { Q_EMIT finished(); });
}

} // namespace remat::studio
