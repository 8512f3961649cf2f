// SPDX-License-Identifier: MIT
// core/stream/scratch_volume.hpp — a volume that is written and read back within one run.
#pragma once
#include <filesystem>
#include "core/cuda/memory/buffer.hpp"
#include "core/run/host_buffer.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope {

/// Voxels in memory or in a nameless file, which goes with the process whatever becomes of it.
/// Several threads may read and write disjoint boxes at once.
class ScratchVolume final : public Source, public Sink {
 public:
  /// In memory. @throws PlanError beyond the budget.
  ScratchVolume(const Extent3& extent, PixelType type, MemoryBudget& memory, std::string_view what);

  /// In pinned memory, which devices read and write by themselves.
  /// @throws PlanError beyond the budget.  @throws OutOfDeviceMemory, CudaError
  ScratchVolume(const Extent3& extent, PixelType type, cuda::DeviceId device, MemoryBudget& memory,
                std::string_view what);

  /// In a file of `folder`, whose room is taken at once.
  /// @throws IoError  the folder takes no file, or the disk is full.
  ScratchVolume(const Extent3& extent, PixelType type, const std::filesystem::path& folder);

  ScratchVolume(const ScratchVolume&) = delete;
  ScratchVolume& operator=(const ScratchVolume&) = delete;
  ~ScratchVolume() override;

  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return type_; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void read(const Box3& box, VoxelView out) override;
  void write(const Box3& box, ConstVoxelView voxels) override;
  void close() override {}
  [[nodiscard]] std::optional<ConstVoxelView> device_readable() const override;
  [[nodiscard]] std::optional<VoxelView> device_writable() override;

  [[nodiscard]] std::int64_t file_bytes() const { return descriptor_ < 0 ? 0 : bytes(); }

 private:
  [[nodiscard]] std::int64_t bytes() const { return volume(extent_) * size_of(type_); }
  [[noreturn]] void fail(int errno_value) const;
  void take_room() const;

  Extent3 extent_;
  PixelType type_;
  HostBuffer<std::byte> memory_;
  cuda::PinnedBuffer<std::byte> pinned_;
  std::byte* voxels_ = nullptr;  ///< in memory
  std::filesystem::path folder_;
  int descriptor_ = -1;
};

}  // namespace synthoscope
