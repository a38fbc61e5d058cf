// SPDX-License-Identifier: Apache-2.0
// Copies of storages in host memory: what was offloaded, and the homes of planned parameters.
#pragma once

#include "core/graph/model.h"

#include <ATen/core/Tensor.h>
#include <span>
#include <vector>

namespace remat {

/// How a tensor lies in its storage, and a copy of all bytes of that storage, where there is one.
struct HostCopy {
    at::Tensor bytes; ///< flat, on the CPU; undefined without a copy
    std::vector<std::int64_t> sizes, strides;
    std::int64_t offset = 0; ///< in items
    at::ScalarType dtype = at::kFloat;
    c10::Device device = at::kCPU; ///< that it came from: some operators keep what is small on the CPU
    bool known = false;
};

/// How this tensor lies, without its bytes.
HostCopy shapeOf(const at::Tensor &base);
/// The same with its bytes.
HostCopy hostCopyOf(const at::Tensor &base);
/// A flat tensor over all bytes of a tensor's storage.
at::Tensor allBytes(const at::Tensor &tensor);
/// A tensor over these bytes that lies as the copy says; `bytes` must hold the whole storage.
at::Tensor tensorOver(const c10::Storage &storage, const HostCopy &copy, c10::Device device);

/// The copies of one run. A planned parameter has a home: a copy that stays, and is stale while the device has newer
/// numbers. Any other copy lasts until `dropOffloaded`. One thread.
class HostCopies
{
public:
    HostCopies(std::size_t storages, std::size_t values);

    /// From now on the parameter has a home, which holds what `base` does.
    void plan(StorageId parameter, const at::Tensor &base);
    /// Copies the storage of `base`: home, where it has one.
    void offload(StorageId storage, const at::Tensor &base);
    void dropOffloaded();
    /// The same bytes of a home are from now on what `base` holds.
    void refresh(StorageId parameter, const at::Tensor &base);

    bool hasHome(StorageId storage) const { return m_homes[storage.index()].bytes.defined(); }
    const HostCopy &home(StorageId storage) const { return m_homes[storage.index()]; }
    const HostCopy &offloaded(StorageId storage) const { return m_offloaded[storage.index()]; }
    bool isStale(StorageId storage) const { return m_stale[storage.index()] != 0; }
    void setStale(StorageId storage, bool stale) { m_stale[storage.index()] = stale ? 1 : 0; }
    /// From now on the home is these bytes; nothing happens where there is none of that size.
    void bringHome(StorageId storage, std::span<const std::byte> bytes);
    /// What an op on the host works on: home or copy; empty when there is neither.
    std::span<std::byte> bytes(StorageId storage) const;

    /// How a value lies that ops on the host read; not known until it was once offloaded.
    const HostCopy &shape(ValueId value) const { return m_shapes[value.index()]; }
    void setShape(ValueId value, const at::Tensor &tensor) { m_shapes[value.index()] = shapeOf(tensor); }

private:
    std::vector<HostCopy> m_offloaded, m_homes; // per storage
    std::vector<char> m_stale;                  // per storage: updated on the device since
    std::vector<HostCopy> m_shapes;             // per value, without bytes
};

} // namespace remat
