// SPDX-License-Identifier: Apache-2.0
#include "gpu/memory_need.h"

#include "core/io/archive_data.h"
#include "gpu/written_back.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <thread>

namespace remat {
namespace {

constexpr std::int64_t kMost = std::int64_t(1) << 62;

std::int64_t sum(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? kMost : std::min(result, kMost);
}

std::int64_t times(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? kMost : std::min(result, kMost);
}

/// The most that the data of one input takes besides its tensor.
Expected<std::int64_t> largestPassing(const Model &model)
{
    constexpr std::int64_t kMadeUpItem = 8; // numbers are drawn as the widest type
    std::map<std::string, std::int64_t> payloads;
    const auto &inputs = model.program->inputs;
    if (std::any_of(inputs.begin(), inputs.end(), [](const auto &input) { return !input.archivePath.empty(); })) {
        const Expected<ArchiveData> archive = ArchiveData::open(model.path);
        if (!archive) return tl::unexpected(archive.error());
        for (ArchiveData::Entry &entry : archive->entries())
            payloads.emplace(std::move(entry.name), entry.bytes);
    }
    std::int64_t largest = 0;
    for (const ProgramInput &input : inputs) {
        const Value &value = model.program->value(input.value);
        const auto payload = payloads.find(input.archivePath);
        largest = std::max(largest, payload != payloads.end()
                                        ? payload->second
                                        : times(storageExtentBytes(value) / itemSize(value.dtype), kMadeUpItem));
    }
    return largest;
}

} // namespace

std::int64_t MemoryNeed::total() const
{
    return sum(sum(inputBytes, dynamicBytes), copyBytes);
}

std::int64_t storageExtentBytes(const Value &value)
{
    const std::int64_t extent = extentBytes(value);
    return sum(extent, times(std::max<std::int64_t>(0, value.storageOffset), itemSize(value.dtype)));
}

Expected<MemoryNeed> memoryNeed(const Model &model, const Graph &graph, const CostTable &costs,
                                const std::vector<const std::vector<Step> *> &plans)
{
    const Program &program = *model.program;
    MemoryNeed need;
    std::int64_t parameterBytes = 0;
    for (const Storage &storage : graph.storages)
        if (storage.plannedParameter) parameterBytes = sum(parameterBytes, storage.bytes);
    for (const ProgramInput &input : program.inputs)
        need.inputBytes = sum(need.inputBytes, storageExtentBytes(program.value(input.value)));

    std::set<StorageId> offloaded;
    for (const std::vector<Step> *steps : plans) {
        const Expected<Simulation> simulated = simulate(graph, costs, *steps);
        if (!simulated) return tl::unexpected(simulated.error());
        // Planned parameters are among the inputs already.
        need.dynamicBytes = std::max(need.dynamicBytes, simulated->peakBytes - parameterBytes);
        for (const Step &step : *steps)
            if (step.kind == StepKind::Offload) offloaded.insert(step.storage);
    }

    const Expected<std::int64_t> passing = largestPassing(model);
    if (!passing) return tl::unexpected(passing.error());
    need.copyBytes = sum(*passing, parameterBytes);
    for (const StorageId storage : offloaded)
        need.copyBytes = sum(need.copyBytes, graph.storage(storage).bytes);
    const std::set<StorageId> written = writtenStorages(program);
    for (const ProgramInput &input : program.inputs)
        if (const Value &value = program.value(input.value); written.contains(value.storage))
            need.copyBytes = sum(need.copyBytes, extentBytes(value));
    if (plans.size() > 1)
        for (const ProgramOutput &output : program.outputs)
            need.copyBytes = sum(need.copyBytes, times(static_cast<std::int64_t>(plans.size()),
                                                       extentBytes(program.value(output.value))));
    return need;
}

std::int64_t roomBytes(const MemoryNeed &need, RunDevice device, std::int64_t freeBytes, std::int64_t limitBytes)
{
    // Copies are in host memory, which is the device's own only when that is the CPU.
    const std::int64_t others = device == RunDevice::Cuda ? need.inputBytes : sum(need.inputBytes, need.copyBytes);
    const std::int64_t room = freeBytes < 0 ? -1 : std::max<std::int64_t>(0, freeBytes - others);
    if (device != RunDevice::Simulated || limitBytes <= 0) return room;
    return room < 0 ? limitBytes : std::min(room, limitBytes);
}

std::int64_t memoryLimit(const MemoryNeed &need, RunDevice device, std::int64_t freeBytes)
{
    // A driver maps a GPU's memory, and pinned memory beside it.
    constexpr std::int64_t kGpuSlackBytes = std::int64_t(16) << 30, kThreadBytes = std::int64_t(16) << 20;
    std::int64_t limit = sum(times(need.total(), 2), kMemorySlackBytes);
    limit = sum(limit, times(std::thread::hardware_concurrency(), kThreadBytes));
    if (device == RunDevice::Cuda) limit = sum(limit, kGpuSlackBytes);
    return freeBytes < 0 ? limit : std::min(limit, freeBytes);
}

std::int64_t freeHostBytes()
{
    std::ifstream memInfo("/proc/meminfo");
    for (std::string key; memInfo >> key;) {
        std::int64_t kiB = 0;
        if (key == "MemAvailable:" && memInfo >> kiB) return kiB * 1024;
        memInfo.ignore(256, '\n');
    }
    return -1;
}

} // namespace remat
