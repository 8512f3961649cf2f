// SPDX-License-Identifier: MIT
// deconvolution/seen_share.hpp — how much of the light of a place the field receives.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include "core/run/run_context.hpp"
#include "deconvolution/geometry.hpp"

namespace synthoscope::fftconv {
class BoxSums;
}

namespace synthoscope::deconvolution {

/// H^T 1: for each voxel of the estimate the sum of the weights with which it reaches the field, 1
/// where all of a kernel of sum 1 does. From a summed-area table of the kernel.
class SeenShare {
 public:
  /// Voxels that the field sees less of than this, relative to the most, tell nothing that noise
  /// does not hide: they take no part.
  static constexpr double kLeast = 1e-3;

  /// Reads the kernel once. @throws PlanError beyond the budget. @throws Interrupted
  SeenShare(const Geometry& geometry, const fftconv::Kernel& kernel, const RunContext& context);
  ~SeenShare();

  /// Fills `shares` for the voxels (z, y, x), (z, y, x + 1), ... of the estimate; 0 for those that
  /// take no part. Thread-safe.
  void fill_row(std::int64_t z, std::int64_t y, std::int64_t x, std::span<float> shares) const;

  /// Returns the memory that such an object holds.
  static std::int64_t bytes(const Geometry& geometry);

  /// Returns the sum over all voxels that take part.
  [[nodiscard]] double sum(const RunContext& context) const;

 private:
  void fill_by_sums(std::int64_t z, std::int64_t y, std::int64_t x, std::span<float> shares) const;

  Geometry geometry_;
  std::unique_ptr<const fftconv::BoxSums> sums_;
  double total_ = 0;  ///< of all weights
};

}  // namespace synthoscope::deconvolution
