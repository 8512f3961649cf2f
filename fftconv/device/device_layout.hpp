// SPDX-License-Identifier: MIT
// fftconv/device/device_layout.hpp — where spectra and voxels lie in a device's memory.
#pragma once
#include <cstdint>
#include <vector>
#include "core/cuda/device.hpp"
#include "fftconv/device/line_shape.hpp"
#include "fftconv/layout.hpp"

namespace synthoscope::fftconv::device {

/// Sizes of a run on a device. Spectra are complex values in single precision; a plane has
/// transform.y rows of `pitch`.
struct DeviceLayout {
  std::int64_t pitch = 0;            ///< a whole number of 128 bytes, so that columns are aligned
  std::int64_t plane_values = 0;     ///< complex
  std::int64_t ring_planes = 0;      ///< image spectra held at once
  std::int64_t result_planes = 0;    ///< room of its own for results; 0: the ring's is reused
  std::int64_t transfer_planes = 0;  ///< the kernel's: all frequencies, or its planes where thin
  std::int64_t batch_planes = 1;     ///< planes that travel at once
  std::int64_t load_bytes = 0;       ///< of one plane as it travels up, of image or kernel
  std::int64_t store_voxels = 0;     ///< of one plane as it travels down, floats
  BlockShape rows, columns_y, columns_z;
};

/// Batches in flight each way: one travels while another is computed and a third is filled.
inline constexpr int kBatches = 3;

/// What blocks of threads of a device may have.
BlockLimits block_limits(const cuda::DeviceInfo& device);

/// @param load_voxel_bytes  of the widest voxel that travels up
/// @throws InvalidSpec  lengths that a block of threads of the device cannot transform.
DeviceLayout make_device_layout(const Layout& layout, std::int64_t load_voxel_bytes,
                                const BlockLimits& limits);

}  // namespace synthoscope::fftconv::device
