// SPDX-License-Identifier: MIT
// fftconv/plan/gpu/layout.hpp — where spectra and voxels are in a device's memory.
#pragma once
#include <cstdint>
#include <vector>
#include "core/cuda/runtime/device.hpp"
#include "core/volume/batches.hpp"
#include "fftconv/fft/fft_library.hpp"
#include "fftconv/lines/plane_shape.hpp"
#include "fftconv/lines/shape.hpp"
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv::device {

/// Sizes of a run on a device. Spectra are complex values in single precision; a plane has
/// transform.y rows of `pitch`.
struct DeviceLayout {
  std::int64_t pitch = 0;          ///< a whole number of 128 bytes, so that columns are aligned
  std::int64_t plane_values = 0;   ///< complex
  std::int64_t ring_planes = 0;    ///< image spectra held at once
  std::int64_t result_planes = 0;  ///< separate memory for results; 0: other memory is reused
  std::int64_t transfer_planes =
      0;                       ///< of the kernel: all frequencies, or its planes if it is thin
  bool keeps_transfer = true;  ///< results reuse the ring's memory; otherwise the kernel's memory,
                               ///< which is used once
  std::int64_t batch_planes = 1;        ///< planes that are copied at once
  std::int64_t load_bytes = 0;          ///< of a plane of image or kernel in its own type
  std::int64_t kernel_planes = 0;       ///< that are copied up
  std::int64_t kernel_bytes = 0;        ///< of one of them in the widest type
  bool copies_image = true;             ///< up; otherwise it is made on the device
  std::int64_t store_voxels = 0;        ///< of a plane that is copied down, as floats at most
  std::int64_t stored_voxel_bytes = 0;  ///< in the type of the sink
  std::int64_t second_voxel_bytes = 0;  ///< of the second output
  std::int64_t factor_floats = 0;       ///< factors of the transforms
  std::int64_t table_bytes = 0;         ///< of all tables of a run
  BlockShape rows, columns_y, columns_z;
  PlanePasses fused;  ///< if any: whole planes, in place of rows and columns along y
  // For a library that transforms in place of our kernels
  FftLibrary fft = FftLibrary::own;
  std::int64_t library_planes = 0;  ///< transformed at once
  std::int64_t strip_columns = 0;   ///< along z that are transformed at once; 0: none are
  std::int64_t strip_values = 0;    ///< complex, of a strip
  std::int64_t workspace_bytes = 0;
};

/// Slots begin at multiples of this many bytes, for voxels of any type.
inline constexpr std::int64_t kSlotAlignment = 16;

/// Sent with every batch: the numbers of clipped and of non-finite voxels.
inline constexpr std::int64_t kCounts = 2;
inline constexpr std::int64_t kCountBytes = kCounts * 8;

/// Returns the limits of a block of threads of a device.
BlockLimits block_limits(const cuda::DeviceInfo& device);

/// Returns all sizes except the block shapes, for a planner that compares many cuts.
DeviceLayout sizes_of(const Problem& work, const Layout& layout, const Cut& cut);

/// Returns the passes over whole planes where they are faster, else none. They do not depend on
/// batches: several GPUs, whose batches are smaller, give the bits of one.
PlanePasses plane_passes_for(const Layout& layout, const BlockLimits& limits);

/// @param work, transform, cut  of a plan
/// @throws InvalidSpec  lengths that a block of threads of the device cannot transform.
DeviceLayout make_device_layout(const Problem& work, const Extent3& transform, const Cut& cut,
                                const BlockLimits& limits);

/// Returns how many planes of the kernel are copied at once. They may be far smaller than planes of
/// the image, and each batch costs the host the same. If there is room, all slots together take the
/// whole kernel.
std::int64_t kernel_batch_planes(const DeviceLayout& layout);

/// Returns the memory of the device that a run needs.
std::vector<MemoryItem> device_memory_of(const DeviceLayout& layout);

/// Returns the pinned memory of the host that a run needs.
std::vector<MemoryItem> pinned_memory_of(const DeviceLayout& layout);

/// Returns the bytes of the second output in a slot of LinkDown with `voxels` voxels.
std::int64_t second_bytes(std::int64_t voxels, std::int64_t second_voxel_bytes);

/// Returns the bytes of a copied plane, in the direction that has more.
std::int64_t travelling_bytes(const DeviceLayout& layout);

/// Returns how many planes the host copies at once at most, at least 1, if so many devices of one
/// machine work at the same time. The batches in flight of all of them stay in the last cache of a
/// server, where the link reads what the host wrote and the host what the link wrote. Larger ones
/// cross the memory bus of the host three times (docs/benchmarks/many-gpus.md).
std::int64_t most_batch_planes(const DeviceLayout& layout, std::int64_t devices = 1);

}  // namespace synthoscope::fftconv::device
