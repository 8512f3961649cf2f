// SPDX-License-Identifier: MIT
// core/base/as_index.hpp — converts std::int64_t to std::size_t, the index of standard containers.
#pragma once
#include <cstddef>
#include <cstdint>

namespace synthoscope {

/// @param i  not negative
constexpr std::size_t as_index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

}  // namespace synthoscope
