// SPDX-License-Identifier: MIT
// kernels/operation/operation.hpp — the interface of operations on neighbourhoods, which images are
// streamed through.
#pragma once
#include <span>
#include <string_view>
#include <vector>
#include "core/run/task_pool.hpp"
#include "core/stream/store_as.hpp"
#include "kernels/operation/window.hpp"

namespace synthoscope::kernels {

class DeviceOperation;

/// Makes one or several volumes from one image, any box of them from a box of the image. A voxel of
/// a result depends only on its position and the image: not on how results are cut into boxes, nor
/// on threads, nor on the vector unit.
class Operation {
 public:
  virtual ~Operation() = default;

  /// Returns the name of the work, for progress reports.
  [[nodiscard]] virtual std::string_view stage() const = 0;

  /// Returns the extent of each result.
  [[nodiscard]] virtual Extent3 extent() const = 0;
  /// Returns the type of each result.
  [[nodiscard]] virtual std::vector<PixelType> types() const = 0;

  /// Returns the box of the image that must be held to make the results of `box`, as held_box does.
  [[nodiscard]] virtual Box3 needs(const Box3& box) const = 0;

  /// Returns the bytes that `apply` allocates, apart from window and results, for boxes no larger
  /// than `box`.
  [[nodiscard]] virtual std::int64_t working_bytes(const Extent3& box, int threads) const = 0;

  /// Makes the results of `box`. Integers are rounded to nearest, ties to even, and clipped.
  /// @param in   holds at least needs(box).
  /// @param out  for each result a view of box.size and its type.
  virtual void apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
                     TaskPool& pool) = 0;

  /// Returns the numbers of clipped and of non-finite voxels of all boxes so far.
  [[nodiscard]] virtual StoredCounts stored_counts() const = 0;

  /// Returns the same operation on a device (device_operation.hpp), with the same voxels up to
  /// rounding; null if only the host supports it. Owned by this.
  [[nodiscard]] virtual DeviceOperation* on_device() { return nullptr; }

  /// Returns whether `apply` refuses because only devices support the chosen strategy.
  [[nodiscard]] virtual bool is_for_devices_alone() const { return false; }
};

}  // namespace synthoscope::kernels
