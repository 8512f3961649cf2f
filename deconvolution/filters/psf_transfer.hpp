// SPDX-License-Identifier: MIT
// deconvolution/filters/psf_transfer.hpp — the transfer function of a PSF, and kernels made from
// spectra.
#pragma once
#include <cstdint>
#include <vector>
#include "core/stream/memory_stream.hpp"
#include "deconvolution/filters/fourier_volume.hpp"

namespace synthoscope::deconvolution {

/// Returns the transfer function K of a PSF of any sum, divided by the sum: K is 1 at frequency 0.
/// @param center  voxel of the PSF that lies on the voxel whose light it spreads
/// @param extent  of the transform; it may be smaller than the PSF
/// @throws InvalidInput  the PSF has voxels that are NaN or infinite, or its sum is not above 0.
/// @throws PlanError, Interrupted, and what the source throws
FourierVolume transfer_of(const fftconv::Kernel& psf, const Index3& center, const Extent3& extent,
                          const RunContext& context);

/// A kernel in memory, whose weights sum to 1.
struct FilterKernel {
  Extent3 extent;
  Index3 center;  ///< the voxel at distance 0
  HostBuffer<float> weights;

  [[nodiscard]] HostView3<float> view() const { return {weights.data(), extent}; }
  /// Returns a source of the weights, which must be kept alive.
  [[nodiscard]] MemorySource source() const {
    return MemorySource{ConstVoxelView{HostView3<const float>{view()}}};
  }
};

/// Copies the voxels at distances -center ... extent - 1 - center from voxel (0, 0, 0), modulo the
/// extent of `volume`. @throws PlanError  beyond the budget
FilterKernel cut_out(const FourierVolume& volume, const Extent3& extent, const Index3& center,
                     const RunContext& context);

/// Returns weights that fall from 1 in the middle to 0 just outside: cos^2(pi i / 2 (half + 1)) at
/// the distances i = -half ... half.
std::vector<double> falling_weights(std::int64_t half);

/// Returns the sum of all weights, plane by plane in double precision.
double sum_of(const FilterKernel& kernel);

}  // namespace synthoscope::deconvolution
