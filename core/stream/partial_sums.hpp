// SPDX-License-Identifier: MIT
// core/stream/partial_sums.hpp — the sum of volumes that are computed one after another.
#pragma once
#include <cstdint>
#include "core/stream/scratch_volume.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope {

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

}  // namespace synthoscope
