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

/// Gives voxels on demand, in any order, in their native type.
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

  /// All voxels, where they lie in memory that devices read by themselves: pinned memory of the
  /// host, or their own, at which the host must not look. They stay there and are what `read`
  /// gives.
  [[nodiscard]] virtual std::optional<ConstVoxelView> pinned() const { return {}; }

  /// Returns the device whose own memory holds all of pinned(); none if it is memory of the host or
  /// of several devices.
  [[nodiscard]] virtual std::optional<cuda::DeviceId> only_device() const { return {}; }

  /// Returns an object that makes the same voxels on a device (core/stream/device_stream.hpp), for
  /// one run there; null if only the host can make them. This source must outlive it. Several may
  /// work at once. Cheap: it allocates nothing before it is prepared.
  [[nodiscard]] virtual std::unique_ptr<cuda::DeviceSource> make_on_device();
};

/// What an epilogue makes of a volume of a given extent.
struct StreamFormat {
  Extent3 extent;
  PixelType type = PixelType::float32;
  Extent3 alignment{1, 1, 1};  ///< boxes start and end on multiples of it, or at the far faces
};

/// Voxels that did not stay what they were.
struct StoredCounts {
  std::int64_t clipped = 0, non_finite = 0;
};

/// Turns a finished box into what is stored, where the box already is.
class Epilogue {
 public:
  virtual ~Epilogue() = default;
  [[nodiscard]] virtual StreamFormat format(const Extent3& computed) const = 0;

  /// `core` is the position of `in` in the computed volume; `out` has the format's type and the
  /// extent it makes of `in`. Several threads may apply at once.
  virtual void apply(const Box3& core, HostView3<const float> in, VoxelView out) = 0;
  virtual void apply(const Box3& core, HostView3<const double> in, VoxelView out) = 0;

  /// Whether `apply` only converts voxels to the format's type by the rules of stored_voxel.hpp.
  /// Then a step that has the voxels in hand may convert them and `count` what changed.
  [[nodiscard]] virtual bool only_converts() const { return false; }

  /// Adds what was converted elsewhere, if only_converts(). Several threads may count at once.
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

  /// All voxels, if they lie in memory that devices write directly, as for a Source: voxels that
  /// are put there need no `write`.
  [[nodiscard]] virtual std::optional<VoxelView> pinned() { return {}; }

  /// As of a Source.
  [[nodiscard]] virtual std::optional<cuda::DeviceId> only_device() const { return {}; }

  /// Makes the result whole and visible. Without it nothing appears under the final name.
  /// @throws IoError
  virtual void close() = 0;
};

}  // namespace synthoscope
