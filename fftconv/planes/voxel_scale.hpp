// SPDX-License-Identifier: MIT
// fftconv/planes/voxel_scale.hpp — stored voxels become numbers to compute with.
#pragma once
#include <type_traits>

namespace synthoscope::fftconv {

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
