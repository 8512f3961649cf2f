// SPDX-License-Identifier: MIT
// simulator/light/light_sums.hpp — sums of light over the pixels of the camera.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/task_pool.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::simulator {

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
