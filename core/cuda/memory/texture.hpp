// SPDX-License-Identifier: MIT
// core/cuda/memory/texture.hpp — an image as the texture units of a device interpolate it.
#pragma once
#include <cstdint>
#include "core/cuda/memory/memory.hpp"
#include "core/run/memory_budget.hpp"
#include "core/volume/box.hpp"
#include "core/volume/pixel_type.hpp"

struct cudaArray;

namespace synthoscope::cuda {

struct ArrayTraits {
  using Raw = cudaArray*;
  static constexpr Raw null() { return nullptr; }
  static void release(Raw raw, DeviceId device) noexcept;
};

/// CUDA's cudaTextureObject_t, of which 0 is none.
struct TextureTraits {
  using Raw = unsigned long long;
  static constexpr Raw null() { return 0; }
  static void release(Raw raw, DeviceId device) noexcept;
};

/// A texture with memory for images that are copied to it. Interpolation weights have 8 fractional
/// bits. A single plane is a 2-D texture, several planes are a 3-D one.
class Texture {
 public:
  /// Voxels of these types, and no longer axes: integers are read as shares of their largest value.
  static bool can_hold(PixelType type, const Extent3& extent);

  Texture() = default;
  /// @param extent  of the largest image, which can_hold
  /// @throws PlanError  the budget is exceeded.  @throws OutOfDeviceMemory, CudaError
  Texture(DeviceId device, MemoryBudget& budget, PixelType type, const Extent3& extent);

  /// Enqueues a copy of a box of voxels in memory of the device, which lie in z, y, x order without
  /// gaps. It comes to the origin of the texture.
  /// @param extent  of all of the voxels
  void enqueue_copy(const Stream& stream, const void* voxels, const Extent3& extent,
                    const Box3& box) const;

  /// Returns whether it has two dimensions.
  [[nodiscard]] bool is_plane() const { return extent_.z == 1; }
  [[nodiscard]] TextureTraits::Raw handle() const { return texture_.get(); }

 private:
  PixelType type_ = PixelType::float32;
  Extent3 extent_;
  Reservation reservation_;
  UniqueHandle<ArrayTraits> array_;
  UniqueHandle<TextureTraits> texture_;
};

}  // namespace synthoscope::cuda
