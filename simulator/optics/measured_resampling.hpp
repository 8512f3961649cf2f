// SPDX-License-Identifier: MIT
// simulator/optics/measured_resampling.hpp — planes of a measured PSF, recentred and respaced.
#pragma once
#include <cstdint>
#include <vector>
#include "core/base/units.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/optics/functions/sinc_taps.hpp"
#include "simulator/optics/measured_file.hpp"

namespace synthoscope::simulator {

/// Profiles of the file's middle plane, and of the line through its middle across all planes,
/// without background.
struct MiddleOfFile {
  std::vector<double> along_y, along_x;  ///< sums of the plane's rows, of its columns
  std::vector<double> along_z;
};
MiddleOfFile middle_of(const MeasuredFile& file, const Volume<float>& voxels);

/// Sums of a plane's voxels in the window, and on an infinite grid.
struct PlaneLight {
  double window = 0, unbounded = 0;
};

/// Planes of the file, resampled one at a time to a grid's positions. Voxels of the grid sample the
/// file at their middle, interpolated by a windowed sinc. Along y and x they average the file
///   * over a voxel of the grid, if samples would miscount the light of the middle plane by more
///     than 1e-3;
///   * otherwise, with `pixel_integration` and if larger than the file's voxels: over a box that
///     widens the file's pixels, whose extent is already in the file, to the grid's pixels.
class Resampling {
 public:
  /// @throws InvalidSpec  samples would miscount the light, and the spec forbids to average.
  Resampling(const OpticsSpec& spec, const MeasuredFile& file, const MiddleOfFile& middle,
             const VoxelSize& pitch, const Extent3& size);

  /// Returns the bytes that a thread works in.
  static std::int64_t bytes(const Extent3& file, const Extent3& size);

  /// Writes the values of plane `z` times `scale` to `out`.
  /// @returns  sums of the values without `scale`.
  template <class T>
  PlaneLight plane(const Volume<float>& file, std::int64_t z, double scale, T* out) const;

  /// Returns the sum of the file's middle plane on an infinite grid.
  [[nodiscard]] double light_in_focus(const Volume<float>& file) const;

 private:
  [[nodiscard]] std::vector<double> along_z(const Volume<float>& file, const Taps& taps) const;
  [[nodiscard]] double unbounded(const std::vector<double>& flat) const;

  Extent3 extent_, size_;
  double background_;
  std::vector<Taps> z_, y_, x_;
  Taps focus_;  ///< of the plane that is in the middle without a shift
  std::vector<double> shares_y_, shares_x_;
};

}  // namespace synthoscope::simulator
