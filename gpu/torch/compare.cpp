// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/compare.h"

#include "gpu/engine/storage_checks.h"
#include "gpu/torch/memory_meter.h"

#include <ATen/ops/view_as_real.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>

namespace remat {
namespace {

at::Tensor hostCopy(const at::Tensor &tensor)
{
    const UncountedScope notOfTheRun;
    return tensor.to(c10::Device(c10::DeviceType::CPU)).contiguous().clone();
}

std::string_view bytesOf(const at::Tensor &contiguous)
{
    return {static_cast<const char *>(contiguous.const_data_ptr()), contiguous.nbytes()};
}

bool isUpdated(OutputKind kind)
{
    return kind == OutputKind::UpdatedParameter || kind == OutputKind::UpdatedState;
}

/// What an update has left, wherever that is.
Expected<HostOutput> takeUpdated(const Interpreter &interpreter, const ProgramOutput &output)
{
    const Interpreter::Updated left = interpreter.updated(output.value);
    if (!left.onDevice.defined() && !left.onHost.defined())
        return fail("The plan ends without {}. Check it with `remat check`.", output.target);
    HostOutput taken{output.kind,
                     output.kind == OutputKind::UpdatedParameter ? "new " + output.target : output.target,
                     hostCopy(left.onDevice.defined() ? left.onDevice : left.onHost),
                     interpreter.model().program->value(output.value).storage,
                     {}};
    if (left.onDevice.defined() && left.onHost.defined()) taken.copy = hostCopy(left.onHost);
    return taken;
}

bool sameBits(const at::Tensor &a, const at::Tensor &b)
{
    return a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() && bytesOf(a) == bytesOf(b);
}

at::Tensor asDoubles(const at::Tensor &tensor)
{
    return (tensor.is_complex() ? at::view_as_real(tensor) : tensor).to(at::kDouble).contiguous();
}

/// The largest absolute difference of two elements; infinity when one is not a number or the shapes differ.
double largestDifference(const at::Tensor &a, const at::Tensor &b)
{
    if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
    const UncountedScope notOfTheRun;
    const at::Tensor left = asDoubles(a), right = asDoubles(b);
    const double *x = left.const_data_ptr<double>();
    const double *y = right.const_data_ptr<double>();
    double largest = 0;
    for (std::int64_t index = 0; index < left.numel(); ++index) {
        if (x[index] == y[index] || (std::isnan(x[index]) && std::isnan(y[index]))) continue;
        const double difference = std::abs(x[index] - y[index]);
        largest = std::max(largest, std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference);
    }
    return largest;
}

} // namespace

double largestValue(const at::Tensor &tensor)
{
    const UncountedScope notOfTheRun;
    const at::Tensor values = asDoubles(tensor);
    const double *x = values.const_data_ptr<double>();
    double largest = 0;
    for (std::int64_t index = 0; index < values.numel(); ++index)
        if (std::isfinite(x[index])) largest = std::max(largest, std::abs(x[index]));
    return largest;
}

Expected<std::vector<HostOutput>> takeOutputs(Interpreter &interpreter)
{
    std::vector<HostOutput> result;
    for (const ProgramOutput &output : interpreter.model().program->outputs) {
        if (!output.value) continue;
        if (isUpdated(output.kind)) {
            Expected<HostOutput> taken = takeUpdated(interpreter, output);
            if (!taken) return tl::unexpected(taken.error());
            result.push_back(std::move(*taken));
            continue;
        }
        Expected<at::Tensor> tensor = interpreter.tensor(output.value);
        if (!tensor) return tl::unexpected(tensor.error());
        if (!tensor->defined()) continue;
        std::string name = output.kind == OutputKind::Loss ? "loss" : output.target;
        if (name.empty()) name = interpreter.model().program->value(output.value).name;
        result.push_back({output.kind,
                          std::move(name),
                          hostCopy(*tensor),
                          interpreter.model().program->value(output.value).storage,
                          {}});
    }
    return result;
}

void compareOutputs(const std::vector<HostOutput> &expected, const std::vector<HostOutput> &actual,
                    ValidationRecord &record)
{
    record.lossEqual = expected.size() == actual.size();
    for (std::size_t index = 0; index < std::min(expected.size(), actual.size()); ++index) {
        const HostOutput &output = expected[index];
        const at::Tensor &copy = actual[index].copy;
        const bool same = sameBits(output.tensor, actual[index].tensor);
        const bool equal = same && (!copy.defined() || sameBits(output.tensor, copy));
        if (output.kind == OutputKind::Loss) {
            record.lossEqual = record.lossEqual && equal;
        } else if (output.kind == OutputKind::BufferMutation) {
            ++record.buffers;
            record.buffersEqual += equal ? 1 : 0;
        } else if (isUpdated(output.kind)) {
            ++record.updated;
            record.updatedEqual += equal ? 1 : 0;
        } else {
            ++record.gradients;
            record.gradientsEqual += equal ? 1 : 0;
        }
        const std::string_view bytes = bytesOf(actual[index].tensor);
        record.checksums.push_back(
            {output.name, checksumOf({reinterpret_cast<const std::byte *>(bytes.data()), bytes.size()})});
        if (!equal)
            record.differences.push_back(
                {output.name, largestDifference(output.tensor, same ? copy : actual[index].tensor)});
    }
    std::stable_sort(
        record.differences.begin(), record.differences.end(),
        [](const TensorDifference &a, const TensorDifference &b) { return a.largestDifference > b.largestDifference; });
    if (!record.differences.empty()) record.largestDifference = record.differences.front().largestDifference;
}

double outputTolerance(const Program &program)
{
    double tolerance = 1e-3;
    for (const Value &value : program.values) {
        if (value.dtype == DType::Float16) tolerance = std::max(tolerance, 1e-2);
        if (value.dtype == DType::BFloat16) tolerance = std::max(tolerance, 5e-2);
    }
    return tolerance;
}

std::vector<double> differenceShares(const std::vector<HostOutput> &expected, const std::vector<HostOutput> &actual)
{
    constexpr double kSmallPart = 1e-3;
    if (expected.size() != actual.size()) return {};
    std::map<OutputKind, double> largestOfKind;
    std::vector<double> sizes;
    sizes.reserve(expected.size());
    for (const HostOutput &output : expected) {
        sizes.push_back(largestValue(output.tensor));
        largestOfKind[output.kind] = std::max(largestOfKind[output.kind], sizes.back());
    }
    std::vector<double> shares;
    shares.reserve(expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double difference = largestDifference(expected[i].tensor, actual[i].tensor);
        const double size = std::max(sizes[i], kSmallPart * largestOfKind[expected[i].kind]);
        shares.push_back(difference == 0 ? 0 : difference / size);
    }
    return shares;
}

void excuse(const std::vector<HostOutput> &expected, const std::vector<HostOutput> &actual,
            const std::vector<char> &reached, double tolerance, ValidationRecord &record)
{
    const std::vector<double> shares = differenceShares(expected, actual);
    std::set<std::string> excused;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const StorageId storage = expected[i].storage;
        if (storage && reached[storage.index()] != 0 && shares[i] <= tolerance) excused.insert(expected[i].name);
    }
    for (const TensorDifference &difference : record.differences)
        if (excused.contains(difference.name)) record.excused.push_back(difference);
    std::erase_if(record.differences,
                  [&](const TensorDifference &difference) { return excused.contains(difference.name); });
    record.largestDifference = record.differences.empty() ? 0 : record.differences.front().largestDifference;
}

