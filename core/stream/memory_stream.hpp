// SPDX-License-Identifier: MIT
// core/stream/memory_stream.hpp — volumes in memory as sources and sinks.
#pragma once
#include <vector>
#include "core/stream/stream.hpp"

namespace synthoscope {

/// Host memory as it comes, or pinned by CUDA: devices read and write it by themselves.
enum class HostMemory { ordinary, pinned };

/// Reads boxes from voxels that the caller keeps alive.
class MemorySource final : public Source {
 public:
  explicit MemorySource(ConstVoxelView voxels, HostMemory memory = HostMemory::ordinary)
      : voxels_{voxels}, memory_{memory} {}
  [[nodiscard]] Extent3 extent() const override { return voxels_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return voxels_.type(); }
  void read(const Box3& box, VoxelView out) override;
  [[nodiscard]] std::optional<ConstVoxelView> device_readable() const override {
    if (memory_ == HostMemory::pinned) return voxels_;
    return {};
  }

 private:
  ConstVoxelView voxels_;
  HostMemory memory_;
};

/// Writes boxes into voxels that the caller keeps alive.
class MemorySink final : public Sink {
 public:
  explicit MemorySink(VoxelView voxels, HostMemory memory = HostMemory::ordinary)
      : voxels_{voxels}, memory_{memory} {}
  [[nodiscard]] Extent3 extent() const override { return voxels_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return voxels_.type(); }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3& box, ConstVoxelView voxels) override;
  [[nodiscard]] std::optional<VoxelView> device_writable() override {
    if (memory_ == HostMemory::pinned) return voxels_;
    return {};
  }
  void close() override {}

 private:
  VoxelView voxels_;
  HostMemory memory_;
};

/// A contiguous volume that owns its voxels.
template <class T>
struct Volume {
  Extent3 extent;
  std::vector<T> voxels;

  Volume() = default;
  explicit Volume(const Extent3& e) : extent{e}, voxels(static_cast<std::size_t>(volume(e))) {}
  HostView3<T> view() { return {voxels.data(), extent}; }
  HostView3<const T> view() const { return {voxels.data(), extent}; }
};

/// Reads a whole source into memory, whatever its type, as T.
template <class T>
Volume<T> read_all(Source& source);

extern template Volume<float> read_all(Source&);
extern template Volume<double> read_all(Source&);

}  // namespace synthoscope
