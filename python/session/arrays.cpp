// SPDX-License-Identifier: MIT
#include "python/session/arrays.hpp"
#include "core/base/error.hpp"

namespace synthoscope::python {

namespace nb = nanobind;

nb::dlpack::dtype dtype_of(PixelType type) {
  return visit_pixel_type(type, [](auto zero) { return nb::dtype<decltype(zero)>(); });
}

PixelType pixel_type_of(nb::dlpack::dtype type) {
  for (int i = 0; i <= static_cast<int>(PixelType::float64); ++i)
    if (const auto candidate = static_cast<PixelType>(i); dtype_of(candidate) == type)
      return candidate;
  throw InvalidSpec(
      "use an array as an image: its voxels are neither int8 to uint32 nor float32 or float64; "
      "convert it");
}

ConstVoxelView view_of(const ReadArray& array) {
  return {static_cast<const std::byte*>(array.data()), pixel_type_of(array.dtype()),
          extent_of(array)};
}

VoxelView view_of(const WrittenArray& array) {
  return {static_cast<std::byte*>(array.data()), pixel_type_of(array.dtype()), extent_of(array)};
}

}  // namespace synthoscope::python
