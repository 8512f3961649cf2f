// SPDX-License-Identifier: MIT
// kernels/resample/resample.hpp — an image on another grid: every voxel of the result is looked up
// at its coordinate in the image.
#pragma once
#include <atomic>
#include <memory>
#include "kernels/coordinates/coordinate_product.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/operation/operation.hpp"
#include "kernels/resample/tile.hpp"

namespace synthoscope::kernels {

struct ResampleSpec {
  Extent3 result;
  Interpolation interpolation = Interpolation::linear;
  Outside outside = Outside::zero;
  double fill = 0;  ///< for zero and grid_constant
  PixelType type = PixelType::float32;
  ResampleStrategy strategy = ResampleStrategy::automatic;
  /// Computed when they are looked up, or by a device in advance: the same numbers.
  CoordinateProduct coordinates = CoordinateProduct::fused;
  VectorLevel level = vector_level();
};

/// result(o) = image(map(o)), as in scipy.ndimage.map_coordinates of orders 0, 1, 3, or by Lanczos'
/// kernel of three lobes.
///
/// Coordinates are doubles. `nearest` copies voxels unchanged, of any type, if the result has the
/// image's type: labels stay labels. The others compute in float32, within 2e-6 of results in
/// double, relative to the largest voxel around; integers of 32 bits above 2^24 are rounded.
/// `cubic` first fits the B-spline that passes through the voxels (splines/prefilter.hpp): for zero
/// and scipy_wrap as if the image were mirrored, as scipy does; otherwise as the image continues
/// outside. `lanczos` uses the same voxels outside as `cubic`.
/// @throws InvalidSpec  an extent without voxels; zero or grid_constant with a fill value that the
///                      result's type does not hold; the strategy column if an axis depends on
///                      others; texture if the interpolation is not linear or the map not affine;
///                      coordinates as a product of matrices if planes differ, or with another
///                      strategy than pixel. `apply` throws for texture and such coordinates.
class Resample final : public Operation {
 public:
  Resample(const Extent3& image, std::shared_ptr<const CoordinateMap> map,
           const ResampleSpec& spec);

  [[nodiscard]] std::string_view stage() const override { return "resample"; }
  [[nodiscard]] Extent3 extent() const override { return spec_.result; }
  [[nodiscard]] std::vector<PixelType> types() const override { return {spec_.type}; }
  [[nodiscard]] Box3 needs(const Box3& box) const override;
  [[nodiscard]] std::int64_t working_bytes(const Extent3& box, int threads) const override;
  void apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
             TaskPool& pool) override;

  [[nodiscard]] StoredCounts stored_counts() const override {
    return {clipped_.load(), non_finite_.load()};
  }

  [[nodiscard]] DeviceOperation* on_device() override { return there_.get(); }
  [[nodiscard]] bool is_for_devices_alone() const override {
    return spec_.strategy == ResampleStrategy::texture ||
           spec_.coordinates != CoordinateProduct::fused;
  }

  [[nodiscard]] const Extent3& image() const { return image_; }
  [[nodiscard]] const CoordinateMap& map() const { return *map_; }
  [[nodiscard]] const ResampleSpec& spec() const { return spec_; }

  /// Return the box for which `cubic` makes coefficients to compute `box`, and for how many voxels
  /// outside each face it does: there the last voxels of the image count together with those
  /// outside.
  [[nodiscard]] Box3 fitted(const Box3& box) const;
  [[nodiscard]] const Index3& fitted_outside() const { return outside_; }

 private:
  [[nodiscard]] Lookup lookup(const Window* voxels) const;
  void make(const Lookup& lookup, const Box3& box, VoxelView out, TaskPool& pool);
  void check_coordinates_of_planes() const;

  Extent3 image_;
  std::shared_ptr<const CoordinateMap> map_;
  ResampleSpec spec_;
  WholeAxes whole_;
  Index3 outside_;
  std::atomic<std::int64_t> clipped_{0}, non_finite_{0};
  std::unique_ptr<DeviceOperation> there_;
};

}  // namespace synthoscope::kernels
