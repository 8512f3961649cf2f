// SPDX-License-Identifier: MIT
// python/files/array_stream.hpp — objects with shape, dtype and slices as sources and sinks:
// memory-mapped arrays, data sets of h5py and zarr, arrays of dask.
#pragma once
#include <nanobind/nanobind.h>
#include <cstdint>
#include <mutex>
#include <string>
#include "core/run/host_buffer.hpp"
#include "core/run/memory_budget.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::python {

/// An object of two or three axes, (y, x) or (z, y, x), as volumes of voxels. Its functions are
/// called with the interpreter's lock; what they raise goes through a run to its caller.
class SlicedArray {
 public:
  /// Needs the lock, here and where it goes.
  /// @param name  for people: "the image"
  /// @param call  what is done with it: "convolve"
  /// @throws InvalidSpec  it has other axes, or voxels of other types than int8 to uint32, float32
  ///                      or float64, or lacks shape or dtype.
  SlicedArray(nanobind::object array, std::string name, const std::string& call);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Extent3 extent() const { return extent_; }
  [[nodiscard]] PixelType type() const { return type_; }
  /// Planes that are stored together, as chunks; 1 where it does not say so.
  [[nodiscard]] std::int64_t layer() const { return layer_; }

  /// Returns whether what is assigned to a slice may be kept: only of what is known to copy it at
  /// once is it known that it may not.
  [[nodiscard]] bool may_keep_slices() const { return may_keep_slices_; }

  /// array[box], in C order and in the type of this. Needs the lock.
  [[nodiscard]] nanobind::object read(const Box3& box) const;
  /// array[box] = voxels, whose rows may be longer; a copy of them where it may be kept. Needs the
  /// lock.
  void write(const Box3& box, ConstVoxelView voxels) const;

 private:
  [[nodiscard]] nanobind::object index_of(const Box3& box) const;

  nanobind::object array_, as_contiguous_;
  std::string name_;
  bool is_flat_;  ///< (y, x)
  bool may_keep_slices_;
  Extent3 extent_;
  PixelType type_;
  std::int64_t layer_ = 1;
};

/// Reads a box in pieces, one at a time, each no larger than what is counted for it. Of an array
/// that is stored in layers of planes the layer that was read last is kept, if there is room, so
/// that planes one after the other do not unpack it again and again. Goes with the lock.
class ArraySource final : public Source {
 public:
  /// Counts what it holds. @throws PlanError  `memory` has no room for a row
  ArraySource(SlicedArray array, MemoryBudget& memory);
  [[nodiscard]] Extent3 extent() const override { return array_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return array_.type(); }
  void read(const Box3& box, VoxelView out) override;

  /// A sentence where it takes long for want of memory; else empty.
  [[nodiscard]] std::string slowness() const;

 private:
  /// `part`, a piece of `box`, into its place in `out`, from the layer that holds it.
  void read_from_layer(const Box3& box, const Box3& part, VoxelView out);
  void read_piece(const Box3& box, const Box3& part, VoxelView out);

  SlicedArray array_;
  std::int64_t piece_bytes_;
  bool keeps_layers_;
  Reservation counted_;
  std::mutex one_at_a_time_;
  Box3 kept_box_;
  nanobind::object kept_;
};

/// Writes boxes as they come, in pieces where a piece is copied for it; where the array is stored
/// in layers of planes, and there is room for one, whole planes in order, layer by layer. Goes with
/// the lock.
class ArraySink final : public Sink {
 public:
  /// Counts what it holds. @throws PlanError
  ArraySink(SlicedArray array, MemoryBudget& memory);
  [[nodiscard]] Extent3 extent() const override { return array_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return array_.type(); }
  [[nodiscard]] BoxOrder accepts() const override;
  void write(const Box3& box, ConstVoxelView voxels) override;
  void close() override {}

  /// As that of ArraySource.
  [[nodiscard]] std::string slowness() const;

 private:
  SlicedArray array_;
  std::mutex one_at_a_time_;
  std::int64_t copied_bytes_ = 0;  ///< the largest piece that the array copies
  Reservation copied_;
  HostBuffer<std::byte> layer_;  ///< planes that wait for the others of their layer
  std::int64_t first_waiting_ = 0;
};

}  // namespace synthoscope::python
