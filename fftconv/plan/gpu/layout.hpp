// SPDX-License-Identifier: MIT
// fftconv/plan/gpu/layout.hpp — where spectra and voxels lie in a device's memory.
#pragma once
#include <cstdint>
#include <vector>
#include "core/cuda/runtime/device.hpp"
#include "core/volume/batches.hpp"
#include "fftconv/lines/shape.hpp"
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv::device {

/// Sizes of a run on a device. Spectra are complex values in single precision; a plane has
/// transform.y rows of `pitch`.
struct DeviceLayout {
  std::int64_t pitch = 0;            ///< a whole number of 128 bytes, so that columns are aligned
  std::int64_t plane_values = 0;     ///< complex
  std::int64_t ring_planes = 0;      ///< image spectra held at once
  std::int64_t result_planes = 0;    ///< separate memory for results; 0: other memory is reused
  std::int64_t transfer_planes = 0;  ///< the kernel's: all frequencies, or its planes where thin
  bool keeps_transfer = true;  ///< results reuse the ring's memory; otherwise that of the kernel,
                               ///< which is used once
  std::int64_t batch_planes = 1;        ///< planes that travel at once
  std::int64_t load_bytes = 0;          ///< room for one plane of image or kernel as it comes
  std::int64_t staged_bytes = 0;        ///< of the largest plane that travels up
  std::int64_t store_voxels = 0;        ///< of one plane as it travels down, as floats at most
  std::int64_t stored_voxel_bytes = 0;  ///< as the sink takes them
  std::int64_t second_voxel_bytes =
      0;                           ///< of the second output, for each voxel that is copied down
  std::int64_t factor_floats = 0;  ///< that transforms multiply with
  std::int64_t table_bytes = 0;    ///< room for all tables of a run
  BlockShape rows, columns_y, columns_z;
};

/// Slots begin at multiples of so many bytes, whatever voxels come: of any type, one after another.
inline constexpr std::int64_t kSlotAlignment = 16;

/// Sent with every batch: the numbers of clipped and of non-finite voxels.
inline constexpr std::int64_t kCounts = 2;
inline constexpr std::int64_t kCountBytes = kCounts * 8;

/// What blocks of threads of a device may have.
BlockLimits block_limits(const cuda::DeviceInfo& device);

/// All but the shapes of lines, for a planner that has many cuts to judge.
DeviceLayout sizes_of(const Problem& work, const Layout& layout, const Cut& cut);

/// @param work, transform, cut  of a plan
/// @throws InvalidSpec  lengths that a block of threads of the device cannot transform.
DeviceLayout make_device_layout(const Problem& work, const Extent3& transform, const Cut& cut,
                                const BlockLimits& limits);

/// All of the device's memory that a run takes.
std::vector<MemoryItem> device_memory_of(const DeviceLayout& layout);

/// Pinned memory of the host that it takes.
std::vector<MemoryItem> pinned_memory_of(const DeviceLayout& layout);

/// Returns the bytes that a slot on the way down holds in addition to `voxels` voxels.
std::int64_t second_bytes(std::int64_t voxels, std::int64_t second_voxel_bytes);

/// Bytes of a plane that travels, the wider one of both ways.
std::int64_t travelling_bytes(const DeviceLayout& layout);

}  // namespace synthoscope::fftconv::device
