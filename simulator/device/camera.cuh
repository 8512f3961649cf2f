// SPDX-License-Identifier: MIT
// simulator/device/camera.cuh — records photons as counts, one thread per pixel that is read out.
#pragma once
#include "simulator/detector/camera_arguments.hpp"
// Sources, because NVRTC compiles one text, and the host and devices share these functions
#include "simulator/detector/noise/em_register.cpp"
#include "simulator/detector/noise/photon_counting.cpp"
#include "simulator/detector/noise/poisson.cpp"

namespace synthoscope::simulator::device {

/// Sums `own` over a warp, whose threads must all call this, and adds the sum to `total` once.
inline void add_up(unsigned long long& total, std::int64_t own) {
  if (!__any_sync(~0u, own != 0)) return;
  for (int apart = 16; apart > 0; apart /= 2) own += __shfl_down_sync(~0u, own, apart);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, static_cast<unsigned long long>(own));
}

/// Records photons that are not finite.
inline void refuse(CameraCounters& counters, std::uint64_t voxel, float photons) {
  const NoNumber what = photons != photons ? NoNumber::nan
                        : photons > 0      ? NoNumber::infinity
                                           : NoNumber::minus_infinity;
  atomicMin(&counters.no_number, 4 * voxel + static_cast<std::uint64_t>(what));
}

template <class Count>
__global__ void __launch_bounds__(kCameraThreads) record(const CameraArguments a) {
  const Exposure& e = a.exposure;
  const std::int64_t bin = e.binning, step = static_cast<std::int64_t>(gridDim.x) * kCameraThreads;
  CameraReport part;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kCameraThreads + threadIdx.x;
       i < a.planes * a.rows * a.columns; i += step) {
    const std::int64_t row = i / a.columns, x = i - row * a.columns;
    const std::int64_t plane = row / a.rows, y = row - plane * a.rows;
    const PhotonPointer photons{a.photons + row * bin * bin * a.columns + x * bin, a.columns * bin};
    for (std::int64_t k = 0; k < bin * bin; ++k) {
      const float value = photons.first[k / bin * photons.row + k % bin];
      if (value - value != 0)
        refuse(*a.counters,
               static_cast<std::uint64_t>(((a.z + plane) * e.height + (a.y + y) * bin + k / bin) *
                                              e.width +
                                          (a.x + x) * bin + k % bin),
               value);
    }
    const double dn = recorded(e, a.maps, a.z + plane, a.y + y, a.x + x, photons, part);
    static_cast<Count*>(a.counts)[i] = static_cast<Count>(dn);
  }
  add_up(a.counters->full_wells, part.full_wells);
  add_up(a.counters->full_counters, part.full_counters);
  add_up(a.counters->clipped_low, part.clipped_low);
  add_up(a.counters->clipped_high, part.clipped_high);
  add_up(a.counters->negative_photons, part.negative_photons);
  if (part.most_negative_photons < 0)
    atomicMax(&a.counters->most_negative_bits,
              std::bit_cast<unsigned int>(part.most_negative_photons));
}

}  // namespace synthoscope::simulator::device
