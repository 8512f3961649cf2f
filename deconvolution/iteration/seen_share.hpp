// SPDX-License-Identifier: MIT
// deconvolution/iteration/seen_share.hpp — how much of the light of a place the field receives.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>
#include "core/run/run_context.hpp"
#include "deconvolution/iteration/depth_psf.hpp"
#include "deconvolution/iteration/geometry.hpp"
#include "fftconv/axis.hpp"

namespace synthoscope::fftconv {
class BoxSums;
}

namespace synthoscope::deconvolution {

/// Positions of an axis of the estimate by the part of the kernel that reaches the field from
/// there. All of a class have the same part. Positions `front` to `back` are one class; the others
/// are classes of their own, all in order.
struct ShareClasses {
  std::int64_t front = 0, back = 0, count = 1;
  ShareClasses() = default;
  ShareClasses(std::int64_t field, std::int64_t kernel);

  [[nodiscard]] std::int64_t first_of(std::int64_t class_number) const {
    return class_number <= front ? class_number : class_number + back - front;
  }
  [[nodiscard]] std::int64_t size_of(std::int64_t class_number) const {
    return class_number == front ? back - front + 1 : 1;
  }
};

/// H^T 1: for each voxel of the estimate the sum of the weights with which it reaches the field, 1
/// where all of a kernel of sum 1 does. From summed-area tables of the kernels.
class SeenShare {
 public:
  /// Voxels that the field sees less of than this, relative to the most, tell nothing that noise
  /// does not hide: they take no part.
  static constexpr double kLeast = 1e-3;

  /// Reads the kernel once. @throws PlanError beyond the budget. @throws Interrupted
  SeenShare(const Geometry& geometry, const fftconv::Kernel& kernel, const RunContext& context)
      : SeenShare{geometry, std::vector{WeightedPsf{kernel}}, context} {}
  /// The same of a PSF that varies with depth.
  SeenShare(const Geometry& geometry, const std::vector<WeightedPsf>& psfs,
            const RunContext& context);
  ~SeenShare();

  /// Fills `shares` for the voxels (z, y, x), (z, y, x + 1), ... of the estimate; 0 for those that
  /// take no part. Thread-safe.
  void fill_row(std::int64_t z, std::int64_t y, std::int64_t x, std::span<float> shares) const;

  /// Returns the largest share of a voxel in the middle of a plane.
  [[nodiscard]] double whole() const { return total_; }

  /// Returns the memory that such an object holds for each PSF.
  static std::int64_t bytes(const Geometry& geometry);

  /// Returns the classes along an axis. Voxels of the same three have the same share.
  [[nodiscard]] ShareClasses classes(const fftconv::VolumeAxis& axis) const;

  /// Fills `shares` for all classes along x, in classes of the other axes, as fill_row does.
  void fill_classes(std::int64_t z, std::int64_t y, std::span<float> shares) const;

  /// Returns the sum over all voxels that take part.
  [[nodiscard]] double sum(const RunContext& context) const;

 private:
  /// One of the PSFs.
  struct Part {
    std::unique_ptr<const fftconv::BoxSums> sums;
    double total;  ///< share of a voxel in the middle of a plane of weight 1
    std::vector<double> weights;
    [[nodiscard]] double weight(std::int64_t z) const {
      return weights.empty() ? 1 : weights[static_cast<std::size_t>(z)];
    }
  };

  /// Returns the share, or 0 if it is too small.
  [[nodiscard]] float counted(double share) const {
    return share > kLeast * total_ ? static_cast<float>(share) : 0;
  }
  /// Returns the share of voxels of a plane from which the whole kernels reach the field.
  [[nodiscard]] double whole_in(std::int64_t z) const;
  void fill_by_sums(std::int64_t z, std::int64_t y, std::int64_t x, std::span<float> shares) const;

  Geometry geometry_;
  std::vector<Part> parts_;
  double total_ = 0;  ///< the largest of whole_in
};

}  // namespace synthoscope::deconvolution
