#include "core/plan/pins.h"

#include <algorithm>

namespace remat {

namespace {

template <class Id>
void tidy(std::vector<Id> &ids, std::size_t count)
{
    std::erase_if(ids, [count](Id id) { return !id || id.index() >= count; });
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

} // namespace

void dropUnknown(Pins &pins, const Graph &graph)
{
    tidy(pins.keep, graph.storages.size());
    tidy(pins.recompute, graph.ops.size());
    tidy(pins.never, graph.ops.size());
}

} // namespace remat
