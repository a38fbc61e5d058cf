// SPDX-License-Identifier: Apache-2.0
#include "core/costs/equal_ops.h"

#include "core/base/digest.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace remat {

namespace {

/// Takes in everything of one node that decides what it costs.
class CostIdentity
{
public:
    explicit CostIdentity(const Program &program) : m_program(program) {}

    std::string of(const Node &node)
    {
        m_digest = Digest();
        m_seen.clear();
        add(node.opName);
        add(node.overload);
        for (const NamedArgument &argument : node.arguments) {
            add(argument.name);
            add(argument.value.index());
            std::visit([this](const auto &value) { add(value); }, argument.value);
        }
        add(node.outputs);
        return m_digest.hex();
    }

private:
    void add(std::size_t word) { m_digest.add(static_cast<std::uint64_t>(word)); }
    void add(std::int64_t number) { m_digest.add(static_cast<std::uint64_t>(number)); }
    void add(double number) { m_digest.addBits(number); }
    void add(bool flag) { m_digest.add(std::uint64_t(flag)); }
    void add(DType type) { m_digest.add(static_cast<std::uint64_t>(type)); }
    void add(const std::string &text) { m_digest.add(std::string_view(text)); }
    void add(const NoneArg & /*none*/) {}
    void add(const LayoutArg &layout) { add(layout.name); }
    void add(const MemoryFormatArg &format) { add(format.name); }
    void add(const DeviceArg &device) { add(device.name); }
    template <class T>
    void add(const std::vector<T> &list)
    {
        add(list.size());
        for (const auto &item : list)
            add(static_cast<const T &>(item));
    }
    void add(const std::vector<bool> &flags)
    {
        add(flags.size());
        for (const bool flag : flags)
            add(flag);
    }
    void add(const ValueId &id)
    {
        add(bool(id));
        if (!id) return;
        constexpr std::int64_t kCacheLine = 64;
        const Value &value = m_program.value(id);
        add(value.dtype);
        add(value.sizes);
        add(value.strides);
        add(value.device);
        add(value.storageOffset * itemSize(value.dtype) % kCacheLine);
        // Memory that is read twice, or written in place, is in the cache the second time.
        const auto seen = std::find(m_seen.begin(), m_seen.end(), value.storage);
        add(value.storage ? static_cast<std::int64_t>(seen - m_seen.begin()) : -1);
        if (value.storage && seen == m_seen.end()) m_seen.push_back(value.storage);
    }

    const Program &m_program;
    Digest m_digest;
    std::vector<StorageId> m_seen;
};

} // namespace

std::vector<std::string> costIdentities(const Model &model)
{
    std::vector<std::string> identities;
    identities.reserve(model.graph.ops.size());
    for (const Op &op : model.graph.ops)
        identities.push_back(model.program && op.node
                                 ? CostIdentity(*model.program).of(model.program->nodes[op.node.index()])
                                 : std::string());
    return identities;
}

EqualOps equalOps(const Model &model)
{
    EqualOps result;
    result.classOf.reserve(model.graph.ops.size());
    std::unordered_map<std::string, int> known;
    for (std::string &identity : costIdentities(model)) {
        if (identity.empty()) {
            result.classOf.push_back(result.classes++);
            continue;
        }
        const auto [at, isNew] = known.emplace(std::move(identity), result.classes);
        result.classOf.push_back(at->second);
        result.classes += isNew ? 1 : 0;
    }
    return result;
}

} // namespace remat
