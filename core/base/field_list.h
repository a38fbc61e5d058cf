// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

namespace remat {

/// True for `U` and `const U`: one list of fields, `fields(io, Is<U> auto &)`, serves what reads and what writes.
template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

} // namespace remat
