// SPDX-License-Identifier: MIT
// core/stream/stream.hpp — source, epilogue and sink: the three interfaces of every computation.
// Files and phantoms implement them; executors use them.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include "core/cuda/runtime/device.hpp"
#include "core/volume/box.hpp"
#include "core/volume/view.hpp"

namespace synthoscope {

namespace cuda {
class DeviceSource;
class DeviceEpilogue;
}  // namespace cuda

/// Supplies voxels on demand, in any order, in their native type.
class Source {
 public:
  virtual ~Source() = default;
  [[nodiscard]] virtual Extent3 extent() const = 0;
  [[nodiscard]] virtual PixelType pixel_type() const = 0;

  /// Fills `out` with the voxels of `box`, which lies inside extent(). `out` has the box's size
  /// and pixel_type(). Several threads may read at once.
  /// @throws IoError, InvalidInput
  virtual void read(const Box3& box, VoxelView out) = 0;

  /// Announces that `box` is read next, so that a file can load it while other work is done. A hint
  /// only: it promises and holds nothing. Thread-safe.
  virtual void expect(const Box3& box) { static_cast<void>(box); }

  /// Returns all voxels, if devices can read them directly. They are in pinned host memory, or in
  /// device memory, which the host must not read. They do not move, and equal those of `read`.
  [[nodiscard]] virtual std::optional<ConstVoxelView> device_readable() const { return {}; }

  /// Returns the device whose memory holds the voxels of `box` in device_readable(). Returns none
  /// if they are in host memory, or in the memory of several devices.
  [[nodiscard]] virtual std::optional<cuda::DeviceId> device_of(const Box3& box) const {
    static_cast<void>(box);
    return {};
  }

  /// Returns an object that makes the same voxels on a device (core/stream/device_stream.hpp), for
  /// one run there; null if only the host can make them. This source must outlive it. Several may
  /// work at once. Cheap: it allocates nothing before it is prepared.
  [[nodiscard]] virtual std::unique_ptr<cuda::DeviceSource> make_on_device();
};

/// Format of the volume that an epilogue makes.
struct StreamFormat {
  Extent3 extent;
  PixelType type = PixelType::float32;
  Extent3 alignment{1, 1, 1};  ///< boxes begin and end at multiples of it, or at the far faces
};

/// Numbers of voxels that were clipped to the range of the type, and that were not finite.
struct StoredCounts {
  std::int64_t clipped = 0, non_finite = 0;
};

/// Turns computed voxels into stored ones: rounds them, or records them with a camera. Is called on
/// the host or on the device that computed the voxels, before they are copied.
class Epilogue {
 public:
  virtual ~Epilogue() = default;
  /// Returns the format of what is stored. Its extent differs from `computed` if a camera bins
  /// pixels.
  [[nodiscard]] virtual StreamFormat format(const Extent3& computed) const = 0;

  /// Converts `in` to `out`. `core` is the box of `in` in the computed volume; `out` has the type
  /// of format(), and the extent of format() for the extent of `in`. Several threads may apply at
  /// once.
  virtual void apply(const Box3& core, HostView3<const float> in, VoxelView out) = 0;
  virtual void apply(const Box3& core, HostView3<const double> in, VoxelView out) = 0;

  /// Returns whether `apply` only converts voxels to the format's type by the rules of
  /// stored_voxel.hpp. Then the code that computes voxels may convert them, and calls `count`.
  [[nodiscard]] virtual bool only_converts() const { return false; }

  /// Adds the counts of voxels that were converted elsewhere, if only_converts(). Several threads
  /// may count at once.
  virtual void count(const StoredCounts& counts) { static_cast<void>(counts); }

  /// Returns an object that does the same on a device (core/stream/device_stream.hpp), for one run
  /// there; null if only the host can. This epilogue must outlive it. Several may work at once.
  /// Cheap.
  [[nodiscard]] virtual std::unique_ptr<cuda::DeviceEpilogue> make_on_device();
};

/// In which order a sink takes its boxes.
enum class BoxOrder { planes_in_order, any };

/// Receives disjoint boxes that cover its volume exactly once.
class Sink {
 public:
  virtual ~Sink() = default;
  [[nodiscard]] virtual Extent3 extent() const = 0;
  [[nodiscard]] virtual PixelType pixel_type() const = 0;
  [[nodiscard]] virtual BoxOrder accepts() const = 0;

  /// Takes the voxels of `box`, in pixel_type(). Several threads may write at once when
  /// accepts() is `any`; otherwise one at a time, whole planes in z order.
  /// @throws IoError
  virtual void write(const Box3& box, ConstVoxelView voxels) = 0;

  /// Returns the memory of all voxels, if devices can write it directly, as for a Source. Voxels
  /// that are written there need no `write`.
  [[nodiscard]] virtual std::optional<VoxelView> device_writable() { return {}; }

  /// As Source::device_of.
  [[nodiscard]] virtual std::optional<cuda::DeviceId> device_of(const Box3& box) const {
    static_cast<void>(box);
    return {};
  }

  /// Finishes the result. Without this call, nothing appears under the final name.
  /// @throws IoError
  virtual void close() = 0;
};

}  // namespace synthoscope
