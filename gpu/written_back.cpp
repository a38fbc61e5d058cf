// SPDX-License-Identifier: Apache-2.0
#include "gpu/written_back.h"

#include <algorithm>
#include <variant>

namespace remat {

std::vector<ValueId> writtenBack(const Program &program)
{
    std::vector<ValueId> found;
    for (const ProgramOutput &output : program.outputs)
        if (output.kind == OutputKind::BufferMutation && output.value && program.value(output.value).aliasOf)
            found.push_back(output.value);
    return found;
}

std::set<StorageId> writtenStorages(const Program &program)
{
    std::set<StorageId> result;
    for (const ValueId value : writtenBack(program))
        result.insert(program.value(value).storage);
    for (const Node &node : program.nodes) {
        for (const NamedArgument &argument : node.arguments) {
            if (std::find(node.mutates.begin(), node.mutates.end(), argument.name) == node.mutates.end()) continue;
            if (const auto *one = std::get_if<ValueId>(&argument.value); one && *one)
                result.insert(program.value(*one).storage);
            if (const auto *list = std::get_if<std::vector<ValueId>>(&argument.value))
                for (const ValueId value : *list)
                    if (value) result.insert(program.value(value).storage);
        }
    }
    return result;
}

} // namespace remat
