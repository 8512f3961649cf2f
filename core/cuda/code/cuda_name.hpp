// SPDX-License-Identifier: MIT
// core/cuda/code/cuda_name.hpp — types of voxels as device code names them.
#pragma once
#include <string_view>
#include "core/volume/pixel_type.hpp"

namespace synthoscope::cuda {

/// "unsigned short"
constexpr std::string_view cuda_name(PixelType type) {
  switch (type) {
    case PixelType::int8:
      return "signed char";
    case PixelType::uint8:
      return "unsigned char";
    case PixelType::int16:
      return "short";
    case PixelType::uint16:
      return "unsigned short";
    case PixelType::int32:
      return "int";
    case PixelType::uint32:
      return "unsigned";
    case PixelType::float32:
      return "float";
    case PixelType::float64:
      break;
  }
  return "double";
}

}  // namespace synthoscope::cuda
