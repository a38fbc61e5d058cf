// SPDX-License-Identifier: Apache-2.0
#include "gpu/written_back.h"

namespace remat {

std::vector<ValueId> writtenBack(const Program &program)
{
    std::vector<ValueId> found;
    for (const ProgramOutput &output : program.outputs)
        if (output.kind == OutputKind::BufferMutation && output.value && program.value(output.value).aliasOf)
            found.push_back(output.value);
    return found;
}

} // namespace remat
