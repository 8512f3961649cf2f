// SPDX-License-Identifier: MIT
// simulator/light/light_sums.hpp — sums of light: of several blurs, and over the pixels of the
// camera.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/task_pool.hpp"
#include "core/stream/scratch_volume.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::simulator {

/// The sum of float32 volumes that are written one after another, each box once per volume. Threads
/// may write disjoint boxes at once.
class PartialSums final : public Sink {
 public:
  /// `kept` holds the sum, in float32, and must outlive this.
  explicit PartialSums(ScratchVolume& kept) : kept_{kept} {}
  static std::int64_t bytes(const Extent3& extent);

  /// Begins a volume: the `first` replaces the sum, others are added to it.
  void begin(bool first) { is_first_ = first; }

  [[nodiscard]] Extent3 extent() const override { return kept_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3& box, ConstVoxelView voxels) override;
  void close() override {}

  /// Computes the voxels of `box` so far plus `more`.
  /// @param sums  receives them; may be `more` if that is of floats
  void add(const Box3& box, HostView3<const float> more, HostView3<float> sums);
  void add(const Box3& box, HostView3<const double> more, HostView3<float> sums);

 private:
  template <class Real>
  void add_pieces(const Box3& box, HostView3<const Real> more, HostView3<float> sums);

  ScratchVolume& kept_;
  bool is_first_ = true;
};

/// An epilogue that adds the earlier sum to the last volume and finishes the total by `inner`,
/// which keeps extents and works in place. Both references must outlive it. Runs on the host.
class SummedEpilogue final : public Epilogue {
 public:
  SummedEpilogue(PartialSums& before, Epilogue& inner) : before_{before}, inner_{inner} {}
  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return inner_.format(computed);
  }
  void apply(const Box3& core, HostView3<const float> in, VoxelView out) override;
  void apply(const Box3& core, HostView3<const double> in, VoxelView out) override;

 private:
  PartialSums& before_;
  Epilogue& inner_;
};

/// A sink for whole planes of a grid that is `n` times finer along y and x. Adds up `n` by `n`
/// voxels in double, applies `finish` to the float32 sums and writes the result, one float32 plane
/// at a time, to `pixels`, which it does not close. References must outlive this.
class PixelSumSink final : public Sink {
 public:
  /// `finish` keeps extents and makes float32; `n` >= 1.
  PixelSumSink(Sink& pixels, std::int64_t n, Epilogue& finish, TaskPool& pool);
  static std::int64_t bytes(const Extent3& pixels);

  [[nodiscard]] Extent3 extent() const override;
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::planes_in_order; }
  void write(const Box3& box, ConstVoxelView voxels) override;
  void close() override {}

 private:
  void add_up(HostView3<const float> fine, std::int64_t z);

  Sink& pixels_;
  std::int64_t n_;
  Epilogue& finish_;
  TaskPool& pool_;
  std::vector<float> plane_;
};

}  // namespace synthoscope::simulator
