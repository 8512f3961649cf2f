// SPDX-License-Identifier: MIT
#include "imageio/image/stored_type.hpp"
#include <fmt/format.h>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include "core/base/error.hpp"

namespace synthoscope::imageio {
namespace {

template <class From, class To>
void narrow_integers(const std::byte* numbers, std::int64_t count, std::byte* voxels,
                     const std::string& file) {
  for (std::int64_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, numbers + i * std::int64_t{sizeof value}, sizeof value);
    if (!std::in_range<To>(value))
      throw InvalidInput(
          fmt::format("read {}: it holds the value {}, and integers of 64 bits must lie within {} "
                      "... {}; save it with smaller numbers or as float64",
                      file, value, std::numeric_limits<To>::min(), std::numeric_limits<To>::max()));
    const To voxel = static_cast<To>(value);
    std::memcpy(voxels + i * std::int64_t{sizeof voxel}, &voxel, sizeof voxel);
  }
}

void widen_halves(const std::byte* numbers, std::int64_t count, std::byte* voxels) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, numbers + 2 * i, sizeof half);
    const float voxel = float_of_half(half);
    std::memcpy(voxels + 4 * i, &voxel, sizeof voxel);
  }
}

constexpr std::array<std::uint8_t, 256> kReversed = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned byte = 0; byte < table.size(); ++byte)
    for (unsigned bit = 0; bit < 8; ++bit)
      table[byte] = static_cast<std::uint8_t>(table[byte] | (byte >> bit & 1U) << (7 - bit));
  return table;
}();

/// `bits` bits from bit `at` on, the highest first.
std::uint32_t bits_at(const std::byte* bytes, std::int64_t at, std::int64_t bits) {
  std::uint64_t word = 0;
  const std::int64_t first = at / 8, last = (at + bits - 1) / 8;
  for (std::int64_t i = first; i <= last; ++i)
    word = word << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  return static_cast<std::uint32_t>(word >> ((last + 1) * 8 - at - bits) & mask);
}

}  // namespace

std::int64_t size_of_stored(StoredType stored, PixelType type) {
  switch (stored) {
    case StoredType::float16:
      return 2;
    case StoredType::int64:
    case StoredType::uint64:
      return 8;
    default:
      return size_of(type);
  }
}

float float_of_half(std::uint16_t half) {
  const bool is_negative = half >> 15 != 0;
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  float value = 0;
  if (exponent == 31)
    // The fraction of what is no number is kept
    value = std::bit_cast<float>(0x7F800000U | static_cast<std::uint32_t>(fraction) << 13);
  else if (exponent == 0)
    value = std::ldexp(static_cast<float>(fraction), -24);
  else
    value = std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return is_negative ? -value : value;
}

void convert_stored(StoredType stored, PixelType type, const std::byte* numbers, std::int64_t count,
                    std::byte* voxels, const std::string& file) {
  switch (stored) {
    case StoredType::float16:
      return widen_halves(numbers, count, voxels);
    case StoredType::int64:
      return narrow_integers<std::int64_t, std::int32_t>(numbers, count, voxels, file);
    case StoredType::uint64:
      return narrow_integers<std::uint64_t, std::uint32_t>(numbers, count, voxels, file);
    default:
      std::memcpy(voxels, numbers, static_cast<std::size_t>(count * size_of(type)));
  }
}

void unpack_bits(const std::byte* bytes, std::int64_t first, std::int64_t stride, std::int64_t bits,
                 std::int64_t count, PixelType type, std::byte* voxels) {
  const auto unpack_as = [&](auto zero) {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto voxel = static_cast<decltype(zero)>(bits_at(bytes, first + i * stride, bits));
      std::memcpy(voxels + i * std::int64_t{sizeof voxel}, &voxel, sizeof voxel);
    }
  };
  if (type == PixelType::uint8) return unpack_as(std::uint8_t{});
  if (type == PixelType::uint16) return unpack_as(std::uint16_t{});
  unpack_as(std::uint32_t{});
}

void reverse_bits(std::byte* bytes, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    bytes[i] = static_cast<std::byte>(kReversed[std::to_integer<std::size_t>(bytes[i])]);
}

}  // namespace synthoscope::imageio
