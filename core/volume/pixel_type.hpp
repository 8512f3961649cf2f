// SPDX-License-Identifier: MIT
// core/volume/pixel_type.hpp — the voxel types that files hold and streams carry.
#pragma once
#include <fmt/format.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace synthoscope {

enum class PixelType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

/// "uint16"; the names of numpy.
std::string_view name_of(PixelType type);

/// The inverse of name_of; nothing for an unknown name.
std::optional<PixelType> pixel_type_named(std::string_view name);

template <class T>
constexpr PixelType pixel_type_of() {
  if constexpr (std::is_same_v<T, std::int8_t>)
    return PixelType::int8;
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return PixelType::uint8;
  else if constexpr (std::is_same_v<T, std::int16_t>)
    return PixelType::int16;
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return PixelType::uint16;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return PixelType::int32;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return PixelType::uint32;
  else if constexpr (std::is_same_v<T, float>)
    return PixelType::float32;
  else {
    static_assert(std::is_same_v<T, double>, "not a voxel type");
    return PixelType::float64;
  }
}

/// Calls `body(T{})` with the C++ type of `type`.
template <class Body>
decltype(auto) visit_pixel_type(PixelType type, Body&& body) {
  switch (type) {
    case PixelType::int8:
      return body(std::int8_t{});
    case PixelType::uint8:
      return body(std::uint8_t{});
    case PixelType::int16:
      return body(std::int16_t{});
    case PixelType::uint16:
      return body(std::uint16_t{});
    case PixelType::int32:
      return body(std::int32_t{});
    case PixelType::uint32:
      return body(std::uint32_t{});
    case PixelType::float32:
      return body(float{});
    case PixelType::float64:
      break;
  }
  return body(double{});
}

/// Bytes of one voxel.
inline std::int64_t size_of(PixelType type) {
  return visit_pixel_type(type, [](auto zero) { return std::int64_t{sizeof zero}; });
}

inline bool is_floating(PixelType type) {
  return type == PixelType::float32 || type == PixelType::float64;
}

}  // namespace synthoscope

/// Prints its name.
template <>
struct fmt::formatter<synthoscope::PixelType> : fmt::formatter<fmt::string_view> {
  auto format(synthoscope::PixelType type, fmt::format_context& context) const
      -> fmt::format_context::iterator;
};