SumsRecorder::SumsRecorder(const Interpreter &interpreter, const Graph &graph, std::size_t steps)
    : m_interpreter(interpreter), m_graph(graph), m_now(graph.storages.size(), 0)
{
    m_sums.reserve(steps);
}

std::uint64_t SumsRecorder::sumOf(StorageId storage, bool onHost) const
{
    if (onHost) return checksumOf(m_interpreter.homeOf(storage));
    const at::Tensor bytes = m_interpreter.hostBytesOf(storage);
    if (!bytes.defined()) return 0;
    return checksumOf({static_cast<const std::byte *>(bytes.const_data_ptr()), bytes.nbytes()});
}

void SumsRecorder::computed(OpId id)
{
    const Op &op = m_graph.op(id);
    StepSums sums{id, {}, {}};
    for (const StorageId input : op.inputs) {
        std::uint64_t &now = m_now[input.index()];
        if (now == 0 && m_graph.storage(input).plannedParameter && !mayWrite(op, input)) now = sumOf(input);
        sums.read.push_back(now);
    }
    for (const StorageId written : writtenBy(op))
        sums.made.push_back(m_now[written.index()] =
                                op.onHost && !m_graph.planned(written) ? 0 : sumOf(written, op.onHost));
    // It may have written to what it reads.
    if (op.computeOnce && op.updates.empty())
        for (const StorageId input : op.inputs)
            if (m_graph.planned(input)) m_now[input.index()] = sumOf(input);
    m_sums.push_back(std::move(sums));
}

} // namespace remat
