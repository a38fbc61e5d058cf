// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/value_table.h"

namespace remat {

std::int64_t storageBytes(const c10::IValue &value)
{
    if (!value.isTensor() || !value.toTensor().defined() || !value.toTensor().has_storage()) return 0;
    return static_cast<std::int64_t>(value.toTensor().storage().nbytes());
}

const void *storageOf(const c10::IValue &value)
{
    return value.isTensor() && value.toTensor().defined() && value.toTensor().has_storage()
               ? value.toTensor().storage().unsafeGetStorageImpl()
               : nullptr;
}

ValueTable::ValueTable(const Model &model)
    : m_slots(model.program->values.size()),
      m_producer(model.program->values.size()),
      m_base(model.graph.storages.size()),
      m_valuesOf(model.graph.storages.size())
{
    const Program &program = *model.program;
    for (std::size_t index = 0; index < program.nodes.size(); ++index)
        for (const ValueId value : program.nodes[index].outputs)
            if (value) m_producer[value.index()] = NodeId(index);
    for (std::size_t index = 0; index < program.values.size(); ++index) {
        const Value &value = program.values[index];
        if (!value.storage) continue;
        m_valuesOf[value.storage.index()].push_back(ValueId(index));
        if (!value.aliasOf) m_base[value.storage.index()] = ValueId(index);
    }
}

const at::Tensor &ValueTable::tensor(ValueId value) const
{
    static const at::Tensor kUndefined;
    if (!value) return kUndefined;
    const c10::IValue &held = m_slots[value.index()];
    return held.isTensor() ? held.toTensor() : kUndefined;
}

void ValueTable::putBase(StorageId storage, at::Tensor base)
{
    free(storage);
    m_slots[m_base[storage.index()].index()] = std::move(base);
}

void ValueTable::free(StorageId storage)
{
    for (const ValueId value : m_valuesOf[storage.index()])
        m_slots[value.index()] = c10::IValue();
}

std::int64_t ValueTable::heldBytes(StorageId storage) const
{
    const ValueId base = m_base[storage.index()];
    return base ? storageBytes(m_slots[base.index()]) : 0;
}

} // namespace remat
