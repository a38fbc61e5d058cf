// SPDX-License-Identifier: Apache-2.0
#include "solvers/rockmate/priced_options.h"

#include "core/base/units.h"
#include "solvers/chain/stage_chain.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat::rockmate {

using hiremate::Block;
using hiremate::Chain;
using hiremate::Option;

namespace {

/// Limit for all schedules of a block at a time, 24 bytes each.
constexpr std::size_t kMostSteps = 50'000'000;
/// Times the options that are wanted: so many are left when there are too many steps.
constexpr int kSpare = 4;

std::size_t stepsOf(const std::vector<Option> &options)
{
    std::size_t steps = 0;
    for (const Option &option : options)
        steps += option.program.size();
    return steps;
}

} // namespace

std::vector<Option> mergeOptions(std::vector<Option> first, std::vector<Option> more, int limit)
{
    const int room = limit - static_cast<int>(first.size());
    if (room <= 0) return first;
    hiremate::dropDominated(more, room);
    for (Option &option : more) {
        const bool known = std::any_of(first.begin(), first.end(), [&](const Option &other) {
            return other.kept == option.kept && other.program.size() == option.program.size();
        });
        if (!known) first.push_back(std::move(option));
    }
    return first;
}

std::vector<Option> pricedOptions(const Chain &chain, const Block &block, int limit, const StopCheck &stop,
                                  std::size_t stepsAtOnce)
{
    std::size_t steps = 0;
    std::vector<Option> plain = chain::plainOptions(chain, block, stop);
    std::vector<char> kept = plain.front().kept;
    std::vector<int> order;
    for (std::size_t s = 0; s < kept.size(); ++s)
        if (kept[s]) order.push_back(static_cast<int>(s));
    const auto price = [&](int s) {
        const hiremate::LocalStorage &storage = block.storages[s];
        return block.ops[storage.producer].timeUs / static_cast<double>(std::max<std::int64_t>(storage.bytes, 1));
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return price(a) < price(b); });
    std::vector<Option> options;
    for (const int s : order) {
        if (stop && stop()) throw TimeUp{};
        kept[s] = 0;
        for (const bool once : {true, false}) {
            options.push_back(makeOption(chain, block, kept, justInTime(block, kept, once, stop)));
            steps += options.back().program.size();
        }
        if (steps > stepsAtOnce) {
            hiremate::dropDominated(options, kSpare * limit);
            steps = stepsOf(options);
        }
        if (steps > kMostSteps)
            throw TimeUp{fmt::format("{}, with {} forward ops, has more schedules than fit into memory. Set stages to "
                                     "more, or take hiremate.",
                                     block.name, formatCount(block.forwardOps()))};
    }
    return mergeOptions(std::move(plain), std::move(options), limit);
}

} // namespace remat::rockmate
