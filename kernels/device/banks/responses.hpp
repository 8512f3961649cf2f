// SPDX-License-Identifier: MIT
// kernels/device/banks/responses.hpp — responses of a bank of filters in memory of a device, a few
// planes of the image at a time.
#pragma once
#include <optional>
#include <vector>
#include "core/cuda/code/module.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "kernels/banks/tiles.hpp"
#include "kernels/operation/device_operation.hpp"

namespace synthoscope::kernels::device {

class DeviceResponses {
 public:
  /// Returns whether all fields of a bank can run on a device.
  static bool are_possible(const BankTiles& bank);

  explicit DeviceResponses(const BankTiles& bank) : bank_{bank} {}

  /// Returns the planes of a box that are made at once: one, or all if filters reach along z.
  [[nodiscard]] Extent3 slab_of(const Extent3& planes) const;
  /// Returns the bytes needed for slabs no larger than this one, responses included.
  [[nodiscard]] std::int64_t working_bytes(const Extent3& slab) const;

  /// As DeviceOperation::kernels and DeviceOperation::prepare.
  [[nodiscard]] std::vector<cuda::KernelName> kernels(const cuda::DeviceInfo& device,
                                                      PixelType type, const Extent3& slab) const;
  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& slab,
               const cuda::Stream& stream);

  /// Enqueues responses at `slab`, a box of the image: response r of voxel i is element
  /// (r - wanted.first) * volume(slab.size) + i of the returned array.
  const float* enqueue(const cuda::Stream& stream, const DeviceWindow& in, const Box3& slab,
                       const ResponseRange& wanted);

  /// Waits, and frees what prepare allocated.
  void finish(const cuda::Stream& stream);
  void release();

 private:
  /// What to make: where it is enqueued, the window that is read, and the box of the image.
  struct Work {
    const cuda::Stream& stream;
    const DeviceWindow& in;
    const Box3& slab;
  };
  static void enqueue_field(const Work& work, TiledOperation& field, float* to);
  void enqueue_group(const Work& work, const BankTiles::Group& group, float* to);

  const BankTiles& bank_;
  std::vector<std::optional<cuda::GpuKernel>> answers_;  ///< indexed by BankAnswer
  cuda::DeviceBuffer<float> fields_;                     ///< the mean, then the fields of a group
  cuda::DeviceBuffer<float> responses_;
};

}  // namespace synthoscope::kernels::device
