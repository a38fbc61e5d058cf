// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels.h"

// Not without a name: nvcc calls what is in such a namespace after the folder of the build.
namespace remat::cuda::kernels {

constexpr unsigned kThreads = 256;
constexpr std::uint64_t kMostBlocks = 2048;

/// Blocks for so many elements; each thread takes more than one where there are many.
unsigned blocksFor(std::uint64_t elements)
{
    const std::uint64_t wanted = (elements + kThreads - 1) / kThreads;
    return static_cast<unsigned>(wanted < 1 ? 1 : wanted < kMostBlocks ? wanted : kMostBlocks);
}

__device__ std::uint64_t firstIndex()
{
    return static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::uint64_t stride()
{
    return static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
}

__global__ void poisonBytes(unsigned char *at, std::uint64_t bytes)
{
    // Whole words between the first and the last multiple of eight; the rest byte by byte.
    const std::uint64_t head = (8 - reinterpret_cast<std::uint64_t>(at) % 8) % 8;
    const std::uint64_t start = head < bytes ? head : bytes, words = (bytes - start) / 8;
    auto *word = reinterpret_cast<unsigned long long *>(at + start);
    for (std::uint64_t i = firstIndex(); i < words; i += stride())
        word[i] = ~0ULL;
    for (std::uint64_t i = firstIndex(); i < start; i += stride())
        at[i] = 0xff;
    for (std::uint64_t i = start + words * 8 + firstIndex(); i < bytes; i += stride())
        at[i] = 0xff;
}

__global__ void addChecksum(const unsigned char *at, std::uint64_t bytes, unsigned long long *sum)
{
    const bool aligned = reinterpret_cast<std::uint64_t>(at) % 8 == 0;
    const auto *word = reinterpret_cast<const unsigned long long *>(at);
    unsigned long long mine = 0;
    for (std::uint64_t i = firstIndex(); i * 8 < bytes; i += stride())
        mine += checksumTerm(aligned && i * 8 + 8 <= bytes ? word[i] : wordAt(at, bytes, i), i);
    for (int lane = 16; lane > 0; lane /= 2)
        mine += __shfl_down_sync(0xffffffffU, mine, lane);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

__device__ double valueAt(const unsigned char *at, ElementKind kind)
{
    std::uint64_t bits = 0;
    for (std::int64_t b = 0; b < elementBytes(kind); ++b)
        bits |= static_cast<std::uint64_t>(at[b]) << (8 * b);
    switch (kind) {
    case ElementKind::Half:
    case ElementKind::BFloat16:
        return __uint_as_float(widened(static_cast<std::uint32_t>(bits), kind));
    case ElementKind::Float:
        return __uint_as_float(static_cast<std::uint32_t>(bits));
    case ElementKind::Double:
        return __longlong_as_double(static_cast<long long>(bits));
    case ElementKind::Byte:
        break;
    }
    return static_cast<double>(bits);
}

__global__ void addDifference(const unsigned char *a, const unsigned char *b, std::uint64_t bytes, ElementKind kind,
                              DifferenceOnDevice *difference)
{
    const auto width = static_cast<std::uint64_t>(elementBytes(kind));
    const std::uint64_t whole = bytes / width, elements = whole + (bytes % width != 0 ? 1 : 0);
    for (std::uint64_t i = firstIndex(); i < elements; i += stride()) {
        const std::uint64_t begin = i * width, end = begin + width < bytes ? begin + width : bytes;
        bool same = true;
        for (std::uint64_t at = begin; at < end; ++at)
            same = same && a[at] == b[at];
        if (same) continue;
        atomicAdd(&difference->count, 1ULL);
        atomicMin(&difference->first, static_cast<unsigned long long>(i));
        if (i == whole) continue;
        double far = fabs(valueAt(a + begin, kind) - valueAt(b + begin, kind));
        if (isnan(far)) far = __longlong_as_double(0x7ff0000000000000LL);
        // Doubles that are not negative are ordered as their bits.
        atomicMax(&difference->largestBits, static_cast<unsigned long long>(__double_as_longlong(far)));
    }
}

} // namespace remat::cuda::kernels

namespace remat::cuda {

using namespace kernels;

cudaError_t poison(void *at, std::uint64_t bytes, cudaStream_t stream)
{
    poisonBytes<<<blocksFor(bytes / 8), kThreads, 0, stream>>>(static_cast<unsigned char *>(at), bytes);
    return cudaGetLastError();
}

cudaError_t checksum(const void *at, std::uint64_t bytes, unsigned long long *sum, cudaStream_t stream)
{
    addChecksum<<<blocksFor((bytes + 7) / 8), kThreads, 0, stream>>>(static_cast<const unsigned char *>(at), bytes,
                                                                     sum);
    return cudaGetLastError();
}

cudaError_t compare(const void *a, const void *b, std::uint64_t bytes, ElementKind kind, DifferenceOnDevice *difference,
                    cudaStream_t stream)
{
    addDifference<<<blocksFor(bytes / static_cast<std::uint64_t>(elementBytes(kind))), kThreads, 0, stream>>>(
        static_cast<const unsigned char *>(a), static_cast<const unsigned char *>(b), bytes, kind, difference);
    return cudaGetLastError();
}

} // namespace remat::cuda
