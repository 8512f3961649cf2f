// SPDX-License-Identifier: MIT
// tests/support/checking_stream.hpp — sources that count what is read of them, and sinks that
// insist on their contract.
#pragma once
#include <gtest/gtest.h>
#include <atomic>
#include <mutex>
#include <vector>
#include "core/run/stop.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope::test {

/// Counts the reads of another source, and checks that they lie inside it.
class CountingSource final : public Source {
 public:
  explicit CountingSource(Source& source) : source_{source} {}
  [[nodiscard]] Extent3 extent() const override { return source_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return source_.pixel_type(); }
  void read(const Box3& box, VoxelView out) override {
    ++reads_;
    EXPECT_TRUE(contains(extent(), box)) << box << " of " << extent();
    source_.read(box, out);
  }
  void expect(const Box3& box) override {
    ++expectations_;
    EXPECT_TRUE(contains(extent(), box)) << box << " of " << extent();
  }
  [[nodiscard]] int reads() const { return reads_; }
  [[nodiscard]] int expectations() const { return expectations_; }

 private:
  Source& source_;
  std::atomic<int> reads_{0}, expectations_{0};
};

/// Keeps what it is given, and checks that disjoint boxes cover it exactly once; whole planes in z
/// order, one call at a time, where that is the order it accepts.
template <class T>
class CheckingSink final : public Sink {
 public:
  CheckingSink(const Extent3& extent, BoxOrder order)
      : kept{extent}, order_{order}, covered_(kept.voxels.size()) {}
  [[nodiscard]] Extent3 extent() const override { return kept.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return pixel_type_of<T>(); }
  [[nodiscard]] BoxOrder accepts() const override { return order_; }

  void write(const Box3& box, ConstVoxelView voxels) override {
    EXPECT_EQ(box.size, voxels.extent());
    EXPECT_TRUE(contains(kept.extent, box)) << box << " of " << kept.extent;
    if (order_ == BoxOrder::planes_in_order) {
      EXPECT_EQ(box.origin, (Index3{next_plane_, 0, 0}));
      EXPECT_EQ(box.size.y, kept.extent.y);
      EXPECT_EQ(box.size.x, kept.extent.x);
      EXPECT_TRUE(alone_.try_lock()) << "two threads write at once";
      next_plane_ += box.size.z;
      alone_.unlock();
    }
    const std::scoped_lock lock{mutex_};
    const auto from = voxels.as<T>();
    for (std::int64_t z = 0; z < box.size.z; ++z)
      for (std::int64_t y = 0; y < box.size.y; ++y)
        for (std::int64_t x = 0; x < box.size.x; ++x) {
          const Index3 at{box.origin.z + z, box.origin.y + y, box.origin.x + x};
          kept.view()(at.z, at.y, at.x) = from(z, y, x);
          ++covered_[static_cast<std::size_t>((at.z * kept.extent.y + at.y) * kept.extent.x +
                                              at.x)];
        }
  }
  void close() override { closed = true; }

  /// True if every voxel was written once.
  [[nodiscard]] bool whole() const {
    for (const int times : covered_)
      if (times != 1) return false;
    return true;
  }

  Volume<T> kept;
  bool closed = false;

 private:
  BoxOrder order_;
  std::int64_t next_plane_ = 0;
  std::vector<int> covered_;
  std::mutex mutex_, alone_;
};

/// Asks for a stop when it is read for the n-th time.
class StoppingSource final : public Source {
 public:
  StoppingSource(Source& source, StopFlag& stop, int after)
      : source_{source}, stop_{stop}, after_{after} {}
  [[nodiscard]] int reads() const { return reads_; }
  [[nodiscard]] Extent3 extent() const override { return source_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return source_.pixel_type(); }
  void read(const Box3& box, VoxelView out) override {
    if (++reads_ == after_) stop_.request();
    source_.read(box, out);
  }

 private:
  Source& source_;
  StopFlag& stop_;
  int after_;
  std::atomic<int> reads_ = 0;
};

}  // namespace synthoscope::test
