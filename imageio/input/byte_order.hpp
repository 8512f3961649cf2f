// SPDX-License-Identifier: MIT
// imageio/input/byte_order.hpp — words of the other byte order.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace synthoscope::imageio {

inline constexpr bool kHostIsLittleEndian = std::endian::native == std::endian::little;

constexpr std::uint16_t byte_swapped(std::uint16_t v) {
  return __builtin_bswap16(v);
}
constexpr std::uint32_t byte_swapped(std::uint32_t v) {
  return __builtin_bswap32(v);
}
constexpr std::uint64_t byte_swapped(std::uint64_t v) {
  return __builtin_bswap64(v);
}

/// Swaps `count` words in place; `data` need not be aligned.
template <class Word>
void swap_words(std::byte* data, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i, data += sizeof(Word)) {
    Word value;
    std::memcpy(&value, data, sizeof value);
    value = byte_swapped(value);
    std::memcpy(data, &value, sizeof value);
  }
}

/// Swaps `count` elements of `size` bytes (1, 2, 4 or 8) in place.
inline void swap_elements(std::byte* data, std::int64_t count, std::int64_t size) {
  if (size == 2) swap_words<std::uint16_t>(data, count);
  if (size == 4) swap_words<std::uint32_t>(data, count);
  if (size == 8) swap_words<std::uint64_t>(data, count);
}

}  // namespace synthoscope::imageio
