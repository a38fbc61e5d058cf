// SPDX-License-Identifier: Apache-2.0
#include "solvers/online/scores.h"

#include "solvers/online/neighbours.h"

#include <limits>
#include <random>

namespace remat::online {

namespace {

/// What was touched this very moment, or weighs nothing, is not worth evicting.
double perByteAndStaleness(const Runtime &runtime, int storage, double us)
{
    const double divisor = static_cast<double>(runtime.flat().bytes[storage]) * runtime.stalenessUs(storage);
    return divisor > 0 ? us / divisor : std::numeric_limits<double>::infinity();
}

double ownUs(const Runtime &runtime, int storage)
{
    return runtime.flat().timeUs[runtime.flat().producer[storage]];
}

class DtrScore final : public Score
{
public:
    explicit DtrScore(Runtime &runtime) : m_runtime(runtime), m_neighbourhood(runtime) {}
    double costUs(int s) override
    {
        return ownUs(m_runtime, s) + m_neighbourhood.ancestorsUs(s) + m_neighbourhood.descendantsUs(s);
    }
    double operator()(int s) override { return perByteAndStaleness(m_runtime, s, costUs(s)); }

private:
    const Runtime &m_runtime;
    Neighbourhood m_neighbourhood;
};

class ClassScore final : public Score
{
public:
    ClassScore(Runtime &runtime, Around around) : m_runtime(runtime), m_classes(runtime, around) {}
    double costUs(int s) override { return ownUs(m_runtime, s) + m_classes.neighboursUs(s); }
    double operator()(int s) override { return perByteAndStaleness(m_runtime, s, costUs(s)); }

private:
    const Runtime &m_runtime;
    EvictedClasses m_classes;
};

class LocalScore final : public Score
{
public:
    explicit LocalScore(const Runtime &runtime) : m_runtime(runtime) {}
    double costUs(int s) override { return ownUs(m_runtime, s); }
    double operator()(int s) override { return perByteAndStaleness(m_runtime, s, costUs(s)); }

private:
    const Runtime &m_runtime;
};

class MspsScore final : public Score
{
public:
    explicit MspsScore(Runtime &runtime) : m_runtime(runtime), m_neighbourhood(runtime) {}
    double costUs(int s) override { return ownUs(m_runtime, s) + m_neighbourhood.ancestorsUs(s); }
    double operator()(int s) override
    {
        const auto bytes = static_cast<double>(m_runtime.flat().bytes[s]);
        return bytes > 0 ? costUs(s) / bytes : std::numeric_limits<double>::infinity();
    }

private:
    const Runtime &m_runtime;
    Neighbourhood m_neighbourhood;
};

class LruScore final : public Score
{
public:
    explicit LruScore(const Runtime &runtime) : m_runtime(runtime) {}
    double costUs(int) override { return 1; }
    double operator()(int s) override { return m_runtime.lastAccessUs(s); }

private:
    const Runtime &m_runtime;
};

class SizeScore final : public Score
{
public:
    explicit SizeScore(const Runtime &runtime) : m_runtime(runtime) {}
    double costUs(int) override { return 1; }
    double operator()(int s) override
    {
        const auto bytes = static_cast<double>(m_runtime.flat().bytes[s]);
        return bytes > 0 ? 1 / bytes : std::numeric_limits<double>::infinity();
    }

private:
    const Runtime &m_runtime;
};

class RandomScore final : public Score
{
public:
    explicit RandomScore(std::uint64_t seed) : m_engine(seed) {}
    double costUs(int) override { return 1; }
    double operator()(int) override { return 1.0 + static_cast<double>(m_engine() >> 11U); }

private:
    std::mt19937_64 m_engine;
};

} // namespace

std::unique_ptr<Score> makeScore(ScoreKind kind, Runtime &runtime, std::uint64_t seed)
{
    switch (kind) {
    case ScoreKind::Dtr:
        return std::make_unique<DtrScore>(runtime);
    case ScoreKind::DtrEq:
        return std::make_unique<ClassScore>(runtime, Around::Both);
    case ScoreKind::Coop:
        return std::make_unique<ClassScore>(runtime, Around::Before);
    case ScoreKind::Local:
        return std::make_unique<LocalScore>(runtime);
    case ScoreKind::Msps:
        return std::make_unique<MspsScore>(runtime);
    case ScoreKind::Lru:
        return std::make_unique<LruScore>(runtime);
    case ScoreKind::Size:
        return std::make_unique<SizeScore>(runtime);
    case ScoreKind::Random:
        return std::make_unique<RandomScore>(seed);
    }
    return nullptr;
}

} // namespace remat::online
