// SPDX-License-Identifier: MIT
// simulator/light/light_ledger.hpp — counts light on its way into a blur and out of it.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>
#include "core/stream/stream.hpp"
#include "simulator/light/light_arguments.hpp"

namespace synthoscope::simulator {

/// Sums of a volume's planes. Threads may add at once: addends are rounded to 2^-40 and summed
/// exactly, so that sums do not depend on the order.
class LightLedger {
 public:
  /// `once` counts each voxel only the first time: a blur reads halos, and what its parts share,
  /// again. Otherwise every box is assumed to be new.
  LightLedger(const Extent3& extent, bool once);
  static std::int64_t bytes(const Extent3& extent, bool once);

  void add(const Box3& box, HostView3<const float> voxels);
  void add(const Box3& box, HostView3<const double> voxels);

  /// Rows of a box that are new: columns [begin, end) of `count` rows, which are counted through
  /// the planes of the box from `first` on.
  struct NewRows {
    std::int64_t first = 0, count = 0, begin = 0, end = 0;
  };

  /// Marks a box as counted, for a caller that adds it up. @returns the rows of it that are new
  std::vector<NewRows> claim(const Box3& box);

  /// Adds sums of new rows of a plane that the caller added up. For every new row with |sum| <
  /// kMax, `sum` has the row's sum, rounded to the nearest multiple of 1 / kResolution, times
  /// kResolution; as size the smallest integer that is not below |sum|; and the number of its
  /// voxels.
  void add(std::int64_t plane, const device::PlaneSum& sum);
  static constexpr double kResolution = 0x1p40, kMax = 1e25;

  [[nodiscard]] const Extent3& extent() const { return extent_; }

  /// Forgets what was counted.
  void clear();

  /// Returns true once every voxel was counted, no sum of a row was too large (1e25) and no plane
  /// holds more than can be kept exactly (2^86). Voxels apart from the counted ones of their row
  /// are not counted, unless they are read again after the voxels between them.
  [[nodiscard]] bool is_complete() const;

  /// Returns the sum of every plane.
  [[nodiscard]] std::vector<double> planes() const;

 private:
  __extension__ using Exact = __int128;
  __extension__ using Wrapping = unsigned __int128;

  struct Plane {
    Wrapping sum = 0;  ///< times 2^40, modulo 2^128; right while `size` is within its bound
    Exact size = 0;    ///< at least the sum of the magnitudes of what was added
    std::int64_t voxels = 0;
  };
  /// Columns of a row that were counted: [begin, end).
  struct Counted {
    std::int32_t begin = 0, end = 0;
  };
  struct ColumnRange {
    std::int64_t begin = 0, end = 0;
  };
  static constexpr std::size_t kLocks = 64;

  /// Marks columns [begin, end) of row z * height + y as counted. @returns which of them are new
  std::array<ColumnRange, 2> claim_row(std::int64_t row, std::int64_t begin, std::int64_t end);
  template <class Real>
  void add_box(const Box3& box, HostView3<const Real> voxels);
  template <class Real>
  static void add_row(Plane& plane, std::int64_t begin, std::int64_t end, const Real* voxels);

  Extent3 extent_;
  std::vector<Plane> planes_;
  std::vector<Counted> counted_;          ///< of each row; empty if boxes are assumed to be new
  std::array<std::mutex, kLocks> locks_;  ///< plane z uses lock z % kLocks
};

/// A source whose float32 voxels are counted as they are read. Both references must outlive it.
class CountedSource final : public Source {
 public:
  CountedSource(Source& inner, LightLedger& ledger);
  [[nodiscard]] Extent3 extent() const override { return inner_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return inner_.pixel_type(); }
  void read(const Box3& box, VoxelView out) override {
    inner_.read(box, out);
    ledger_.add(box, HostView3<const float>{out.as<float>()});
  }
  void expect(const Box3& box) override { inner_.expect(box); }
  [[nodiscard]] std::unique_ptr<cuda::DeviceSource> make_on_device() override;

 private:
  Source& inner_;
  LightLedger& ledger_;
};

/// An epilogue that counts what comes in. Both references must outlive it.
class CountedEpilogue final : public Epilogue {
 public:
  CountedEpilogue(Epilogue& inner, LightLedger& ledger);
  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return inner_.format(computed);
  }
  void apply(const Box3& core, HostView3<const float> in, VoxelView out) override {
    ledger_.add(core, in);
    inner_.apply(core, in, out);
  }
  void apply(const Box3& core, HostView3<const double> in, VoxelView out) override {
    ledger_.add(core, in);
    inner_.apply(core, in, out);
  }
  [[nodiscard]] std::unique_ptr<cuda::DeviceEpilogue> make_on_device() override;

 private:
  Epilogue& inner_;
  LightLedger& ledger_;
};

}  // namespace synthoscope::simulator
