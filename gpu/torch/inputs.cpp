// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/inputs.h"

#include "core/io/archive_data.h"
#include "gpu/torch/memory_meter.h"

#include <ATen/ops/empty.h>
#include <algorithm>
#include <cstring>
#include <optional>
#include <random>

namespace remat {
namespace {

/// Elements of the storage that a value needs from its start.
std::int64_t storageElements(const Value &value)
{
    return value.storageOffset + extentBytes(value) / itemSize(value.dtype);
}

/// Sum of four uniform numbers, brought to mean 0 and deviation 1: close enough to normal, and only additions, so that
/// every machine gets the same bits.
float nearlyNormal(std::uint64_t bits)
{
    const auto part = [&](unsigned shift) { return static_cast<float>((bits >> shift) & 0xffffU); };
    constexpr float kMean = 4 * 32767.5F;
    constexpr float kDeviation = 37837.08F; // sqrt(4 / 12) * 65536
    return (part(0) + part(16) + part(32) + part(48) - kMean) / kDeviation;
}

void fillFloats(at::Tensor &flat, const InputRecipe &recipe, std::mt19937_64 &random)
{
    auto *data = flat.mutable_data_ptr<float>();
    const auto mean = static_cast<float>(recipe.mean);
    const auto deviation = static_cast<float>(recipe.std);
    const std::int64_t count = flat.numel();
    for (std::int64_t index = 0; index < count; ++index) {
        float value = mean;
        if (deviation != 0.0F) value += deviation * nearlyNormal(random());
        if (recipe.min) value = std::max(value, static_cast<float>(*recipe.min));
        if (recipe.max) value = std::min(value, static_cast<float>(*recipe.max));
        data[index] = value;
    }
}

void fillIntegers(at::Tensor &flat, const InputRecipe &recipe, std::mt19937_64 &random)
{
    // Without a range zero is the one number that is always a valid index.
    const auto [low, high] = recipe.integerRange.value_or(std::pair<std::int64_t, std::int64_t>(0, 1));
    const std::uint64_t count = high > low ? static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) : 1;
    auto *data = flat.mutable_data_ptr<std::int64_t>();
    const std::int64_t elements = flat.numel();
    for (std::int64_t index = 0; index < elements; ++index)
        data[index] = static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + random() % count);
}

bool isInteger(DType type)
{
    switch (type) {
    case DType::UInt8:
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
    case DType::UInt16:
    case DType::Bool:
        return true;
    default:
        return false;
    }
}

at::Tensor madeUp(const Value &value, const InputRecipe &recipe, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    const std::int64_t elements = storageElements(value);
    if (isInteger(value.dtype)) {
        InputRecipe integers = recipe;
        if (value.dtype == DType::Bool && !integers.integerRange) integers.integerRange = {0, 2};
        at::Tensor flat = at::empty({elements}, at::kLong);
        fillIntegers(flat, integers, random);
        return flat.to(scalarType(value.dtype));
    }
    at::Tensor flat = at::empty({elements}, at::kFloat);
    fillFloats(flat, recipe, random);
    return flat.to(scalarType(value.dtype));
}

Expected<at::Tensor> fromArchive(ArchiveData &archive, const ProgramInput &input, const Value &value)
{
    const std::int64_t needed = storageElements(value) * itemSize(value.dtype);
    const Expected<std::string> bytes = archive.readStart(input.archivePath, needed);
    if (!bytes) return tl::unexpected(bytes.error());
    if (static_cast<std::int64_t>(bytes->size()) < needed)
        return fail("The data of {} ({}) holds {} bytes where {} are needed. Trace the model again.", value.name,
                    input.archivePath, bytes->size(), needed);
    at::Tensor flat = at::empty({storageElements(value)}, scalarType(value.dtype));
    if (needed > 0) std::memcpy(flat.mutable_data_ptr(), bytes->data(), static_cast<std::size_t>(needed));
    return flat;
}

} // namespace

Expected<void> loadInputs(Interpreter &interpreter, std::uint64_t seed)
{
    const Model &model = interpreter.model();
    const Program &program = *model.program;
    std::optional<ArchiveData> archive;
    for (std::size_t index = 0; index < program.inputs.size(); ++index) {
        const ProgramInput &input = program.inputs[index];
        const Value &value = program.value(input.value);
        at::Tensor flat;
        if (input.archivePath.empty()) {
            flat = madeUp(value, input.recipe, seed * 1000003 + index);
        } else {
            if (!archive) {
                Expected<ArchiveData> opened = ArchiveData::open(model.path);
                if (!opened) return tl::unexpected(opened.error());
                archive = std::move(*opened);
            }
            Expected<at::Tensor> data = fromArchive(*archive, input, value);
            if (!data) return tl::unexpected(data.error());
            flat = std::move(*data);
        }
        interpreter.setInput(
            index, flat.to(interpreter.inputDevice(index)).as_strided(value.sizes, value.strides, value.storageOffset));
    }
    return {};
}

} // namespace remat
