// SPDX-License-Identifier: Apache-2.0
// The models that come with the program, and the memory pictures on their cards.
#pragma once

#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/job_tracker.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace remat::studio {

/// One entry of `samples/samples.json`.
struct Sample {
    QString name;     ///< the file's name without `.pt2`, as `--sample` takes it
    QString path;     ///< path of the file
    QString title;    ///< `GPT-2 small`
    QString subtitle; ///< `12 blocks, batch 8, 512 tokens`
    bool tiny = false;
};

/// The samples of the resources folder whose file is there, in the order of `samples.json`; the sentence says what is
/// wrong with that file.
Expected<std::vector<Sample>> readSamples();

constexpr std::size_t kPreviewColumns = 144;

/// What a sample card shows: keep-all and a quick plan over time, in columns of equal width.
struct SamplePreview {
    int ops = 0;
    std::int64_t peakBytes = 0; ///< peak of keep-all
    std::vector<std::int64_t> keepAll;
    std::int64_t budgetBytes = 0; ///< budget of the quick plan; 0 when no quick plan was found
    std::array<std::vector<std::int64_t>, kCategoryCount> bands; ///< bands of the quick plan; empty without one
};

/// Opens the sample and plans it quickly at the lowest of a few budgets that works. Worker threads.
Expected<SamplePreview> makePreview(const Sample &sample, const Device &device, const StopToken &stop);

/// The preview kept from an earlier start, when the sample's file is still the same. Any thread.
std::optional<SamplePreview> readCachedPreview(const Sample &sample);
/// Keeps a preview for the next start; a cache that cannot be written costs time only.
void cachePreview(const Sample &sample, const SamplePreview &preview);

/// Makes the previews in the background, one after the other. GUI thread only.
class SamplePreviews : public QObject
{
    Q_OBJECT
public:
    SamplePreviews(QThreadPool &pool, QObject *parent = nullptr);
    void load(const std::vector<Sample> &samples, const Device &device);
    void cancel() { m_tracker.cancel(); }
    bool running() const { return m_tracker.running(); }

Q_SIGNALS:
    void ready(const QString &name, const remat::studio::SamplePreview &preview);
    void finished();

private:
    JobTracker m_tracker;
};

} // namespace remat::studio
