// SPDX-License-Identifier: MIT
// imageio/image/stack_sink.hpp — one channel and frame of a file that holds several.
#pragma once
#include "core/base/assert.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::imageio {

/// Writes a stack into its planes of a file. The file, which must outlive this, stays open.
class StackSink final : public Sink {
 public:
  /// @param extent  of one stack
  /// @param stack   its number in the order of ImageSpec::extent: frame * channels + channel
  StackSink(Sink& file, const Extent3& extent, std::int64_t stack)
      : file_{file}, extent_{extent}, first_z_{stack * extent.z} {
    const Box3 planes{{first_z_, 0, 0}, extent};
    SYNTHOSCOPE_ASSERT(contains(file.extent(), planes), ==, true);
  }

  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return file_.pixel_type(); }
  [[nodiscard]] BoxOrder accepts() const override { return file_.accepts(); }
  void write(const Box3& box, ConstVoxelView voxels) override {
    const Index3& at = box.origin;
    file_.write({{first_z_ + at.z, at.y, at.x}, box.size}, voxels);
  }
  void close() override {}

 private:
  Sink& file_;
  Extent3 extent_;
  std::int64_t first_z_;
};

}  // namespace synthoscope::imageio
