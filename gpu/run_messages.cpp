// SPDX-License-Identifier: Apache-2.0
#include "gpu/run_messages.h"

#include "core/base/packing.h"

namespace remat {

// One list of fields for each struct that crosses. Structured bindings: a struct that gets another field does not
// compile here until it is in the list.
namespace {

/// Changes with what is sent and how; the sizes say the rest.
std::string messageLayout()
{
    std::string text = "remat-run/1";
    for (const std::size_t size :
         {sizeof(RunRequest), sizeof(Graph), sizeof(Op), sizeof(Storage), sizeof(Program), sizeof(Value), sizeof(Node),
          sizeof(ProgramInput), sizeof(ProgramOutput), sizeof(ValidationRecord), sizeof(Profile), sizeof(RuntimeInfo),
          sizeof(DeviceFindings)})
        text.append(1, '.').append(std::to_string(size));
    return text;
}

} // namespace

void fields(auto & /*io*/, Is<NoneArg> auto & /*none*/) {}

void fields(auto &io, Is<LayoutArg> auto &layout)
{
    io(layout.name);
}

void fields(auto &io, Is<MemoryFormatArg> auto &format)
{
    io(format.name);
}

void fields(auto &io, Is<DeviceArg> auto &device)
{
    io(device.name);
}

void fields(auto &io, Is<NamedArgument> auto &argument)
{
    auto &[name, value, keyword] = argument;
    io(name, value, keyword);
}

void fields(auto &io, Is<Value> auto &value)
{
    auto &[name, dtype, sizes, strides, storageOffset, device, aliasOf, storage] = value;
    io(name, dtype, sizes, strides, storageOffset, device, aliasOf, storage);
}

void fields(auto &io, Is<Node> auto &node)
{
    auto &[name, opName, overload, arguments, outputs, listOutput, mutates, phase, module, moduleClass, source,
           forwardNode, sequence, random, op] = node;
    io(name, opName, overload, arguments, outputs, listOutput, mutates, phase, module, moduleClass, source, forwardNode,
       sequence, random, op);
}

void fields(auto &io, Is<InputRecipe> auto &recipe)
{
    auto &[integerRange, mean, deviation, min, max] = recipe;
    io(integerRange, mean, deviation, min, max);
}

void fields(auto &io, Is<ProgramInput> auto &input)
{
    auto &[value, kind, fqn, recipe, archivePath] = input;
    io(value, kind, fqn, recipe, archivePath);
}

void fields(auto &io, Is<ProgramOutput> auto &output)
{
    auto &[value, kind, target] = output;
    io(value, kind, target);
}

void fields(auto &io, Is<Program> auto &program)
{
    auto &[name, torchVersion, traceDevice, lacks, values, nodes, inputs, outputs] = program;
    io(name, torchVersion, traceDevice, lacks, values, nodes, inputs, outputs);
}

void fields(auto &io, Is<Storage> auto &storage)
{
    auto &[name, bytes, kind, producer, isOutput, plannedParameter, type] = storage;
    io(name, bytes, kind, producer, isOutput, plannedParameter, type);
}

void fields(auto &io, Is<GivenWork> auto &work)
{
    auto &[flops, dtype, movedBytes, launches] = work;
    io(flops, dtype, movedBytes, launches);
}

void fields(auto &io, Is<Op> auto &op)
{
    auto &[name, kind, inputs, outputs, phase, module, moduleClass, forwardOp, sequence, random, computeOnce, timeUs,
           work, workspaceBytes, source, node, updates, onHost, into] = op;
    io(name, kind, inputs, outputs, phase, module, moduleClass, forwardOp, sequence, random, computeOnce, timeUs, work,
       workspaceBytes, source, node, updates, onHost, into);
}

void fields(auto &io, Is<Graph> auto &graph)
{
    auto &[name, ops, storages, fingerprint, parametersPlanned] = graph;
    io(name, ops, storages, fingerprint, parametersPlanned);
}

void fields(auto &io, Is<Model> auto &model)
{
    // What a reader said of the file is not needed to run it.
    io(model.path, model.graph, model.program);
}

void fields(auto &io, Is<CostSource> auto &source)
{
    auto &[kind, device, link, digest] = source;
    io(kind, device, link, digest);
}

void fields(auto &io, Is<CostTable> auto &costs)
{
    auto &[timeUs, workspaceBytes, linkBytesPerSecond, linkLatencyUs, linkMeasured, watts, linkWatts, source] = costs;
    io(timeUs, workspaceBytes, linkBytesPerSecond, linkLatencyUs, linkMeasured, watts, linkWatts, source);
}

void fields(auto &io, Is<Step> auto &step)
{
    auto &[kind, op, storage] = step;
    io(kind, op, storage);
}

void fields(auto &io, Is<TensorDifference> auto &difference)
{
    auto &[name, largestDifference] = difference;
    io(name, largestDifference);
}

void fields(auto &io, Is<TensorChecksum> auto &tensor)
{
    auto &[name, sum] = tensor;
    io(name, sum);
}

void fields(auto &io, Is<StepMeasurement> auto &step)
{
    auto &[heldBytes, workspaceBytes, madeBytes, startUs, endUs] = step;
    io(heldBytes, workspaceBytes, madeBytes, startUs, endUs);
}

void fields(auto &io, Is<CpuComparison> auto &cpu)
{
    auto &[done, largestShare, tolerance, worst, sentence] = cpu;
    io(done, largestShare, tolerance, worst, sentence);
}

void fields(auto &io, Is<ChunkComparison> auto &chunks)
{
    auto &[done, tensors, largestUnits, allowedUnits, different, sentence] = chunks;
    io(done, tensors, largestUnits, allowedUnits, different, sentence);
}

void fields(auto &io, Is<SimulatedDevice> auto &device)
{
    auto &[memoryBytes, wrongOp, restlessOp] = device;
    io(memoryBytes, wrongOp, restlessOp);
}

void fields(auto &io, Is<ValidationRecord> auto &record)
{
    auto &[passed, peakHolds, stepsDigest, sentence, device, deviceTitle, torchVersion, lossEqual, gradients,
           gradientsEqual, buffers, buffersEqual, updated, updatedEqual, largestDifference, differences,
           measuredPeakBytes, measuredKeepAllPeakBytes, predictedPeakBytes, peakReasons, measuredTimeUs,
           measuredKeepAllTimeUs, predictedTimeUs, memory, heightBytes, plannedHeightBytes, hostBytes, reference,
           referencePeakBytes, restlessOps, warnedOps, excused, cpu, chunks, eagerVerdict, eagerSentence, steps,
           checksums] = record;
    io(passed, peakHolds, stepsDigest, sentence, device, deviceTitle, torchVersion, lossEqual, gradients,
       gradientsEqual, buffers, buffersEqual, updated, updatedEqual, largestDifference, differences, measuredPeakBytes,
       measuredKeepAllPeakBytes, predictedPeakBytes, peakReasons, measuredTimeUs, measuredKeepAllTimeUs,
       predictedTimeUs, memory, heightBytes, plannedHeightBytes, hostBytes, reference, referencePeakBytes, restlessOps,
       warnedOps, excused, cpu, chunks, eagerVerdict, eagerSentence, steps, checksums);
}

void fields(auto &io, Is<Plan> auto &plan)
{
    // Who made a plan, and what was said of it before, is not needed to run it.
    io(plan.steps, plan.budgetBytes, plan.parametersPlanned);
}

void fields(auto &io, Is<OpMeasurement> auto &op)
{
    auto &[timeUs, spreadUs, workspaceBytes, samples, outliers] = op;
    io(timeUs, spreadUs, workspaceBytes, samples, outliers);
}

void fields(auto &io, Is<StepTimes> auto &step)
{
    auto &[timeUs, spreadUs, betweenUs] = step;
    io(timeUs, spreadUs, betweenUs);
}

void fields(auto &io, Is<LinkSpeed> auto &speed)
{
    auto &[bytes, toHostUs, toDeviceUs] = speed;
    io(bytes, toHostUs, toDeviceUs);
}

void fields(auto &io, Is<Clocks> auto &clocks)
{
    auto &[governor, leastMhz, mostMhz, memoryMhz] = clocks;
    io(governor, leastMhz, mostMhz, memoryMhz);
}

void fields(auto &io, Is<Profile> auto &profile)
{
    auto &[fingerprint, graphName, device, deviceTitle, torchVersion, repeats, distinctOps, spreadLimit, ops, step,
           link, clocks, aliasMismatches] = profile;
    io(fingerprint, graphName, device, deviceTitle, torchVersion, repeats, distinctOps, spreadLimit, ops, step, link,
       clocks, aliasMismatches);
}

void fields(auto &io, Is<RuntimeInfo> auto &info)
{
    auto &[available, torchVersion, cuda, cpuTitle, cudaTitle, cudaMemoryBytes, cudaBusId, protection, sentence,
           torchMissing] = info;
    io(available, torchVersion, cuda, cpuTitle, cudaTitle, cudaMemoryBytes, cudaBusId, protection, sentence,
       torchMissing);
}

void fields(auto &io, Is<CudaFound> auto &found)
{
    auto &[usable, title, architecture, memoryBytes, freeBytes, driverVersion, runtimeVersion, compiledFor, sentence] =
        found;
    io(usable, title, architecture, memoryBytes, freeBytes, driverVersion, runtimeVersion, compiledFor, sentence);
}

void fields(auto &io, Is<DeviceCheck> auto &check)
{
    auto &[name, passed, sentence] = check;
    io(name, passed, sentence);
}

void fields(auto &io, Is<CopyOverlap> auto &overlap)
{
    auto &[computeUs, copyUs, bothUs] = overlap;
    io(computeUs, copyUs, bothUs);
}

void fields(auto &io, Is<DeviceFindings> auto &findings)
{
    auto &[module, cuda, checks, link, overlap, sentence] = findings;
    io(module, cuda, checks, link, overlap, sentence);
}

void fields(auto &io, Is<MemoryNeed> auto &need)
{
    auto &[inputBytes, dynamicBytes, copyBytes] = need;
    io(inputBytes, dynamicBytes, copyBytes);
}

void fields(auto &io, Is<SamplingLimits> auto &limits)
{
    auto &[mostSteps, spread, mostSeconds, leastSteps] = limits;
    io(mostSteps, spread, mostSeconds, leastSteps);
}

void fields(auto &io, Is<RunRequest> auto &request)
{
    auto &[job, device, memory, gpu, threads, seed, repeats, sampling, compareWithCpu, simulated, reference, need,
           model, costs, plan, whole, wholeNeed, pieces] = request;
    io(job, device, memory, gpu, threads, seed, repeats, sampling, compareWithCpu, simulated, reference, need, model,
       costs, plan, whole, wholeNeed, pieces);
}

void fields(auto &io, Is<RunProgress> auto &progress)
{
    auto &[stage, fraction] = progress;
    io(stage, fraction);
}

std::string pack(const RunRequest &request)
{
    Packer packer;
    packer(messageLayout(), request);
    return packer.take();
}

std::string pack(const RunReply &reply)
{
    Packer packer;
    packer(reply);
    return packer.take();
}

std::optional<RunRequest> unpackRequest(std::string_view bytes)
{
    std::string theirs;
    RunRequest request;
    Unpacker unpacker(bytes);
    unpacker(theirs);
    if (theirs != messageLayout()) return std::nullopt;
    unpacker(request);
    if (!unpacker.whole()) return std::nullopt;
    return request;
}

std::optional<RunReply> unpackReply(std::string_view bytes)
{
    RunReply reply;
    Unpacker unpacker(bytes);
    unpacker(reply);
    if (!unpacker.whole()) return std::nullopt;
    return reply;
}

} // namespace remat
