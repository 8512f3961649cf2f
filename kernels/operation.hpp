// SPDX-License-Identifier: MIT
// kernels/operation.hpp — what an operation on neighbourhoods is to who streams images through it.
#pragma once
#include <span>
#include <string_view>
#include <vector>
#include "core/run/task_pool.hpp"
#include "core/stream/store_as.hpp"
#include "kernels/window.hpp"

namespace synthoscope::kernels {

class DeviceOperation;

/// Makes one or several volumes of one image, any box of them from a box of the image. A voxel of a
/// result depends on its position and the image alone: not on how results are cut into boxes, nor
/// on threads, nor on the vector unit.
class Operation {
 public:
  virtual ~Operation() = default;

  /// Names the work to whoever watches its progress.
  [[nodiscard]] virtual std::string_view stage() const = 0;

  /// Of each result.
  [[nodiscard]] virtual Extent3 extent() const = 0;
  /// One for each result.
  [[nodiscard]] virtual std::vector<PixelType> types() const = 0;

  /// The box of the image that must be held to make the results of `box`, as held_box gives it.
  [[nodiscard]] virtual Box3 needs(const Box3& box) const = 0;

  /// What `apply` takes beside window and results, in bytes, for boxes no larger than `box`.
  [[nodiscard]] virtual std::int64_t working_bytes(const Extent3& box, int threads) const = 0;

  /// Makes the results of `box`. Integers are rounded to nearest, ties to even, and clipped.
  /// @param in   holds at least needs(box).
  /// @param out  a view of box.size and its type for each result.
  virtual void apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
                     TaskPool& pool) = 0;

  /// What rounding and clipping did to the voxels of all boxes so far.
  [[nodiscard]] virtual StoredCounts stored() const = 0;

  /// The same on a device (device_operation.hpp), with the same voxels up to rounding; null where
  /// only the host can. Belongs to this.
  [[nodiscard]] virtual DeviceOperation* on_device() { return nullptr; }

  /// Whether `apply` refuses, as it is done in a way that only a device has.
  [[nodiscard]] virtual bool is_for_devices_alone() const { return false; }
};

}  // namespace synthoscope::kernels
