// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/host_copies.h"

#include "gpu/torch/memory_meter.h"

#include <ATen/ops/empty.h>
#include <algorithm>
#include <c10/core/GradMode.h>

namespace remat {

HostCopy shapeOf(const at::Tensor &base)
{
    HostCopy copy;
    copy.sizes = base.sizes().vec();
    copy.strides = base.strides().vec();
    copy.offset = base.storage_offset();
    copy.dtype = base.scalar_type();
    copy.device = base.device();
    copy.known = true;
    return copy;
}

HostCopy hostCopyOf(const at::Tensor &base)
{
    const c10::NoGradGuard noGrad;
    const UncountedScope hostCopy;
    const at::Tensor bytes = allBytes(base);
    HostCopy copy = shapeOf(base);
    copy.bytes = at::empty(bytes.sizes(), at::kByte);
    copy.bytes.copy_(bytes);
    return copy;
}

at::Tensor allBytes(const at::Tensor &tensor)
{
    const auto bytes = static_cast<std::int64_t>(tensor.storage().nbytes());
    at::Tensor flat = at::empty({0}, tensor.options().dtype(at::kByte).memory_format(std::nullopt));
    return flat.set_(tensor.storage(), 0, {bytes}, {1});
}

at::Tensor tensorOver(const c10::Storage &storage, const HostCopy &copy, c10::Device device)
{
    at::Tensor tensor = at::empty({0}, at::TensorOptions(copy.dtype).device(device));
    tensor.set_(storage, copy.offset, copy.sizes, copy.strides);
    return tensor;
}

HostCopies::HostCopies(std::size_t storages, std::size_t values)
    : m_offloaded(storages), m_homes(storages), m_stale(storages, 0), m_shapes(values)
{
}

void HostCopies::plan(StorageId parameter, const at::Tensor &base)
{
    m_homes[parameter.index()] = hostCopyOf(base);
}

void HostCopies::offload(StorageId storage, const at::Tensor &base)
{
    const bool home = hasHome(storage);
    (home ? m_homes : m_offloaded)[storage.index()] = hostCopyOf(base);
    if (home) setStale(storage, false);
}

void HostCopies::dropOffloaded()
{
    std::fill(m_offloaded.begin(), m_offloaded.end(), HostCopy());
}

void HostCopies::refresh(StorageId parameter, const at::Tensor &base)
{
    const UncountedScope hostCopy;
    m_homes[parameter.index()].bytes.copy_(allBytes(base));
    setStale(parameter, false);
}

void HostCopies::bringHome(StorageId storage, std::span<const std::byte> bytes)
{
    const at::Tensor &home = m_homes[storage.index()].bytes;
    if (!home.defined() || home.nbytes() != bytes.size()) return;
    std::copy(bytes.begin(), bytes.end(), static_cast<std::byte *>(home.mutable_data_ptr()));
    setStale(storage, false);
}

std::span<std::byte> HostCopies::bytes(StorageId storage) const
{
    const at::Tensor &bytes = (hasHome(storage) ? m_homes : m_offloaded)[storage.index()].bytes;
    if (!bytes.defined()) return {};
    return {static_cast<std::byte *>(bytes.mutable_data_ptr()), bytes.nbytes()};
}

} // namespace remat
