// SPDX-License-Identifier: MIT
// kernels/conversion/conversion.hpp — a part of an image, stored as another type.
#pragma once
#include <memory>
#include "kernels/operation/operation.hpp"

namespace synthoscope::kernels {

/// Makes an operation that stores a part of an image as another type. Integers are rounded to
/// nearest and clipped, and the clipped voxels are counted. Values are never rescaled; voxels of
/// the image's own type keep their bits.
/// @param part   a box inside the image
/// @param image  extent of the whole image
/// @throws InvalidSpec  the box is empty or reaches beyond the image.
std::unique_ptr<Operation> conversion(const Box3& part, PixelType type, const Extent3& image);

}  // namespace synthoscope::kernels
