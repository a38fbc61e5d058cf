// SPDX-License-Identifier: Apache-2.0
#include "gpu/run_trust.h"

#include "core/base/limits.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace remat {
namespace {

constexpr std::size_t kLongestText = 4000;

bool isTime(double us)
{
    return std::isfinite(us) && us >= 0;
}

} // namespace

std::string fitToShow(const std::string &said)
{
    return printable(shortened(said, kLongestText));
}

void makeFitToShow(RunReply &reply)
{
    const auto mend = [](std::initializer_list<std::string *> texts) {
        for (std::string *text : texts)
            *text = fitToShow(*text);
    };
    if (auto *progress = std::get_if<RunProgress>(&reply)) mend({&progress->stage});
    if (auto *sentence = std::get_if<std::string>(&reply)) mend({sentence});
    if (auto *info = std::get_if<RuntimeInfo>(&reply))
        mend({&info->torchVersion, &info->cudaTitle, &info->cudaBusId, &info->protection, &info->sentence});
    if (auto *profile = std::get_if<Profile>(&reply)) {
        mend({&profile->fingerprint, &profile->graphName, &profile->device, &profile->deviceTitle,
              &profile->torchVersion, &profile->clocks.governor});
        for (std::string &text : profile->aliasMismatches)
            mend({&text});
    }
    if (auto *record = std::get_if<ValidationRecord>(&reply)) {
        mend({&record->stepsDigest, &record->sentence, &record->device, &record->deviceTitle, &record->torchVersion,
              &record->memory, &record->cpu.worst, &record->cpu.sentence});
        for (auto *texts : {&record->peakReasons, &record->restlessOps, &record->warnedOps})
            for (std::string &text : *texts)
                mend({&text});
        for (auto *differences : {&record->differences, &record->excused})
            for (TensorDifference &difference : *differences)
                mend({&difference.name});
        for (TensorChecksum &checksum : record->checksums)
            mend({&checksum.name});
    }
}

bool isPossible(const Profile &profile, std::size_t ops)
{
    const StepTimes &step = profile.step;
    const Clocks &clocks = profile.clocks;
    const auto isMhz = [](double mhz) { return mhz >= 0 && mhz <= kMaxMhz; };
    const auto isShortTime = [](double us) { return isTime(us) && us <= kMaxMeasuredUs; };
    std::int64_t bytes = 0;
    const bool linkGrows = std::all_of(profile.link.begin(), profile.link.end(), [&](const LinkSpeed &speed) {
        return speed.bytes > std::exchange(bytes, speed.bytes) && speed.bytes <= kMaxMeasuredBytes &&
               isShortTime(speed.toHostUs) && isShortTime(speed.toDeviceUs);
    });
    return profile.ops.size() == ops && profile.repeats >= 0 && profile.repeats <= kMaxRepeats &&
           profile.distinctOps >= 0 && static_cast<std::size_t>(profile.distinctOps) <= ops &&
           profile.spreadLimit >= 0 && profile.spreadLimit <= 1 && isShortTime(step.timeUs) && isTime(step.spreadUs) &&
           isTime(step.betweenUs) && linkGrows && isMhz(clocks.leastMhz) && isMhz(clocks.mostMhz) &&
           clocks.leastMhz <= clocks.mostMhz && isMhz(clocks.memoryMhz) &&
           std::all_of(profile.ops.begin(), profile.ops.end(), [&](const OpMeasurement &op) {
               return isShortTime(op.timeUs) && isTime(op.spreadUs) && op.workspaceBytes >= 0 &&
                      op.workspaceBytes <= kMaxMeasuredBytes && op.samples >= 0 && op.samples <= kMaxSamples &&
                      op.outliers >= 0 && op.outliers <= op.samples;
           });
}

bool isPossible(const ValidationRecord &record)
{
    return isTime(record.measuredTimeUs) && isTime(record.measuredKeepAllTimeUs) && record.measuredPeakBytes >= 0 &&
           record.measuredKeepAllPeakBytes >= 0 && record.predictedPeakBytes >= 0 && isTime(record.predictedTimeUs) &&
           record.heightBytes >= 0 && record.plannedHeightBytes >= 0 && record.hostBytes >= 0 &&
           record.reference <= ReferenceKind::Itself && record.referencePeakBytes >= 0 &&
           record.eagerVerdict <= EagerVerdict::Different && isTime(record.cpu.tolerance) &&
           isTime(record.chunks.allowedUnits) && record.chunks.tensors >= 0 && record.gradientsEqual >= 0 &&
           record.gradientsEqual <= record.gradients && record.buffersEqual >= 0 &&
           record.buffersEqual <= record.buffers && record.updatedEqual >= 0 && record.updatedEqual <= record.updated &&
           std::all_of(record.steps.begin(), record.steps.end(), [](const StepMeasurement &step) {
               return step.heldBytes >= 0 && step.workspaceBytes >= 0 && step.madeBytes >= 0 && isTime(step.startUs) &&
                      isTime(step.endUs) && step.endUs >= step.startUs;
           });
}

} // namespace remat
