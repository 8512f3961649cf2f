// SPDX-License-Identifier: MIT
// What a device does with an image unless it is told; needs no device.
#include <gtest/gtest.h>
#include <memory>
#include "core/cuda/runtime/described_device.hpp"
#include "kernels/coordinates/affine.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/resample/resample.hpp"

namespace synthoscope::kernels {
namespace {

/// Returns the file of the kernel that resamples by a map which has no angle.
std::string source_for(const Coordinate3& step, Interpolation how) {
  const Extent3 image{64, 256, 256};
  ResampleSpec spec;
  spec.result = image;
  spec.interpolation = how;
  Resample resample{image, std::make_shared<AffineMap>(resizing(step)), spec};
  return resample.on_device()
      ->kernels(cuda::described_device(90), PixelType::uint16, image)
      .back()
      .source;
}

TEST(ResampleStrategy, IsColumnWhereResultsShareRowsOfTheImage) {
  const struct {
    const char* name;
    Coordinate3 step;
    Interpolation how;
    bool by_column;
  } cases[] = {
      {"enlarged", {0.7, 0.7, 0.7}, Interpolation::linear, true},
      {"shrunk a little", {1.3, 1.3, 1.3}, Interpolation::linear, true},
      {"shrunk", {2, 2, 2}, Interpolation::linear, false},
      {"flipped", {1, -0.7, 1}, Interpolation::linear, false},
      {"more rows count", {2, 2, 2}, Interpolation::cubic, true},
      {"shrunk so much that few rows are shared", {2.9, 2.9, 2.9}, Interpolation::cubic, false},
      {"shrunk along x and z", {2.9, 0.5, 2.9}, Interpolation::linear, true},
      {"no rows are summed", {2.9, 2.9, 2.9}, Interpolation::nearest, true},
  };
  for (const auto& c : cases)
    EXPECT_EQ(source_for(c.step, c.how),
              c.by_column ? "resample/column.cuh" : "resample/resample.cuh")
        << c.name;
}

}  // namespace
}  // namespace synthoscope::kernels
