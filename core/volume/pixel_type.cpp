// SPDX-License-Identifier: MIT
#include "core/volume/pixel_type.hpp"
#include "core/base/names.hpp"

namespace synthoscope {
namespace {

constexpr NameTable<PixelType, 8> kNames{{
    {PixelType::int8, "int8"},
    {PixelType::uint8, "uint8"},
    {PixelType::int16, "int16"},
    {PixelType::uint16, "uint16"},
    {PixelType::int32, "int32"},
    {PixelType::uint32, "uint32"},
    {PixelType::float32, "float32"},
    {PixelType::float64, "float64"},
}};

}  // namespace

std::string_view name_of(PixelType type) {
  return name_in(kNames, type);
}

std::optional<PixelType> pixel_type_named(std::string_view name) {
  return named_in(kNames, name);
}

}  // namespace synthoscope

auto fmt::formatter<synthoscope::PixelType>::format(synthoscope::PixelType type,
                                                    fmt::format_context& context) const
    -> fmt::format_context::iterator {
  return fmt::format_to(context.out(), "{}", name_of(type));
}
