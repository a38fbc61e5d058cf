// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/watch.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#ifdef __SANITIZE_ADDRESS__
// Hooks of the sanitizers' runtime; GCC does not install their allocator_interface.h.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*onMalloc)(const volatile void *, std::size_t),
                                                         void (*onFree)(const volatile void *));
extern "C" std::size_t __sanitizer_get_allocated_size(const volatile void *block);
#elif !defined(__SANITIZE_THREAD__)
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>
#endif

#define REMAT_NOT_WATCHED __attribute__((no_sanitize_coverage, no_sanitize("address"), no_sanitize("undefined")))

namespace {

// Places share a slot by chance; with as many slots as this few do.
constexpr std::size_t kSlots = std::size_t(1) << 20U;
std::uint8_t g_reached[kSlots];
std::size_t g_places = 0;

std::atomic<std::size_t> g_held{0}, g_most{~std::size_t(0)};

} // namespace

extern "C" char __executable_start; // made by the linker: where the program lies this time

/// Called by the compiler's instrumentation at every basic block.
extern "C" REMAT_NOT_WATCHED void __sanitizer_cov_trace_pc()
{
    const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) -
                       reinterpret_cast<std::uintptr_t>(&__executable_start);
    std::uint8_t &slot = g_reached[(place * 0x9e3779b97f4a7c15ULL) >> 44U];
    if (slot == 0) {
        slot = 1;
        ++g_places;
    }
}

#ifdef __SANITIZE_ADDRESS__
namespace {

REMAT_NOT_WATCHED void onMalloc(const volatile void *, std::size_t size)
{
    if (g_held.fetch_add(size, std::memory_order_relaxed) + size <= g_most.load(std::memory_order_relaxed)) return;
    g_most = ~std::size_t(0);
    std::fprintf(stderr, "broken: the input needs more than 200 MB + 400 bytes for each of its own\n");
    std::abort();
}

REMAT_NOT_WATCHED void onFree(const volatile void *block)
{
    if (block) g_held.fetch_sub(__sanitizer_get_allocated_size(block), std::memory_order_relaxed);
}

} // namespace
#elif !defined(__SANITIZE_THREAD__)
namespace {

/// Bytes of data, in this process.
std::size_t heldBytes()
{
    std::size_t pages[6] = {};
    std::ifstream file("/proc/self/statm");
    for (std::size_t &each : pages)
        file >> each;
    return pages[5] * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

} // namespace
#endif

namespace remat::fuzz {

std::size_t placesReached()
{
    return g_places;
}

void watchMemory([[maybe_unused]] std::size_t inputBytes)
{
#ifdef __SANITIZE_ADDRESS__
    static const bool kWatched = __sanitizer_install_malloc_and_free_hooks(onMalloc, onFree) != 0;
    g_most = kWatched ? g_held + memoryLimit(inputBytes) : ~std::size_t(0);
#elif !defined(__SANITIZE_THREAD__)
    static const std::size_t kHeld = heldBytes();
    const rlimit limit{kHeld + memoryLimit(inputBytes), RLIM_INFINITY};
    setrlimit(RLIMIT_DATA, &limit);
#endif
}

} // namespace remat::fuzz

/// What the sanitizers are told where the environment says nothing.
extern "C" REMAT_NOT_WATCHED const char *__asan_default_options()
{
    return "abort_on_error=1:allocator_may_return_null=0:max_allocation_size_mb=4096:detect_stack_use_after_return=0:"
           "handle_abort=0:quarantine_size_mb=16";
}
extern "C" REMAT_NOT_WATCHED const char *__ubsan_default_options()
{
    return "halt_on_error=1:abort_on_error=1:print_stacktrace=1";
}
