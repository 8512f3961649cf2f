// SPDX-License-Identifier: MIT
// kernels/device/coordinates/coordinates.hpp — coordinates of an affine map of a plane, made by a
// device as an explicit product of matrices.
#pragma once
#include <array>
#include <optional>
#include <vector>
#include "core/cuda/code/kernel_name.hpp"
#include "core/cuda/code/module.hpp"
#include "core/cuda/runtime/device.hpp"
#include "kernels/coordinates/coordinate_product.hpp"
#include "kernels/device/coordinates/coordinates_arguments.hpp"

namespace synthoscope::kernels::device {

/// Rows and columns of the tile that a block of threads makes, and the part of the inner dimension,
/// which is 3, that it multiplies at a time. A block has rows * columns threads.
struct ProductTile {
  int rows = 2, columns = 128, depth = 3;
};

/// Coordinates in device memory: the one along axis i (0 y, 1 x) of pixel (y, x) is
/// values[i * steps.row_step + y * steps.line_step + x].
struct DeviceCoordinates {
  const double* values = nullptr;
  CoordinateSteps steps;
};

/// A box of pixels of a plane.
struct PixelBox {
  std::int64_t y = 0, x = 0, lines = 0, columns = 0;
};

/// Compiled code of one way to multiply. Sums have the bits of Affine::at: a y + b x + c from left
/// to right, in float64.
class CoordinateProducts {
 public:
  /// Returns the kernels that the constructor loads: the product, then the matrix of targets unless
  /// it is fused.
  static std::vector<cuda::KernelName> kernels(CoordinateProduct how, const ProductTile& tile = {});

  /// @throws CudaError
  CoordinateProducts(const cuda::DeviceInfo& device, CoordinateProduct how, ProductTile tile = {});

  /// Returns the doubles of device memory that `enqueue` needs: both matrices.
  static std::int64_t doubles(std::int64_t lines, std::int64_t columns) {
    return 5 * lines * columns;
  }

  /// Enqueues making the coordinates of `box` in `memory`, and returns at once.
  /// @param matrix  two rows of three, for y and x
  DeviceCoordinates enqueue(const cuda::Stream& stream, const std::array<double, 6>& matrix,
                            const PixelBox& box, double* memory) const;

  /// The two steps of `enqueue`; the first does nothing for `fused`.
  void enqueue_targets(const cuda::Stream& stream, const PixelBox& box, double* memory) const;
  DeviceCoordinates enqueue_product(const cuda::Stream& stream, const std::array<double, 6>& matrix,
                                    const PixelBox& box, double* memory) const;

 private:
  [[nodiscard]] CoordinateProductArguments arguments(const PixelBox& box, double* memory) const;

  CoordinateProduct how_;
  ProductTile tile_;
  std::optional<cuda::GpuKernel> targets_, product_;
};

}  // namespace synthoscope::kernels::device
