// SPDX-License-Identifier: MIT
// fftconv/planes/access.hpp — planes of the work problem read from and written to real volumes, and
// voxels as numbers to compute with.
#pragma once
#include <type_traits>
#include "core/stream/stream.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

/// Boxes of the work problem are boxes of the volume, but for flat images, whose rows play planes.
/// Memory order is the same for both.
class WorkAxes {
 public:
  /// Boxes are given in the work problem.
  WorkAxes() = default;
  explicit WorkAxes(const Plan& plan) : rows_as_planes_{!(plan.work == plan.problem)} {}

  [[nodiscard]] Extent3 to_volume(const Extent3& e) const {
    return rows_as_planes_ ? Extent3{e.y, e.z, e.x} : e;
  }
  [[nodiscard]] Box3 to_volume(const Box3& b) const {
    if (!rows_as_planes_) return b;
    return {{b.origin.y, b.origin.z, b.origin.x}, to_volume(b.size)};
  }
  [[nodiscard]] bool rows_as_planes() const { return rows_as_planes_; }

 private:
  bool rows_as_planes_ = false;
};

/// voxel -> scale * (voxel - background), computed in Wide.
template <class Wide, class Real>
struct VoxelScale {
  Wide scale, background;
  template <class Native>
  Real operator()(Native voxel) const {
    return static_cast<Real>((static_cast<Wide>(voxel) - background) * scale);
  }
};

/// True if Real holds every voxel and the background exactly, so that their difference is right.
template <class Native, class Real>
bool holds_exactly(double background) {
  return (sizeof(Native) < 4 || std::is_same_v<Native, float>)&&static_cast<double>(
             static_cast<Real>(background)) == background;
}

}  // namespace synthoscope::fftconv
