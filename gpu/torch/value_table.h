// SPDX-License-Identifier: Apache-2.0
// The tensors of one run: which value of the trace is there, and which of them own a storage.
#pragma once

#include "core/graph/model.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <vector>

namespace remat {

/// Bytes of the storage that a value lies in; 0 for what is no tensor.
std::int64_t storageBytes(const c10::IValue &value);
/// Its storage, to be compared; null for what is no tensor.
const void *storageOf(const c10::IValue &value);

/// A slot for each value of a program: a tensor, or nothing while it is not there. The model must outlive it. One
/// thread.
class ValueTable
{
public:
    explicit ValueTable(const Model &model);

    std::size_t size() const { return m_slots.size(); }
    const c10::IValue &operator[](ValueId value) const { return m_slots[value.index()]; }
    bool has(ValueId value) const { return !m_slots[value.index()].isNone(); }
    /// The tensor in a slot as it stands; undefined when there is none.
    const at::Tensor &tensor(ValueId value) const;
    void put(ValueId value, c10::IValue held) { m_slots[value.index()] = std::move(held); }

    /// The tensor that owns a storage; undefined when it is not there.
    const at::Tensor &base(StorageId storage) const { return tensor(m_base[storage.index()]); }
    /// Drops all values that live in the storage, and puts this one in its owner's slot.
    void putBase(StorageId storage, at::Tensor base);
    /// Drops all values that live in the storage.
    void free(StorageId storage);
    /// Bytes that LibTorch asked for, for a storage that is there; 0 when it is not.
    std::int64_t heldBytes(StorageId storage) const;
    /// The node that makes a value; none for inputs.
    NodeId producer(ValueId value) const { return m_producer[value.index()]; }

private:
    std::vector<c10::IValue> m_slots;             // per value; none when it is not there
    std::vector<NodeId> m_producer;               // per value
    std::vector<ValueId> m_base;                  // per storage: the value that owns it
    std::vector<std::vector<ValueId>> m_valuesOf; // per storage: all values that live in it
};

} // namespace remat
