// SPDX-License-Identifier: MIT
// fftconv/fft/fftw_volume.hpp — FFTW's own transforms of real volumes, which share
// nothing with ours. In a build without FFTW nothing here may be called.
#pragma once
#include <cstdint>
#include "core/volume/extent.hpp"

namespace synthoscope::fftconv::fftw {

/// Returns the doubles of a row of `width` in memory, where its spectrum of width / 2 + 1 complex
/// values has room as well.
constexpr std::int64_t row_pitch(std::int64_t width) {
  return 2 * (width / 2 + 1);
}

/// Transforms a volume in place: extent.z * extent.y rows of row_pitch(extent.x) doubles, aligned
/// as HostBuffer is. Unscaled. Uses so many threads, and cannot be interrupted.
void forward(const Extent3& extent, double* volume, int threads);
/// The inverse of `forward`, times the voxels of `extent`.
void inverse(const Extent3& extent, double* volume, int threads);

}  // namespace synthoscope::fftconv::fftw
