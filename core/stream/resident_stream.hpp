// SPDX-License-Identifier: MIT
// core/stream/resident_stream.hpp — volumes on devices as sources and sinks.
#pragma once
#include "core/cuda/memory/spread_memory.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::cuda {

/// Voxels that lie on devices, in z, y, x order without gaps: devices read and write them by
/// themselves, and the host by way of the link. The memory outlives both.
class ResidentSource final : public Source {
 public:
  /// Reads memory of one device that the caller owns.
  ResidentSource(DeviceId device, ConstVoxelView voxels) : device_{device}, voxels_{voxels} {}
  /// From the beginning of `memory` on.
  ResidentSource(const SpreadMemory& memory, const Extent3& extent, PixelType type);
  [[nodiscard]] Extent3 extent() const override { return voxels_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return voxels_.type(); }
  /// @throws CudaError
  void read(const Box3& box, VoxelView out) override;
  [[nodiscard]] std::optional<ConstVoxelView> device_readable() const override { return voxels_; }
  [[nodiscard]] std::optional<DeviceId> device_of(const Box3& box) const override;

 private:
  DeviceId device_;
  const SpreadMemory* memory_ = nullptr;  ///< null: all is on the device
  ConstVoxelView voxels_;
};

class ResidentSink final : public Sink {
 public:
  ResidentSink(DeviceId device, VoxelView voxels) : device_{device}, voxels_{voxels} {}
  ResidentSink(const SpreadMemory& memory, const Extent3& extent, PixelType type);
  [[nodiscard]] Extent3 extent() const override { return voxels_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return voxels_.type(); }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  /// @throws CudaError
  void write(const Box3& box, ConstVoxelView voxels) override;
  [[nodiscard]] std::optional<VoxelView> device_writable() override { return voxels_; }
  void close() override {}
  [[nodiscard]] std::optional<DeviceId> device_of(const Box3& box) const override;

 private:
  DeviceId device_;
  const SpreadMemory* memory_ = nullptr;  ///< null: all is on the device
  VoxelView voxels_;
};

}  // namespace synthoscope::cuda
