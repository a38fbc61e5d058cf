#include "solvers/translate.h"

#include <algorithm>

namespace remat {

std::vector<Recompute> translate(const FlatGraph &flat, const ForwardChoice &choice)
{
    std::vector<char> kept = choice.kept;
    for (int s = 0; s < flat.storages(); ++s)
        if (flat.producer[s] < 0 || flat.output[s] || flat.once[flat.producer[s]]) kept[s] = 1;

    std::vector<Recompute> recomputes;
    std::vector<char> there = kept;
    std::vector<int> work;
    for (int z = flat.forwardOps; z < flat.ops; ++z) {
        if (z > flat.forwardOps && choice.segment[z] != choice.segment[z - 1]) there = kept;
        const auto require = [&](int op) {
            for (const int s : flat.inputs[op])
                if (!there[s] && flat.producer[s] < flat.forwardOps) work.push_back(s);
        };
        require(z);
        while (!work.empty()) {
            const int s = work.back();
            work.pop_back();
            if (there[s]) continue;
            const int op = flat.producer[s];
            for (const int made : flat.outputs[op])
                there[made] = 1;
            recomputes.push_back({z, op});
            require(op);
        }
    }
    tidyRecomputes(flat, recomputes);
    return recomputes;
}

} // namespace remat
